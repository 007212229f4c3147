// Shares of a few posts, by number: an array as long as a site has posts, in which only those of the query before are
// cleared.

import { GrowingArray } from '../textindex/growingArray.ts';

export interface Share {
  /** Of the post. */
  number: number;
  /** At most 1. */
  share: number;
}

export class Shares {
  private readonly array = new GrowingArray(Float64Array);
  private written: readonly Share[] = [];

  /**
   * @param size Numbers of posts are below it.
   * @returns 0 for all other posts; valid until the next call.
   */
  fill(size: number, shares: readonly Share[]): Float64Array {
    const array = this.array.of(size);
    for (const { number } of this.written) array[number] = 0;
    this.written = shares;
    for (const { number, share } of shares) array[number] = share;
    return array;
  }
}
