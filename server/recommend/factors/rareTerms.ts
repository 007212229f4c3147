// Ranking factor: rare terms in common. A word or a pair of words that hardly any other post has, mostly a name, says
// that two posts are about one thing. The cosine adds such terms up one by one; that there are any at all says more.

import { closeness } from '../closeness.ts';
import { defineFactor } from './factor.ts';

const GAINS = { rareTerms: 0.3 };
/** The part of the cosine that rare terms make up, at which the effect is half of what it may be. */
const HALF = 0.01;

export const rareTerms = defineFactor({
  name: 'rareTerms',
  description: 'At least 1: terms in common that hardly any other post has.',
  cost: 'cheap',
  gains: GAINS,
  fitted: { rareTerms: 'gain' },
  of({ index, post, rareDotProducts }, gains) {
    if (post < 0) return undefined;
    const { norms } = index.catalogue;
    const of = (number: number) => {
      const product = rareDotProducts[number]!;
      if (product === 0) return 1;
      const part = closeness(product, norms[number]!);
      return 1 + (gains.rareTerms * part) / (part + HALF);
    };
    return { of, max: 1 + gains.rareTerms, bound: of };
  },
});
