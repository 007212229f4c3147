// Lengths of posts as vectors of weighted terms: √frequency × rarity, over all terms of a post.

import type { Catalogue } from './catalogue.ts';
import type { ForwardIndex } from './forwardIndex.ts';
import type { TermReader } from './termReader.ts';
import type { TermStatistics } from './termStatistics.ts';

/** Posts weighed between two yields. */
const POSTS_A_STEP = 8;

/** Length of the vector of a post just read, over all its terms. */
export function lengthOf(statistics: TermStatistics, { terms, frequencies, count }: TermReader): number {
  let squares = 0;
  for (let i = 0; i < count; i++) squares += frequencies[i]! * statistics.rarityOf(terms[i]!) ** 2;
  return Math.sqrt(squares);
}

export interface Weighed {
  catalogue: Catalogue;
  forwardIndex: ForwardIndex;
  statistics: TermStatistics;
}

/** Updates the lengths of some posts in the catalogue, in steps of a millisecond or two. */
export function* weighAll(
  { catalogue, forwardIndex, statistics }: Weighed,
  reader: TermReader,
  numbers: Iterable<number>,
): Generator<void> {
  let weighed = 0;
  for (const number of numbers) {
    if (!forwardIndex.has(number)) continue;
    catalogue.weigh(number, lengthOf(statistics, reader.read(forwardIndex.place(number))));
    if (++weighed % POSTS_A_STEP === 0) yield;
  }
}
