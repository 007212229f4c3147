// Ranking factor: the next part of a series, and the one before.

import { defineFactor, NO_EFFECT } from './factor.ts';

const GAINS = {
  /** Of the next part; the one before gets half. */
  nextPart: 1,
};

export const series = defineFactor({
  name: 'series',
  description: 'Above 1 for the next part of a series, and the one before.',
  cost: 'cheap',
  gains: GAINS,
  fitted: {},
  of({ index, post }, gains) {
    if (post < 0) return undefined;
    const { frames } = index.catalogue;
    if (!frames.isPart(post)) return NO_EFFECT;
    const of = (number: number) => {
      const after = frames.partsAfter(number, post);
      if (after === 1) return 1 + gains.nextPart;
      return after === -1 ? 1 + gains.nextPart / 2 : 1;
    };
    return { of, max: 1 + gains.nextPart, bound: of };
  },
});
