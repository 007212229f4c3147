// Varints: the numbers of a forward index entry, seven bits a byte, the lowest first, and a bit that says "more".

import { uint8At } from './typedReads.ts';

/** 1 for the lowest bits of each number that is looked for. */
export type Marks = Uint8Array;
export const MARK_BITS = 14;
const LOWEST = (1 << MARK_BITS) - 1;

/** How often numbers occur by their lowest bits, and two side by side by a hash of both; at most 255. */
export interface Buckets {
  words: Uint8ClampedArray;
  pairs: Uint8ClampedArray;
}

export const newBuckets = (): Buckets => ({
  words: new Uint8ClampedArray(1 << MARK_BITS),
  pairs: new Uint8ClampedArray(1 << PAIR_BITS),
});

const PAIR_BITS = 14;
export const pairBucket = (first: number, second: number): number =>
  (Math.imul(first, 0x9e3779b1) + second) & ((1 << PAIR_BITS) - 1);

/** Bytes of the longest one: of a number of 32 bits. */
export const LONGEST_VARINT = 5;

/** @returns Where the next number goes. */
export function writeVarint(bytes: Uint8Array, start: number, number: number): number {
  let at = start;
  let rest = number;
  for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
  bytes[at++] = rest;
  return at;
}

export class VarintReader {
  /** Where the next one begins. */
  at = 0;
  /** Of the last `rowOf` or `find`. */
  found = 0;
  private bytes = new Uint8Array(0);
  private taken = new Uint32Array(1024);

  /** Begins to read at `start`. */
  open({ page, start }: { page: Uint8Array; start: number }): this {
    this.bytes = page as Uint8Array<ArrayBuffer>;
    this.at = start;
    return this;
  }

  /** Of one byte or two by chance: a branch between them would be guessed wrong half the time. */
  next(): number {
    const { bytes } = this;
    const { at } = this;
    const first = bytes[at]!;
    const more = first >>> 7;
    const second = bytes[at + 1]! & -more;
    this.at = at + 1 + more;
    const number = (first & 127) | ((second & 127) << 7);
    return second < 128 ? number : this.rest(number);
  }

  /**
   * The next so many at once, in an array that is good until the next call: where nothing else is done between two
   * numbers, where the reader stands need not go through memory.
   */
  row(count: number): Uint32Array {
    if (this.taken.length < count) this.taken = new Uint32Array(count * 2);
    const { bytes, taken } = this;
    let { at } = this;
    for (let i = 0; i < count; i++) {
      const first = bytes[at]!;
      const more = first >>> 7;
      const second = bytes[at + 1]! & -more;
      at += 1 + more;
      let number = (first & 127) | ((second & 127) << 7);
      for (let shift = 14, byte = second; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        number |= (byte & 127) << shift;
      }
      taken[i] = number;
    }
    this.at = at;
    return taken;
  }

  /**
   * Of the next `count` those whose lowest bits are marked, in an array that is good until the next call; `found` says
   * how many. Every number is written down and most are written over: nothing is left to a branch that is guessed.
   */
  rowOf(marks: Marks, count: number): Uint32Array {
    if (this.taken.length <= count) this.taken = new Uint32Array(count * 2);
    const { bytes, taken } = this;
    let { at } = this;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const first = bytes[at]!;
      const more = first >>> 7;
      const second = bytes[at + 1]! & -more;
      at += 1 + more;
      const low = (first & 127) | ((second & 127) << 7);
      let number = low;
      for (let shift = 14, byte = second; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        number |= (byte & 127) << shift;
      }
      taken[found] = number;
      found += marks[low]!;
    }
    this.at = at;
    this.found = found;
    return taken;
  }

  /**
   * Adds `weight` to the bucket of each of the next `count` numbers, and to that of each two neighbours. Reading is a
   * chain of steps that wait for one another: what else is done meanwhile costs little.
   */
  tally({ words, pairs }: Buckets, count: number, weight: number): void {
    const { bytes } = this;
    let { at } = this;
    let before = -1;
    for (let i = 0; i < count; i++) {
      const first = bytes[at]!;
      const more = first >>> 7;
      const second = bytes[at + 1]! & -more;
      at += 1 + more;
      let number = (first & 127) | ((second & 127) << 7);
      words[number]! += weight;
      for (let shift = 14, byte = second; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        number |= (byte & 127) << shift;
      }
      if (i > 0) pairs[pairBucket(before, number)]! += weight;
      before = number;
    }
    this.at = at;
  }

  /** Of the next `count` numbers those with something in their bucket: in `row`, and where they stand in `places`. */
  find({ words }: Buckets, count: number, { row, places }: { row: Uint32Array; places: Uint32Array }): void {
    const all = this.row(count);
    let found = 0;
    // Every number is written down and most are written over, as in `rowOf`.
    for (let i = 0; i < count; i++) {
      const number = all[i]!;
      row[found] = number;
      places[found] = i;
      found += (words[number & LOWEST]! + 255) >>> 8;
    }
    this.found = found;
  }

  /** The third byte and those behind it. */
  private rest(start: number): number {
    const { bytes } = this;
    let number = start;
    for (let shift = 14; ; shift += 7) {
      const byte = uint8At(bytes, this.at++);
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  }

  skip(numbers: number): void {
    const { bytes } = this;
    for (let left = numbers; left > 0; ) if (uint8At(bytes, this.at++) < 128) left--;
  }
}
