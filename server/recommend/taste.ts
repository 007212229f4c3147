// A visitor's taste: the posts read lately, added up into one vector, the newest weighing most. Recurring themes add
// up; compared post by post instead, the same visits predicted the next read less well.

import { at } from '../at.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import { rootOf } from '../textindex/postings.ts';
import { uint8At, uint32At } from '../textindex/typedReads.ts';
import type { QueryVector } from './queryVector.ts';
import { TASTE_DECAY, TASTE_TERMS } from './weights.ts';
import type { DistinctiveTerms, Workspace } from './workspace.ts';

/** @param read Numbers of posts, newest first. */
export function vectorOfTaste(index: PostIndex, workspace: Workspace, read: readonly number[]): QueryVector {
  const { termSum } = workspace;
  termSum.clear();
  let share = 1;
  for (const number of read) {
    const { terms, frequencies, posts } = distinctiveTerms(index, workspace, number);
    const norm = at(index.catalogue.norms, number) || 1;
    termSum.makeRoom(terms.length);
    for (let i = 0; i < terms.length; i++) {
      const rarity = index.statistics.rarity(uint32At(posts, i));
      const root = rootOf(uint8At(frequencies, i));
      termSum.add(uint32At(terms, i), (share * root * rarity) / norm, rarity);
    }
    share *= TASTE_DECAY;
  }
  const { terms } = termSum;
  let squares = 0;
  for (const weight of terms.weights.subarray(0, terms.count)) squares += weight ** 2;
  return { heaviest: terms.heaviest({ most: TASTE_TERMS, length: Math.sqrt(squares) }), distinct: terms.count };
}

/** Posts whose terms an LRU cache holds, some ten kilobytes each: most readers have read what others have. */
const CACHED = 256;

function distinctiveTerms(index: PostIndex, workspace: Workspace, number: number): DistinctiveTerms {
  const { terms: cache } = workspace.cachesOf(index);
  const known = cache.get(number) ?? readTerms(index, workspace, number);
  cache.delete(number);
  cache.set(number, known);
  const [oldest = number] = cache.keys();
  if (cache.size > CACHED) cache.delete(oldest);
  return known;
}

function readTerms(index: PostIndex, { reader }: Workspace, number: number): DistinctiveTerms {
  const { common } = index.statistics;
  const { terms, frequencies, count } = reader.read(index.post(number));
  const posts = new Uint32Array(count);
  index.statistics.postsOf(reader, posts);
  const places: number[] = [];
  for (const [place, often] of posts.entries()) if (often >= 2 && often <= common) places.push(place);
  return {
    terms: Uint32Array.from(places, (place) => at(terms, place)),
    frequencies: Uint8Array.from(places, (place) => at(frequencies, place)),
    posts: Uint32Array.from(places, (place) => at(posts, place)),
  };
}
