// The index of a site: which posts have which terms. Posts come and go one at a time; nothing is rebuilt for it.
//
//   const index = new PostIndex();
//   index.put(post);              recommendable at once
//   index.remove(url);            gone at once
//   for (const _ of index.tidy()) await breath();   keeps it small and its weights fresh, in steps of a few milliseconds
//
// A main part in bytes holds most postings; a tail of chains holds the posts that came since it was made, and tidying
// merges the two. Terms with one post only are not in the main part: nobody can be found by them.

import { Catalogue, type IndexedPost } from './catalogue.ts';
import { digest } from './digest.ts';
import { Digests } from './digests.ts';
import { fingerprint } from './fingerprint.ts';
import { merge } from './merge.ts';
import { addList, type Sums } from './postings.ts';
import { SeenTerms } from './seenTerms.ts';
import { Tail } from './tail.ts';
import { TermReader } from './termReader.ts';
import { SHARDS, shardNumber, slotOf, TermTable } from './termTable.ts';
import { Vocabulary } from './vocabulary.ts';
import {
  COMMON_AT_LEAST,
  COMMON_SHARE,
  GAINS,
  type Gains,
  LENGTH_POWER,
  QUERY_POSTINGS,
  RARITY_POWER,
} from './weights.ts';

/** Terms to look for, each with its weight. */
export interface WeightedTerms {
  terms: Uint32Array;
  weights: Float32Array;
}

/** The tail is merged when it has this share of the posts, within these bounds. */
const TAIL_SHARE = 1 / 8;
const TAIL_LEAST = 512;
const TAIL_MOST = 4096;
/** Weights are brought up to date when this share of the posts has come or gone since. */
const DRIFT = 0.1;
const POSTS_A_STEP = 64;
/** Rarities kept ready, by number of posts. */
const READY_RARITIES = 4096;

export class PostIndex {
  readonly catalogue = new Catalogue();
  readonly digests = new Digests();
  /** The post looked at last. */
  readonly reader = new TermReader();
  /** The post being asked from, kept while others are compared with it. */
  readonly asked = new TermReader();
  /** A post compared with some others. */
  readonly compared = new TermReader();
  private readonly vocabulary = new Vocabulary();
  private readonly seen = new SeenTerms();
  private readonly table = new TermTable();
  private readonly lists: Uint8Array[] = Array.from({ length: SHARDS }, () => new Uint8Array(1));
  /** Postings of posts not in the main part: while merging, those being merged come first. */
  private tails: Tail[] = [new Tail()];
  /** How many shards hold the merged tail already, while merging. */
  private exchanged = 0;
  /** Posts that came since the merge under way began; undefined when none is. */
  private newcomers: Set<number> | undefined;
  /** Numbers of removed posts that postings may still name. */
  private dead: number[] = [];
  private stocked = 0;
  private sums: Sums = { values: new Float32Array(0), touched: new Uint32Array(0), count: 0 };
  /** Posts that came or went since all were weighed. */
  private changes = 0;
  private readonly rarities = new Float64Array(READY_RARITIES);
  private raritiesAt = -1;
  /** How the closest posts are judged again. */
  gains: Gains;

  constructor(gains: Gains = GAINS) {
    this.gains = gains;
  }

  get size(): number {
    return this.catalogue.count;
  }

  /** Adds a post or replaces the one at its URL. */
  put(post: IndexedPost): void {
    this.take(post, true);
  }

  /** As `put`, for loading many: the post is found after the next `tidy`, and costs less until then. */
  stock(post: IndexedPost): void {
    this.take(post, false);
  }

  /** @returns false when there is no such post. */
  remove(url: string): boolean {
    const number = this.catalogue.find(url);
    if (number < 0) return false;
    this.drop(number);
    return true;
  }

  /** In how many posts a term stands; 1 for a term of one post and for one never met. */
  postsWith(term: number): number {
    const shard = this.table.shardOf(term);
    return Math.max(1, shard.posts[slotOf(shard, term)]!);
  }

  /** How much a term tells: the fewer posts have it, the more. */
  rarity(posts: number): number {
    if (posts >= READY_RARITIES) return Math.log(1 + this.size / posts) ** RARITY_POWER;
    if (this.raritiesAt !== this.size) {
      this.rarities.fill(0);
      this.raritiesAt = this.size;
    }
    this.rarities[posts] ||= Math.log(1 + this.size / posts) ** RARITY_POWER;
    return this.rarities[posts]!;
  }

  /** A term in more posts than this is not looked for. */
  get common(): number {
    return Math.max(COMMON_AT_LEAST, this.size * COMMON_SHARE);
  }

  /**
   * For every post, the sum of weight × √frequency over the terms it has. The sums are
   * good until the next call.
   * @param most Postings read at most: the first terms are the ones that must count.
   */
  addUp({ terms, weights }: WeightedTerms, most = QUERY_POSTINGS): Sums {
    const { size } = this.catalogue;
    if (this.sums.values.length < size) {
      const room = Math.ceil(size * 1.25);
      this.sums = { values: new Float32Array(room), touched: new Uint32Array(room), count: 0 };
    }
    const { sums } = this;
    for (let i = 0; i < sums.count; i++) sums.values[sums.touched[i]!] = 0;
    sums.count = 0;
    let postings = 0;
    for (let i = 0; i < terms.length && postings < most; i++) {
      const term = terms[i]!;
      const shard = this.table.shardOf(term);
      const slot = slotOf(shard, term);
      postings += shard.posts[slot]!;
      const head = shard.heads[slot]!;
      if (head !== 0) addList(this.lists[shardNumber(term)]!, head, weights[i]!, sums);
      // A shard that is exchanged holds the older tail already.
      const oldest = shardNumber(term) < this.exchanged ? 1 : 0;
      for (let at = oldest; at < this.tails.length; at++) this.tails[at]!.addUp(term, weights[i]!, sums);
    }
    return sums;
  }

  /** Background work, a few milliseconds between two yields; none when there is nothing to gain. */
  *tidy(): Generator<void> {
    if (this.newcomers) return;
    const limit = Math.min(TAIL_MOST, Math.max(TAIL_LEAST, this.size * TAIL_SHARE));
    if (this.stocked > 0 || this.tails[0]!.posts >= limit || this.dead.length >= limit) {
      yield* this.mergeTail();
      if (this.digests.sparse) yield* this.digests.compact();
    } else if (this.changes > this.size * DRIFT) {
      yield* this.weighAll();
    }
  }

  /** Bytes of the typed arrays, by part. */
  get bytes(): Record<'digests' | 'words' | 'terms' | 'seen' | 'main' | 'tail', number> {
    return {
      digests: this.digests.bytes,
      words: this.vocabulary.bytes,
      terms: this.table.bytes,
      seen: this.seen.bytes,
      main: this.lists.reduce((sum, list) => sum + list.length, 0),
      tail: this.tails.reduce((sum, tail) => sum + tail.bytes, 0),
    };
  }

  private take(post: IndexedPost, atOnce: boolean): void {
    const { catalogue, digests, reader } = this;
    const bytes = digest(post, this.vocabulary);
    const known = catalogue.find(post.url);
    if (known >= 0) {
      const { page, start, end } = digests.place(known);
      if (sameBytes(page.subarray(start, end), bytes)) {
        catalogue.describe(known, post);
        return;
      }
      this.drop(known);
    }
    const number = catalogue.add(post);
    this.changes++;
    digests.set(number, bytes);
    reader.read({ page: bytes, start: 0, end: bytes.length });
    this.count();
    fingerprint(reader, catalogue.prints, number * 2);
    this.newcomers?.add(number);
    if (!atOnce) {
      this.stocked++;
      return;
    }
    const { terms, frequencies, count } = reader;
    const tail = this.tails.at(-1)!;
    for (let i = 0; i < count; i++) tail.add(terms[i]!, number, frequencies[i]!);
    tail.posts++;
    this.weigh(number, this.norm());
  }

  /** Counts the terms of the post just read. */
  private count(): void {
    const { terms, count } = this.reader;
    for (let i = 0; i < count; i++) {
      const term = terms[i]!;
      const shard = this.table.shardOf(term);
      const slot = slotOf(shard, term);
      if (shard.keys[slot] !== 0) shard.posts[slot]!++;
      else if (this.seen.meet(term)) {
        const claimed = this.table.claim(term);
        this.table.shardOf(term).posts[claimed] = 2;
      }
    }
  }

  private drop(number: number): void {
    const { terms, count } = this.reader.read(this.digests.place(number));
    for (let i = 0; i < count; i++) {
      const shard = this.table.shardOf(terms[i]!);
      const slot = slotOf(shard, terms[i]!);
      if (shard.posts[slot]! > 0) shard.posts[slot]!--;
    }
    this.digests.remove(number);
    this.catalogue.remove(number);
    this.dead.push(number);
    this.changes++;
  }

  private *mergeTail(): Generator<void> {
    const newcomers = new Set<number>();
    const leaving = this.dead;
    this.newcomers = newcomers;
    this.dead = [];
    this.stocked = 0;
    this.tails.push(new Tail());
    this.changes = 0;
    yield* merge({
      table: this.table,
      lists: this.lists,
      digests: this.digests,
      reader: this.reader,
      size: this.catalogue.size,
      isNew: (post) => newcomers.has(post),
      common: this.common,
      rarity: (posts) => this.rarity(posts),
      exchanged: (shards) => {
        this.exchanged = shards;
      },
      weighed: (post, norm) => this.weigh(post, norm),
    });
    this.tails.shift();
    this.exchanged = 0;
    this.newcomers = undefined;
    this.catalogue.release(leaving);
  }

  private *weighAll(): Generator<void> {
    this.changes = 0;
    for (let number = 0; number < this.catalogue.size; number++) {
      if (this.digests.has(number)) {
        this.reader.read(this.digests.place(number));
        this.weigh(number, this.norm());
      }
      if (number % POSTS_A_STEP === POSTS_A_STEP - 1) yield;
    }
  }

  private weigh(number: number, norm: number): void {
    this.catalogue.norms[number] = norm;
    this.catalogue.divisors[number] = norm ** LENGTH_POWER;
  }

  /** Length of the vector of the post just read, over all its terms. */
  private norm(): number {
    const { terms, frequencies, count } = this.reader;
    let squares = 0;
    for (let i = 0; i < count; i++) squares += frequencies[i]! * this.rarity(this.postsWith(terms[i]!)) ** 2;
    return Math.sqrt(squares);
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
