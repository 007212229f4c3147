// Postings of the posts that came since the main part was made: chains in typed arrays, ready at once.

import { packed, ROOTS, type Sums } from './postings.ts';
import { slotOf, TermTable } from './termTable.ts';

export class Tail {
  /** Posts added, those meanwhile removed included. */
  posts = 0;
  private readonly table = new TermTable();
  private packed = new Uint32Array(1024);
  /** Where a chain goes on; 0: it ends. */
  private next = new Uint32Array(1024);
  private used = 1;

  add(term: number, post: number, frequency: number): void {
    if (this.used === this.packed.length) this.grow();
    const slot = this.table.claim(term);
    const { heads } = this.table.shardOf(term);
    this.packed[this.used] = packed(post, frequency);
    this.next[this.used] = heads[slot]!;
    heads[slot] = this.used++;
  }

  /** Adds weight × √frequency to the sum of every post with a term. */
  addUp(term: number, weight: number, sums: Sums): void {
    const shard = this.table.shardOf(term);
    const { values, touched } = sums;
    for (let at = shard.heads[slotOf(shard, term)]!; at !== 0; at = this.next[at]!) {
      const post = this.packed[at]! >>> 8;
      if (values[post] === 0) touched[sums.count++] = post;
      values[post]! += weight * ROOTS[this.packed[at]! & 255]!;
    }
  }

  get bytes(): number {
    return this.table.bytes + this.packed.byteLength * 2;
  }

  private grow(): void {
    const size = this.packed.length * 2;
    const larger = new Uint32Array(size);
    larger.set(this.packed);
    this.packed = larger;
    const next = new Uint32Array(size);
    next.set(this.next);
    this.next = next;
  }
}
