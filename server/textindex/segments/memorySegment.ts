// The memory segment: postings of the posts that came since the main segment was made, as chains in typed arrays.

import { packed, rootOf } from '../postings.ts';
import type { TermReader } from '../termReader.ts';
import { slotOf, TermTable } from '../termTable.ts';
import { uint8At, uint32At } from '../typedReads.ts';

/** Two to this power postings a page: growing never copies what is there. */
const PAGE_BITS = 14;
const PAGE = 1 << PAGE_BITS;
const OFFSET = PAGE - 1;

/** A memory segment is merged when it has this share of the posts, within these bounds. */
const SHARE = 1 / 8;
const LEAST = 512;
const MOST = 4096;

/** How many posts a memory segment may have, of so many, before it is merged. */
export const memorySegmentLimit = (posts: number): number => Math.min(MOST, Math.max(LEAST, posts * SHARE));

export class MemorySegment {
  /** Numbers of the posts put, those meanwhile removed included. */
  readonly posts = new Set<number>();
  private readonly table = new TermTable();
  private readonly packed: Uint32Array[] = [new Uint32Array(PAGE)];
  /** Next link of a chain; 0 at its end. */
  private readonly next: Uint32Array[] = [new Uint32Array(PAGE)];
  private used = 1;

  /** Adds a post with the terms just read. */
  put(post: number, { terms, frequencies, count }: TermReader): void {
    for (let i = 0; i < count; i++) this.add(uint32At(terms, i), post, uint8At(frequencies, i));
    this.posts.add(post);
  }

  add(term: number, post: number, frequency: number): void {
    if (this.used === this.packed.length * PAGE) {
      this.packed.push(new Uint32Array(PAGE));
      this.next.push(new Uint32Array(PAGE));
    }
    const slot = this.table.claim(term);
    const { heads } = this.table.shardOf(term);
    this.packed[this.used >>> PAGE_BITS]![this.used & OFFSET] = packed(post, frequency);
    this.next[this.used >>> PAGE_BITS]![this.used & OFFSET] = heads[slot]!;
    heads[slot] = this.used++;
  }

  has(term: number): boolean {
    return this.headOf(term) !== 0;
  }

  /** Adds weight × √frequency to the sum of every post with a term. */
  addUp(term: number, weight: number, sums: Float32Array): void {
    if (this.used === 1) return;
    for (let at = this.headOf(term); at !== 0; at = this.next[at >>> PAGE_BITS]![at & OFFSET]!) {
      const posting = this.packed[at >>> PAGE_BITS]![at & OFFSET]!;
      sums[posting >>> 8]! += weight * rootOf(posting & 255);
    }
  }

  /** Appends the packed postings of a term, in no order. */
  unpack(term: number, to: number[]): void {
    for (let at = this.headOf(term); at !== 0; at = this.next[at >>> PAGE_BITS]![at & OFFSET]!) {
      to.push(this.packed[at >>> PAGE_BITS]![at & OFFSET]!);
    }
  }

  /** Postings of a term, of posts that are still there. */
  count(term: number, has: (post: number) => boolean): number {
    if (this.used === 1) return 0;
    let count = 0;
    for (let at = this.headOf(term); at !== 0; at = this.next[at >>> PAGE_BITS]![at & OFFSET]!)
      if (has(this.packed[at >>> PAGE_BITS]![at & OFFSET]! >>> 8)) count++;
    return count;
  }

  get bytes(): number {
    return this.table.bytes + this.packed.length * PAGE * 8;
  }

  private headOf(term: number): number {
    const shard = this.table.shardOf(term);
    return shard.heads[slotOf(shard, term)]!;
  }
}
