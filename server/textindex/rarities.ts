// Inverse document frequency: the fewer of a site's posts have a term, the higher its weight.

import { RARITY_POWER } from './settings.ts';

/** Kept ready up to this number of posts: few words of a big site are in more. */
const READY = 32_768;

export class Rarities {
  private readonly ready = new Float64Array(READY);
  private size = -1;

  /** @param posts How many posts have the term, of `size`. */
  of(posts: number, size: number): number {
    if (posts >= READY) return Math.log(1 + size / posts) ** RARITY_POWER;
    if (this.size !== size) {
      this.ready.fill(0);
      this.size = size;
    }
    const known = this.ready[posts];
    if (known) return known;
    const rarity = Math.log(1 + size / posts) ** RARITY_POWER;
    this.ready[posts] = rarity;
    return rarity;
  }

  /** Of many terms at once: numbers handed over one by one would each be an object. */
  ofAll(posts: Uint32Array, { count, size, into }: { count: number; size: number; into: Float64Array }): void {
    const { ready } = this;
    if (this.size !== size) this.of(1, size);
    for (let i = 0; i < count; i++) {
      const often = posts[i]!;
      into[i] = often < READY && ready[often] !== 0 ? ready[often]! : this.of(often, size);
    }
  }
}
