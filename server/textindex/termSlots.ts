// A hash table of one post's terms, to which others are compared: at most half full, so that most of what it lacks is
// seen to be missing at once.

import { POST_TERMS } from './settings.ts';

const FIRST_SLOTS = 4096;
const MOST = 255;

export class TermSlots {
  keys = new Int32Array(FIRST_SLOTS);
  /** What a shared term is worth for each √frequency on the other side; below 0: not known yet, for each √rarity². */
  rates = new Float64Array(FIRST_SLOTS);
  frequencies = new Uint8Array(FIRST_SLOTS);
  /** 1 where the term stands in few enough posts to say something. */
  distinctive = new Uint8Array(FIRST_SLOTS);
  /** Slots met in the other post, `count` of them. */
  met = new Uint32Array(FIRST_SLOTS);
  count = 0;

  /** Makes room for the terms of a post, of which no more than a reader reads are entered. */
  clear(terms: number): void {
    this.count = 0;
    const least = Math.min(terms, POST_TERMS) * 2;
    if (least > this.keys.length) this.grow(least);
    this.keys.fill(0);
  }

  /** Where a term stands, or would. */
  slotOf(term: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    const key = term | 0 || 1;
    let slot = (key >>> 7) & mask;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  tally(slot: number, weight: number): void {
    const { frequencies } = this;
    if (frequencies[slot] === 0) this.met[this.count++] = slot;
    frequencies[slot] = Math.min(frequencies[slot]! + weight, MOST);
  }

  /** Drops what was met. */
  forget(): void {
    for (const slot of this.met.subarray(0, this.count)) this.frequencies[slot] = 0;
  }

  private grow(least: number): void {
    let size = this.keys.length;
    while (size < least) size *= 2;
    this.keys = new Int32Array(size);
    this.rates = new Float64Array(size);
    this.frequencies = new Uint8Array(size);
    this.distinctive = new Uint8Array(size);
    this.met = new Uint32Array(size);
  }
}
