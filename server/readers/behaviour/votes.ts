// Votes for posts, added up in typed arrays that are used again for every question.

export class Votes {
  values = new Float32Array(64);
  /** How many votes each post has: of one session at most one. */
  voters = new Uint16Array(64);
  /** Posts that have a vote, `count` of them, in no order. */
  touched = new Uint32Array(64);
  count = 0;

  /** Clears all votes, and makes room for posts with numbers below `size`. */
  clear(size: number): this {
    for (let i = 0; i < this.count; i++) {
      this.values[this.touched[i]!] = 0;
      this.voters[this.touched[i]!] = 0;
    }
    this.count = 0;
    if (size > this.values.length) {
      this.values = new Float32Array(size * 2);
      this.voters = new Uint16Array(size * 2);
      this.touched = new Uint32Array(size * 2);
    }
    return this;
  }

  /** @param vote More than 0. */
  add(post: number, vote: number): void {
    if (this.values[post] === 0) this.touched[this.count++] = post;
    this.values[post]! += vote;
    this.voters[post]!++;
  }

  /** Adds other votes in, measured against the loudest of them. */
  addShare(others: Votes, share: number): void {
    if (share === 0) return;
    let most = 0;
    for (let i = 0; i < others.count; i++) most = Math.max(most, others.values[others.touched[i]!]!);
    for (let i = 0; i < others.count; i++) {
      const post = others.touched[i]!;
      const before = this.voters[post]!;
      this.add(post, (others.values[post]! / most) * share);
      this.voters[post] = Math.max(before, others.voters[post]!);
    }
  }
}
