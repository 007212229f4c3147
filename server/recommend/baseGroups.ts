// Candidates in groups of about the same base score, highest first: the order in which a top-k needs them, made by
// counting. A query seldom reaches more than the first groups, so within them nothing is sorted.

import { GrowingArray } from '../textindex/growingArray.ts';
import { float32At, uint32At } from '../textindex/typedReads.ts';
import type { Candidates } from './scorer.ts';

/** As numbers without a sign, scores are in the order of their bits: 64 groups for each doubling. */
const GROUP_BITS = 17;
/** Sixteen halvings of the highest; the last group has all that are lower. */
const GROUPS = 1024;

export class BaseGroups {
  /** Places of candidates, group by group. */
  readonly places = new GrowingArray(Uint32Array);
  private readonly ends = new Uint32Array(GROUPS);
  private readonly asFloat = new Float32Array(1);
  private readonly asBits = new Uint32Array(this.asFloat.buffer);
  private highest = 0;

  /** @returns Places, of which group `n` ends at `end(n)`; valid until the next call. */
  of({ scores, count }: Pick<Candidates, 'scores' | 'count'>): Uint32Array {
    const { ends } = this;
    const places = this.places.of(count);
    const bits = new Uint32Array(scores.buffer, scores.byteOffset, count);
    let highest = 0;
    for (let at = 0; at < count; at++) if (bits[at]! > highest) highest = bits[at]!;
    this.highest = highest >>> GROUP_BITS;
    ends.fill(0);
    for (let at = 0; at < count; at++) ends[this.groupOf(bits[at]!)]!++;
    let start = 0;
    for (let group = 0; group < GROUPS; group++) {
      const size = uint32At(ends, group);
      ends[group] = start;
      start += size;
    }
    // What begins a group moves to its end while it is filled.
    for (let at = 0; at < count; at++) places[ends[this.groupOf(bits[at]!)]!++] = at;
    return places;
  }

  /** Where a group ends among the places; it begins where the one before ends. */
  end(group: number): number {
    return uint32At(this.ends, group);
  }

  /** No base score of this group or a later one is higher. */
  ceiling(group: number): number {
    this.asBits[0] = (this.highest - group + 1) << GROUP_BITS;
    return float32At(this.asFloat, 0);
  }

  private groupOf(bits: number): number {
    return Math.min(GROUPS - 1, this.highest - (bits >>> GROUP_BITS));
  }
}
