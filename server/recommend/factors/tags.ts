// Ranking factor: tags in common.

import { bitsOf } from '../../textindex/catalogue.ts';
import type { PostIndex } from '../../textindex/postIndex.ts';
import { defineFactor, type Effect, NO_EFFECT } from './factor.ts';

const GAINS = { tags: 0.5 };

export const tags = defineFactor({
  name: 'tags',
  description: 'At least 1: tags in common, the rare ones most.',
  cost: 'cheap',
  gains: GAINS,
  fitted: { tags: 'gain' },
  of: ({ index, post }, gains) => (post < 0 ? NO_EFFECT : tagsEffect(index, post, gains.tags)),
});

/** Cosine of the tags of two posts, weighed by rarity. */
export function tagsEffect({ catalogue }: PostIndex, post: number, gain = GAINS.tags): Effect {
  const { tagsOf, nameBits, tags: names, count } = catalogue;
  const weightOf = (tag: number) => Math.log(1 + count / Math.max(1, names.uses(tag))) ** 2;
  const mine = new Map(Array.from(tagsOf[post] ?? [], (tag) => [tag, weightOf(tag)]));
  let length = 0;
  for (const weight of mine.values()) length += weight;
  if (length === 0) return NO_EFFECT;
  const bits = bitsOf(mine.keys());
  const alike = (number: number) => {
    if ((nameBits[number * 2 + 1]! & bits) === 0) return 1;
    let shared = 0;
    let other = 0;
    for (const tag of tagsOf[number] ?? []) {
      const weight = mine.get(tag);
      shared += weight ?? 0;
      other += weight ?? weightOf(tag);
    }
    return shared === 0 ? 1 : 1 + (gain * shared) / Math.sqrt(length * other);
  };
  return {
    of: alike,
    max: 1 + gain,
    bound: (number) => ((nameBits[number * 2 + 1]! & bits) === 0 ? 1 : 1 + gain),
  };
}
