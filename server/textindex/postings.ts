// Postings of the inverted index: which posts have a term, and how often.
//
// In the main segment a term's postings are bytes: how many there are, then for each post the distance to the one
// before and a bit that says "more than once" (a varint), then how often where that bit is set. Two to three bytes a
// posting.

import { enlarged } from '../enlarged.ts';
import { shardNumber } from './termTable.ts';
import { float32At } from './typedReads.ts';

/** Terms to look for, each with its weight: the sparse side of a dot product with every post. */
export interface TermVector {
  terms: Uint32Array;
  weights: Float32Array;
}

/** How dot products are computed. */
export interface ScoreOptions {
  /** Postings read at most: the first terms are the ones that must count. Default: `QUERY_POSTINGS`. */
  most?: number;
  /** Sums beside the others, overwritten too, of the terms that at most so many posts have. Default: none. */
  rare?: { posts: number; sums: Float32Array };
}

/** A post and a frequency in one number, as long as postings are being gathered. */
export const packed = (post: number, frequency: number): number => ((post << 8) | frequency) >>> 0;

/** √frequency, ready made. */
const ROOTS = Float32Array.from({ length: 256 }, (_, frequency) => Math.sqrt(frequency));

/** √frequency, in 32 bits. @param frequency At most 255. */
export const rootOf = (frequency: number): number => float32At(ROOTS, frequency);

/** Adds weight × √frequency to the sum of every post in a list of the main segment. */
export function addList(bytes: Uint8Array, head: number, weight: number, sums: Float32Array): void {
  let at = head;
  let rest = 0;
  let shift = 0;
  let byte = 0;
  do {
    byte = bytes[at++]!;
    rest |= (byte & 127) << shift;
    shift += 7;
  } while (byte > 127);
  let post = -1;
  // Of one byte or two, said once or more often: chance decides, so nothing is left to a branch that is guessed.
  for (; rest > 0; rest--) {
    const first = bytes[at++]!;
    const second = bytes[at]! & -(first >>> 7);
    at += first >>> 7;
    let step = (first & 127) | ((second & 127) << 7);
    if (second > 127) {
      byte = second;
      for (shift = 14; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        step |= (byte & 127) << shift;
      }
    }
    post += (step >>> 1) + 1;
    // Known from the first byte: where the next one stands need not wait for the rest.
    const often = first & 1;
    sums[post]! += weight * ROOTS[(bytes[at]! & -often) | (often ^ 1)]!;
    at += often;
  }
}

/** First bytes of lists, of no use by themselves. */
const firsts = new Uint8Array(1024);

/** Looks at all lists once before any is read, so that memory fetches them side by side. */
export function fetchLists(lists: readonly Uint8Array[], terms: Uint32Array, heads: Uint32Array): void {
  for (let i = 0; i < terms.length; i++) firsts[i & 1023] = lists[shardNumber(terms[i]!)]![heads[i]!]!;
}

/** How many postings a list of the main segment has. */
export function listLength(bytes: Uint8Array, head: number): number {
  let length = 0;
  for (let at = head, shift = 0; ; at++, shift += 7) {
    length |= (bytes[at]! & 127) << shift;
    if (bytes[at]! < 128) return length;
  }
}

/** Postings of a list of the main segment, packed, appended to `to` by ascending post. */
export function unpackList(bytes: Uint8Array, head: number, to: number[]): void {
  let at = head;
  const number = () => {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    return value;
  };
  let post = -1;
  for (let rest = number(); rest > 0; rest--) {
    const step = number();
    post += (step >>> 1) + 1;
    to.push(packed(post, (step & 1) === 0 ? 1 : bytes[at++]!));
  }
}

/** Bytes of a label. */
const LABEL = 4;

/** Reads labelled lists that a writer wrote, one after another. */
export class ListReader {
  /** Of the list just read. */
  label = 0;
  private readonly bytes: Uint8Array;
  private at = 1;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Bytes not read yet: no list has more postings. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Appends the packed postings of the next list. @returns Where they end in `to`. */
  read(to: Uint32Array, start: number): number {
    const { bytes } = this;
    let { at } = this;
    this.label = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
    at += LABEL;
    let rest = bytes[at]! & 127;
    for (let shift = 7; bytes[at++]! > 127; shift += 7) rest |= (bytes[at]! & 127) << shift;
    let post = -1;
    let end = start;
    for (; rest > 0; rest--) {
      let step = bytes[at]! & 127;
      for (let shift = 7; bytes[at++]! > 127; shift += 7) step |= (bytes[at]! & 127) << shift;
      post += (step >>> 1) + 1;
      to[end++] = packed(post, (step & 1) === 0 ? 1 : bytes[at++]!);
    }
    this.at = at;
    return end;
  }
}

/** Sorts packed postings by post. Most lists are in order already; because numbers are reused, some are not. */
export function inOrder(list: Uint32Array, start: number, end: number): void {
  for (let i = start + 1; i < end; i++) {
    if (list[i]! > list[i - 1]!) continue;
    list.subarray(start, end).sort();
    return;
  }
}

/** Writes lists of postings one after another. */
export class ListWriter {
  private bytes = new Uint8Array(1 << 16);
  private used = 1;

  /** @param list Packed postings from `start` to `end`, by ascending post. @returns Head of the list, never 0. */
  write(list: ArrayLike<number>, start: number, end: number): number {
    const most = (end - start) * 6 + 6;
    if (this.used + most > this.bytes.length) this.grow(most);
    const head = this.used;
    this.number(end - start);
    let before = -1;
    for (let i = start; i < end; i++) {
      const post = list[i]! >>> 8;
      const frequency = list[i]! & 255;
      const step = post - before - 1;
      this.number(frequency === 1 ? step << 1 : (step << 1) | 1);
      if (frequency !== 1) this.bytes[this.used++] = frequency;
      before = post;
    }
    return head;
  }

  /** Labels the next list with a number, which `ListReader.label` has when the list is read. */
  label(label: number): void {
    if (this.used + LABEL > this.bytes.length) this.grow(LABEL);
    for (let shift = 0; shift < LABEL * 8; shift += 8) this.bytes[this.used++] = (label >>> shift) & 255;
  }

  /** The bytes written so far, in an array of their own; the writer starts again. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.used);
    this.used = 1;
    return taken;
  }

  private number(number: number): void {
    let rest = number;
    while (rest > 127) {
      this.bytes[this.used++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.used++] = rest;
  }

  private grow(most: number): void {
    this.bytes = enlarged(this.bytes, new Uint8Array((this.used + most) * 2));
  }
}
