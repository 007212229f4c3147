// Vectors that the operator computed from the texts, in bytes: how alike two posts are beyond their words.
//
//   embeddings.put({ url, vector: quantised([0.1, -0.7, …]), updatedAt });
//   const alike = embeddings.alikeTo(url);      a cosine for each other post's URL; undefined where there is no vector
//
// Cosines are taken around the mean of the site's vectors. Those of most models all point one way, so that any two
// posts would seem alike, and a post with a vector would pass every post without one.

import { at } from '../at.ts';
import { enlarged } from '../enlarged.ts';
import { float64At } from './typedReads.ts';

/** A byte a dimension: the longest component is 127 or −127. */
export interface PostVector {
  url: string;
  vector: Int8Array;
  /** Epoch milliseconds. */
  updatedAt: number;
}

export const LEAST_DIMENSIONS = 2;
export const MOST_DIMENSIONS = 4096;

/** Vectors a page: growing never copies them. */
const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;
/** Squared length below which a vector is the mean, within the precision of bytes. */
const NOTHING = 1e-6;

/** Direction of a vector in bytes. @param numbers Finite, not all zero. */
export function quantised(numbers: readonly number[]): Int8Array {
  const longest = numbers.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  return Int8Array.from(numbers, (one) => Math.round((one / longest) * 127));
}

export class Embeddings {
  /** 0 while there is none. */
  dimension = 0;
  private readonly rows = new Map<string, number>();
  private pages: Int8Array[] = [];
  /** What a row is multiplied by to have length 1. */
  private scales = new Float32Array(0);
  private times = new Float64Array(0);
  /** Of all rows at length 1. */
  private sum = new Float64Array(0);
  private free: number[] = [];
  private used = 0;
  private clearedAt = 0;
  /** Grows with every change. */
  version = 0;

  /** Takes a vector in, unless a newer one is known. One of another dimension begins a new set. */
  put({ url, vector, updatedAt }: PostVector): void {
    if (updatedAt < Math.max(this.timeOf(url), this.clearedAt)) return;
    if (vector.length !== this.dimension) this.begin(vector.length);
    this.remove(url);
    const row = this.free.pop() ?? this.used++;
    if (row === this.pages.length * PAGE) this.grow();
    this.rows.set(url, row);
    this.times[row] = updatedAt;
    const squares = vector.reduce((total, one) => total + one * one, 0);
    this.scales[row] = 1 / Math.sqrt(squares);
    this.page(row).set(vector, this.offset(row));
    this.addToSum(row, 1);
    this.version++;
  }

  remove(url: string): void {
    const row = this.rows.get(url);
    if (row === undefined) return;
    this.addToSum(row, -1);
    this.version++;
    this.rows.delete(url);
    this.free.push(row);
  }

  /** Removes all that were written before `now`, also where they come late. */
  clear(now: number): void {
    this.begin(0);
    this.clearedAt = now;
  }

  /** When a vector was written, epoch milliseconds; -1 where there is none. */
  timeOf(url: string): number {
    const row = this.rows.get(url);
    return row === undefined ? -1 : at(this.times, row);
  }

  /** Cosine of a post and others, around the mean; 0 for one without a vector. Good until the next change. */
  alikeTo(url: string): ((other: string) => number) | undefined {
    const row = this.rows.get(url);
    if (row === undefined) return undefined;
    const { dimension, rows, scales } = this;
    const mean = this.sum.map((total) => total / rows.size);
    const ownScale = at(scales, row);
    const own = this.page(row).subarray(this.offset(row));
    const mine = mean.map((middle, place) => at(own, place) * ownScale - middle);
    const [length, middle, slant] = [dot(mine, mine), dot(mean, mean), dot(mine, mean)];
    if (length < NOTHING) return undefined;
    return (other) => {
      const their = rows.get(other);
      if (their === undefined) return 0;
      const page = this.page(their);
      const start = this.offset(their);
      let across = 0;
      let along = 0;
      for (let i = 0; i < dimension; i++) {
        const one = page[start + i]!;
        across += one * mine[i]!;
        along += one * mean[i]!;
      }
      const scale = at(scales, their);
      const theirs = 1 - 2 * along * scale + middle;
      return theirs < NOTHING ? 0 : (across * scale - slant) / Math.sqrt(length * theirs);
    };
  }

  get size(): number {
    return this.rows.size;
  }

  /** Bytes of the typed arrays. */
  get bytes(): number {
    return this.pages.length * PAGE * (this.dimension + 12) + this.sum.byteLength;
  }

  private begin(dimension: number): void {
    this.dimension = dimension;
    this.version++;
    this.rows.clear();
    this.pages = [];
    this.free = [];
    this.used = 0;
    this.sum = new Float64Array(dimension);
  }

  private grow(): void {
    this.pages.push(new Int8Array(PAGE * this.dimension));
    const room = this.pages.length * PAGE;
    if (room <= this.scales.length) return;
    this.scales = enlarged(this.scales, new Float32Array(room));
    this.times = enlarged(this.times, new Float64Array(room));
  }

  private addToSum(row: number, sign: 1 | -1): void {
    const page = this.page(row);
    const start = this.offset(row);
    const scale = at(this.scales, row) * sign;
    for (let i = 0; i < this.dimension; i++) this.sum[i]! += page[start + i]! * scale;
  }

  private page(row: number): Int8Array {
    return at(this.pages, row >>> PAGE_BITS);
  }

  private offset(row: number): number {
    return (row & (PAGE - 1)) * this.dimension;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let place = 0; place < a.length; place++) total += float64At(a, place) * float64At(b, place);
  return total;
}
