// Votes for posts, added up in typed arrays that are reused for every query.

import { float32At, uint16At } from '../../textindex/typedReads.ts';

export class Votes {
  private values = new Float32Array(64);
  /** How many votes each post has: of one session at most one. */
  private voters = new Uint16Array(64);
  private touched = new Uint32Array(64);
  private count = 0;

  /** Clears all votes, and makes room for posts with numbers below `size`. */
  clear(size: number): this {
    for (const post of this.posts()) {
      this.values[post] = 0;
      this.voters[post] = 0;
    }
    this.count = 0;
    if (size > this.values.length) {
      this.values = new Float32Array(size * 2);
      this.voters = new Uint16Array(size * 2);
      this.touched = new Uint32Array(size * 2);
    }
    return this;
  }

  /** Posts that have a vote, in no order. */
  posts(): Uint32Array {
    return this.touched.subarray(0, this.count);
  }

  /** The votes of a post, added up; 0 where it has none. */
  of(post: number): number {
    return float32At(this.values, post);
  }

  /** How many votes a post has. */
  votersOf(post: number): number {
    return uint16At(this.voters, post);
  }

  /** @param vote Not below 0. One that underflows a Float32, as the decayed vote of an old visit may, is left out. */
  add(post: number, vote: number): void {
    if (Math.fround(vote) === 0) return;
    const before = this.of(post);
    if (before === 0) this.touched[this.count++] = post;
    this.values[post] = before + vote;
    this.voters[post] = this.votersOf(post) + 1;
  }

  /** Adds other votes in, as shares of the highest of them. */
  addShare(others: Votes, share: number): void {
    if (share === 0) return;
    let most = 0;
    for (const post of others.posts()) most = Math.max(most, others.of(post));
    for (const post of others.posts()) {
      const before = this.votersOf(post);
      this.add(post, (others.of(post) / most) * share);
      if (this.of(post) > 0) this.voters[post] = Math.max(before, others.votersOf(post));
    }
  }
}
