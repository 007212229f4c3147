// In how many posts each term stands. Terms of one post only have no place here: most of a site's are.

import { BloomFilter } from './bloomFilter.ts';
import { POST_TERMS } from './settings.ts';
import type { TermReader } from './termReader.ts';
import { homeOf, shardNumber, slotOf, TermTable } from './termTable.ts';
import { uint32At } from './typedReads.ts';

/** Keys of the home slots, used within one call only. */
const found = new Uint32Array(POST_TERMS);

export class TermCounts {
  readonly seen = new BloomFilter();
  readonly table = new TermTable();
  /** Terms met for the second time since the last merge, where the first post has no posting of them. */
  orphans = new TermTable();

  /** 1 for a term of one post and for one never met. */
  posts(term: number): number {
    const shard = this.table.shardOf(term);
    return Math.max(1, uint32At(shard.posts, slotOf(shard, term)));
  }

  /**
   * `posts` of many terms, all at once: that is several times quicker. Tables are large, and memory answers many
   * questions in the time of one if none of them waits for another.
   */
  postsOf({ terms, count }: Pick<TermReader, 'terms' | 'count'>, posts: Uint32Array): void {
    const { shards } = this.table;
    for (let i = 0; i < count; i++) {
      const term = terms[i]!;
      const shard = shards[shardNumber(term)]!;
      const home = homeOf(term || 1, shard.keys.length);
      found[i] = shard.keys[home]!;
      posts[i] = shard.posts[home]!;
    }
    for (let i = 0; i < count; i++) {
      const term = terms[i]!;
      if (found[i] === (term || 1)) posts[i] = Math.max(1, posts[i]!);
      else posts[i] = found[i] === 0 ? 1 : this.posts(term);
    }
  }

  /**
   * Where the postings of many terms begin in the main segment (0: nowhere) and in how many posts each stands (0: one),
   * all at once for the same reason.
   */
  placesOf(terms: Uint32Array): { heads: Uint32Array; posts: Uint32Array } {
    const { shards } = this.table;
    const heads = new Uint32Array(terms.length);
    const posts = new Uint32Array(terms.length);
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]!;
      const shard = shards[shardNumber(term)]!;
      const home = homeOf(term || 1, shard.keys.length);
      found[i] = shard.keys[home]!;
      heads[i] = shard.heads[home]!;
      posts[i] = shard.posts[home]!;
    }
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]!;
      if (found[i] === (term || 1) || found[i] === 0) continue;
      const shard = this.table.shardOf(term);
      const slot = slotOf(shard, term);
      heads[i] = shard.heads[slot]!;
      posts[i] = shard.posts[slot]!;
    }
    return { heads, posts };
  }

  /**
   * Counts the terms of a post.
   * @param isPosted Whether a term has a posting outside of the main segment, or will get one.
   */
  count({ terms, count }: TermReader, isPosted: (term: number) => boolean): void {
    for (const term of terms.subarray(0, count)) {
      const shard = this.table.shardOf(term);
      const slot = slotOf(shard, term);
      if (shard.keys[slot] !== 0) shard.posts[slot]!++;
      else if (this.seen.meet(term)) {
        const claimed = this.table.claim(term);
        this.table.shardOf(term).posts[claimed] = 2;
        if (!isPosted(term)) this.orphans.claim(term);
      }
    }
  }

  /**
   * As if `count` had met a term in as many posts more. Its postings are all being brought together: it is no orphan.
   */
  countMany(term: number, posts: number): void {
    const { table, seen } = this;
    const shard = table.shardOf(term);
    const slot = slotOf(shard, term);
    if (shard.keys[slot] !== 0) {
      shard.posts[slot]! += posts;
      return;
    }
    const all = seen.meet(term) ? posts + 1 : posts;
    if (all === 1) return;
    const claimed = table.claim(term);
    table.shardOf(term).posts[claimed] = all;
  }

  /** In how many posts a term would stand after `countMany`; -1 where it would have no place here. */
  withMore(term: number, posts: number): number {
    const shard = this.table.shardOf(term);
    const slot = slotOf(shard, term);
    if (shard.keys[slot] !== 0) return uint32At(shard.posts, slot) + posts;
    const all = posts > 0 && this.seen.met(term) ? posts + 1 : posts;
    return all > 1 ? all : -1;
  }

  /** Takes the terms of a post out again. @param shards Those in which it was counted: so many, from the first on. */
  uncount({ terms, count }: TermReader, shards: number): void {
    for (const term of terms.subarray(0, count)) {
      if (shardNumber(term) >= shards) continue;
      const shard = this.table.shardOf(term);
      const slot = slotOf(shard, term);
      if (shard.posts[slot] !== 0) shard.posts[slot]!--;
    }
  }

  get bytes(): number {
    return this.table.bytes + this.orphans.bytes;
  }
}
