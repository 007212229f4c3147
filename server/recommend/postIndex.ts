// The index of a site: which posts have which terms. Posts come and go one at a time; nothing is rebuilt for it.
//
//   const index = new PostIndex();
//   index.put(post);              recommendable at once
//   index.remove(url);            gone at once
//   for (const _ of index.refresh()) await breath();   brings weights up to date, in small steps

import { Catalogue, type IndexedPost } from './catalogue.ts';
import { digest } from './digest.ts';
import { fingerprint } from './fingerprint.ts';
import { TermReader } from './termReader.ts';
import { slotOf, TermTable } from './termTable.ts';
import { Vocabulary } from './vocabulary.ts';
import { COMMON_AT_LEAST, COMMON_SHARE, RARITY_POWER } from './weights.ts';

/** Terms to look for, each with its weight. */
export interface WeightedTerms {
  terms: Uint32Array;
  weights: Float32Array;
}

/** √frequency, ready made. */
export const ROOTS = Float32Array.from({ length: 256 }, (_, frequency) => Math.sqrt(frequency));

/** Steps of background work are about this many posts. */
const STEP = 100;
/** Weights are brought up to date when the site has grown or shrunk by this share. */
const DRIFT = 0.1;

export class PostIndex {
  readonly catalogue = new Catalogue();
  readonly reader = new TermReader();
  private readonly vocabulary = new Vocabulary();
  private readonly table = new TermTable();
  /** Postings in chains: post and frequency in one number, and where the chain goes on (0: it ends). */
  private packed = new Uint32Array(1024);
  private next = new Uint32Array(1024);
  private used = 1;
  private weighedAt = 0;

  get size(): number {
    return this.catalogue.count;
  }

  /** Adds a post or replaces the one at its URL. */
  put(post: IndexedPost): void {
    const { catalogue } = this;
    const bytes = digest(post, this.vocabulary);
    const known = catalogue.find(post.url);
    if (known >= 0) {
      if (sameBytes(catalogue.digests[known]!, bytes)) {
        catalogue.describe(known, post);
        return;
      }
      this.take(known);
    }
    const number = catalogue.add(post, bytes);
    const { terms, frequencies, count } = this.reader.read(bytes);
    for (let i = 0; i < count; i++) this.post(terms[i]!, number, frequencies[i]!);
    catalogue.norms[number] = this.norm();
    fingerprint(this.reader, catalogue.prints, number * 2);
  }

  /** @returns false when there is no such post. */
  remove(url: string): boolean {
    const number = this.catalogue.find(url);
    if (number < 0) return false;
    this.take(number);
    return true;
  }

  /** In how many posts a term stands. */
  postsWith(term: number): number {
    return this.table.postsWith(term);
  }

  /** How much a term tells: the fewer posts have it, the more. */
  rarity(posts: number): number {
    return Math.log(1 + this.size / Math.max(1, posts)) ** RARITY_POWER;
  }

  /** Whether so many posts have a term that it is not looked for. */
  get common(): number {
    return Math.max(COMMON_AT_LEAST, this.size * COMMON_SHARE);
  }

  /**
   * Adds weight × √frequency to the sum of every post with a term.
   * @param touched Numbers of the posts whose sum was 0, in no order; @returns how many.
   */
  addUp({ terms, weights }: WeightedTerms, sums: Float32Array, touched: Uint32Array): number {
    const { packed, next } = this;
    let count = 0;
    for (let i = 0; i < terms.length; i++) {
      const shard = this.table.shardOf(terms[i]!);
      const weight = weights[i]!;
      for (let at = shard.heads[slotOf(shard, terms[i]!)]!; at !== 0; at = next[at]!) {
        const posting = packed[at]!;
        const post = posting >>> 8;
        if (sums[post] === 0) touched[count++] = post;
        sums[post]! += weight * ROOTS[posting & 255]!;
      }
    }
    return count;
  }

  /** Work to do in the background, a few milliseconds between two yields; none when weights are fresh enough. */
  *refresh(): Generator<void> {
    const { catalogue } = this;
    if (Math.abs(this.size - this.weighedAt) <= this.weighedAt * DRIFT) return;
    this.weighedAt = this.size;
    for (let number = 0; number < catalogue.size; number++) {
      const bytes = catalogue.digests[number];
      if (bytes) {
        this.reader.read(bytes);
        catalogue.norms[number] = this.norm();
      }
      if (number % STEP === STEP - 1) yield;
    }
  }

  /** Length of the vector of the post just read, over all its terms. */
  private norm(): number {
    const { terms, frequencies, count } = this.reader;
    let squares = 0;
    for (let i = 0; i < count; i++) squares += frequencies[i]! * this.rarity(this.postsWith(terms[i]!)) ** 2;
    return Math.sqrt(squares);
  }

  private post(term: number, number: number, frequency: number): void {
    if (this.used === this.packed.length) this.grow();
    const slot = this.table.claim(term);
    const shard = this.table.shardOf(term);
    this.packed[this.used] = (number << 8) | frequency;
    this.next[this.used] = shard.heads[slot]!;
    shard.heads[slot] = this.used++;
    shard.posts[slot]!++;
  }

  private take(number: number): void {
    const { terms, count } = this.reader.read(this.catalogue.digests[number]!);
    for (let i = 0; i < count; i++) {
      const shard = this.table.shardOf(terms[i]!);
      shard.posts[slotOf(shard, terms[i]!)]!--;
    }
    this.catalogue.remove(number);
  }

  private grow(): void {
    const packed = new Uint32Array(this.packed.length * 2);
    packed.set(this.packed);
    this.packed = packed;
    const next = new Uint32Array(this.next.length * 2);
    next.set(this.next);
    this.next = next;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
