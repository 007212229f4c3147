// Ranking factor: similarity of the vectors that the operator brought.

import { at } from '../../at.ts';
import { defineFactor } from './factor.ts';

/**
 * The default gain, at a cosine of 1 around the site's mean. Small enough that vectors of pure noise (64 dimensions and
 * more) cost at most 0.003 nDCG; vectors that predict the links of editors gain 0.02 to 0.03.
 */
const GAIN = 0.5;

export const vectors = defineFactor({
  name: 'vectors',
  description: 'At least 1: alike in the vectors the operator brought.',
  cost: 'reads',
  gains: { vectors: GAIN },
  fitted: {},
  of({ index, post }, gains) {
    if (post < 0) return undefined;
    const { urls, embeddings } = index.catalogue;
    const alike = embeddings.alikeTo(at(urls, post));
    if (!alike) return undefined;
    // Only raises a score: whether two posts are unlike, their words decide.
    return {
      of: (number) => 1 + gains.vectors * Math.max(0, alike(at(urls, number))),
      max: 1 + gains.vectors,
    };
  },
});
