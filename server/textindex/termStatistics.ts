// In how many posts terms stand, and how much that makes them weigh.

import type { Catalogue } from './catalogue.ts';
import { Rarities } from './rarities.ts';
import { COMMON_AT_LEAST, COMMON_SHARE } from './settings.ts';
import type { TermCounts } from './termCounts.ts';
import type { TermReader } from './termReader.ts';

export class TermStatistics {
  private readonly counts: TermCounts;
  private readonly catalogue: Catalogue;
  private readonly rarities = new Rarities();

  constructor(counts: TermCounts, catalogue: Catalogue) {
    this.counts = counts;
    this.catalogue = catalogue;
  }

  /** In how many posts a term stands; 1 for a term of one post and for an unknown one. */
  postsWith(term: number): number {
    return this.counts.posts(term);
  }

  /** `postsWith` of all terms of a post at once, which takes a fraction of the time. @param into Overwritten. */
  postsOf(terms: Pick<TermReader, 'terms' | 'count'>, into: Uint32Array): void {
    this.counts.postsOf(terms, into);
  }

  /** The weight of a term that stands in so many posts: the fewer, the higher. */
  rarity(posts: number): number {
    return this.rarities.of(posts, this.catalogue.count);
  }

  /** The weight of a term. */
  rarityOf(term: number): number {
    return this.rarity(this.postsWith(term));
  }

  /** `rarity` of the first `count` numbers at once. @param into Overwritten. */
  raritiesOf(posts: Uint32Array, count: number, into: Float64Array): void {
    this.rarities.ofAll(posts, { count, size: this.catalogue.count, into });
  }

  /** A term in more posts than this has no postings, and is left out of query vectors. */
  get common(): number {
    return Math.max(COMMON_AT_LEAST, this.catalogue.count * COMMON_SHARE);
  }
}
