// Lengths of posts as vectors of weighted terms: √frequency × rarity, over all terms of a post.

import type { PostIndex } from './postIndex.ts';
import type { TermReader } from './termReader.ts';

/** Posts weighed between two yields. */
const POSTS_A_STEP = 8;

/** Length of the vector of a post just read, over all its terms. */
export function lengthOf(index: PostIndex, { terms, frequencies, count }: TermReader): number {
  let squares = 0;
  for (let i = 0; i < count; i++) squares += frequencies[i]! * index.rarity(index.postsWith(terms[i]!)) ** 2;
  return Math.sqrt(squares);
}

/** Updates the lengths of some posts in the catalogue, in steps of a millisecond or two. */
export function* weighAll(index: PostIndex, reader: TermReader, numbers: Iterable<number>): Generator<void> {
  let weighed = 0;
  for (const number of numbers) {
    if (!index.forwardIndex.has(number)) continue;
    index.catalogue.weigh(number, lengthOf(index, reader.read(index.forwardIndex.place(number))));
    if (++weighed % POSTS_A_STEP === 0) yield;
  }
}
