// Ranking factor: what the visitor has read, beside a post being read.

import { closenesses } from '../closeness.ts';
import { defineFactor, NO_EFFECT } from './factor.ts';

export const taste = defineFactor({
  name: 'taste',
  description: 'What the reader likes.',
  cost: 'cheap',
  gains: { taste: 0.5 },
  fitted: {},
  of({ index, workspace, post, taste: vector }, gains) {
    if (post < 0 || !vector) return NO_EFFECT;
    const close = closenesses(index, workspace, vector);
    const of = (number: number) => 1 + (gains.taste * close.of(number)) / (close.most || 1);
    return { of, max: 1 + gains.taste, bound: of };
  },
});
