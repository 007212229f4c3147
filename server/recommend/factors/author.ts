// Ranking factor: an author in common.

import { bitsOf } from '../../textindex/catalogue.ts';
import type { PostIndex } from '../../textindex/postIndex.ts';
import { defineFactor, type Effect, NO_EFFECT } from './factor.ts';

const GAINS = { author: 0.2 };

export const author = defineFactor({
  name: 'author',
  description: 'At least 1: an author in common.',
  cost: 'cheap',
  gains: GAINS,
  fitted: { author: 'gain' },
  of: ({ index, post }, gains) => (post < 0 ? NO_EFFECT : authorEffect(index, post, gains.author)),
});

export function authorEffect({ catalogue }: PostIndex, post: number, gain = GAINS.author): Effect {
  const { authorsOf, nameBits } = catalogue;
  const authors = authorsOf[post];
  if (!authors?.length) return NO_EFFECT;
  const bits = bitsOf(authors);
  return {
    of: (number) => {
      if ((nameBits[number * 2]! & bits) === 0) return 1;
      for (const one of authorsOf[number] ?? []) if (authors.includes(one)) return 1 + gain;
      return 1;
    },
    max: 1 + gain,
    bound: (number) => ((nameBits[number * 2]! & bits) === 0 ? 1 : 1 + gain),
  };
}
