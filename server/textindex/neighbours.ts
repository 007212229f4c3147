// The posts closest to a post in words, found in a fraction of the time that a query of a reader takes: by fewer terms
// and fewer postings. For what is learned of a whole site in the background.

import { at } from '../at.ts';
import type { Catalogue } from './catalogue.ts';
import type { ForwardEntry } from './forwardIndex.ts';
import { GrowingArray } from './growingArray.ts';
import { rootOf, type TermVector } from './postings.ts';
import { POST_TERMS } from './settings.ts';
import { TermReader } from './termReader.ts';
import type { TermStatistics } from './termStatistics.ts';
import { float32At, uint8At, uint32At } from './typedReads.ts';
import { WeighedTerms } from './weighedTerms.ts';

/** Heaviest terms that are looked for, and postings read at most. */
const TERMS = 100;
const POSTINGS = 10_000;

/** What of an index is read. */
export interface Searched {
  readonly catalogue: Catalogue;
  readonly statistics: TermStatistics;
  post(number: number): ForwardEntry;
  score(vector: TermVector, sums: Float32Array, options: { most: number }): Float32Array;
}

export interface Neighbour {
  number: number;
  /** Cosine over the terms looked for. */
  closeness: number;
}

export class NeighbourFinder {
  private readonly reader = new TermReader();
  private readonly weighed = new WeighedTerms(POST_TERMS);
  private readonly posts = new Uint32Array(POST_TERMS);
  private readonly sums = new GrowingArray(Float32Array);

  /** The closest posts that may be recommended, closest first; `most` of them at most. */
  closest(index: Searched, post: number, most: number): Neighbour[] {
    const { size, divisors, listed } = index.catalogue;
    const sums = index.score(this.vectorOf(index, post), this.sums.of(size), { most: POSTINGS });
    const found: Neighbour[] = [];
    let least = 0;
    for (let number = 0; number < size; number++) {
      const sum = sums[number]!;
      const divisor = divisors[number]!;
      if (sum <= least * divisor || listed[number] === 0 || number === post) continue;
      const closeness = sum / divisor;
      let place = found.length;
      while (place > 0 && at(found, place - 1).closeness < closeness) place--;
      found.splice(place, 0, { number, closeness });
      if (found.length > most) found.pop();
      if (found.length === most) least = at(found, most - 1).closeness;
    }
    return found;
  }

  private vectorOf(index: Searched, post: number): TermVector {
    const { catalogue, statistics } = index;
    const { weighed, posts } = this;
    const read = this.reader.read(index.post(post));
    statistics.postsOf(read, posts);
    const { common } = statistics;
    weighed.count = 0;
    for (let i = 0; i < read.count; i++) {
      const often = uint32At(posts, i);
      if (often < 2 || often > common) continue;
      const place = weighed.count++;
      const rarity = statistics.rarity(often);
      weighed.terms[place] = uint32At(read.terms, i);
      weighed.rarities[place] = rarity;
      weighed.weights[place] = rootOf(uint8At(read.frequencies, i)) * rarity;
    }
    return weighed.heaviest({ most: TERMS, length: float32At(catalogue.norms, post) });
  }
}
