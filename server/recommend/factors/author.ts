// Ranking factor: an author in common.

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
  const { authorsOf } = catalogue;
  const authors = authorsOf[post];
  if (!authors?.length) return NO_EFFECT;
  return {
    of: (number) => {
      for (const one of authorsOf[number] ?? []) if (authors.includes(one)) return 1 + gain;
      return 1;
    },
    max: 1 + gain,
  };
}
