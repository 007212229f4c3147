// The postings of one shard while its lists are made: brought together from the runs of a sort buffer, of each term a
// chain of stretches.

import { at } from '../../at.ts';
import type { ForwardIndex } from '../forwardIndex.ts';
import { ListReader } from '../postings.ts';
import { TermNumbers } from '../termNumbers.ts';

/** Bytes of a run that a stretch takes at least. */
const STRETCH_BYTES = 6;

export class ShardDraft {
  private readonly numbers = new TermNumbers();
  /** All postings, stretch after stretch. */
  private postings = new Uint32Array(0);
  /** By stretch: its end (it begins where the one before ends), and the next one of its term; 0: there is none. */
  private ends = new Uint32Array(0);
  private next = new Uint32Array(0);
  /** By number of the term: its first and last stretch. */
  private first = new Uint32Array(0);
  private last = new Uint32Array(0);
  /** Terms met so far. */
  private gathered = 0;
  /** What `collect` answered last. */
  readonly collected = { list: new Uint32Array(0), end: 0, marked: 0 };
  private readonly forwardIndex: ForwardIndex;

  constructor(forwardIndex: ForwardIndex) {
    this.forwardIndex = forwardIndex;
  }

  /** Distinct terms of the shard gathered last. */
  get count(): number {
    return this.numbers.count;
  }

  /** Gathers what a shard's runs have. */
  gather(runs: readonly Uint8Array[]): void {
    const { numbers } = this;
    numbers.clear();
    this.gathered = 0;
    this.reserve(runs.reduce((sum, { length }) => sum + length, 0));
    const { postings } = this;
    let stretch = 0;
    let end = 0;
    for (const run of runs) {
      for (const reader = new ListReader(run); reader.left > 0; ) {
        end = reader.read(postings, end);
        this.append(numbers.of(reader.label), ++stretch, end);
      }
    }
  }

  termOf(number: number): number {
    return at(this.numbers.terms, number);
  }

  /**
   * The packed postings of a term, of posts that are still there, by ascending post, from 0 to `end`: good until the
   * next call.
   * @param marks By post: 1 or 0. `marked` says how many of them are.
   */
  collect(number: number, marks: Uint8Array): { list: Uint32Array; end: number; marked: number } {
    const { postings, ends, next, collected, forwardIndex } = this;
    const { list } = collected;
    let end = 0;
    let marked = 0;
    let before = 0;
    let sorted = true;
    for (let stretch = this.first[number]!; stretch !== 0; stretch = next[stretch]!) {
      for (let place = ends[stretch - 1]!; place < ends[stretch]!; place++) {
        const posting = postings[place]!;
        if (!forwardIndex.has(posting >>> 8)) continue;
        marked += marks[posting >>> 8]!;
        if (posting < before) sorted = false;
        before = posting;
        list[end++] = posting;
      }
    }
    if (!sorted) list.subarray(0, end).sort();
    collected.end = end;
    collected.marked = marked;
    return collected;
  }

  private append(number: number, stretch: number, end: number): void {
    const { first, last, next, ends } = this;
    ends[stretch] = end;
    next[stretch] = 0;
    // Terms are numbered in the order they are met.
    if (number === this.gathered) {
      first[number] = stretch;
      this.gathered++;
    } else next[last[number]!] = stretch;
    last[number] = stretch;
  }

  private reserve(bytes: number): void {
    if (this.postings.length >= bytes) return;
    const room = Math.ceil(bytes * 1.2);
    this.postings = new Uint32Array(room);
    this.collected.list = new Uint32Array(room);
    const stretches = Math.ceil(room / STRETCH_BYTES) + 1;
    this.ends = new Uint32Array(stretches);
    this.next = new Uint32Array(stretches);
    this.first = new Uint32Array(stretches);
    this.last = new Uint32Array(stretches);
  }
}
