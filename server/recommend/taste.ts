// What a visitor likes: the posts read lately, added up into one vector, the newest weighing most. Themes that come back
// add up; kept apart post by post, the same visits predicted what is read next less well.

import type { PostIndex } from './postIndex.ts';
import { ROOTS } from './postings.ts';
import { heaviest, type Probe, type Weighted } from './vectors.ts';
import { TASTE_DECAY, TASTE_TERMS } from './weights.ts';

/** @param read Numbers of posts, newest first. */
export function tasteOf(index: PostIndex, read: readonly number[]): Probe {
  const { common } = index;
  const sum = new Map<number, Weighted>();
  let share = 1;
  for (const number of read) {
    const { terms, frequencies, count } = index.reader.read(index.digests.place(number));
    const norm = index.catalogue.norms[number]! || 1;
    for (let i = 0; i < count; i++) {
      const posts = index.postsWith(terms[i]!);
      if (posts < 2 || posts > common) continue;
      const rarity = index.rarity(posts);
      const weight = (share * ROOTS[frequencies[i]!]! * rarity) / norm;
      const known = sum.get(terms[i]!);
      if (known) known.weight += weight;
      else sum.set(terms[i]!, { term: terms[i]!, weight, rarity });
    }
    share *= TASTE_DECAY;
  }
  const kept = [...sum.values()];
  const length = Math.sqrt(kept.reduce((squares, { weight }) => squares + weight * weight, 0));
  return { looked: heaviest(kept, { most: TASTE_TERMS, length }), distinct: kept.length };
}
