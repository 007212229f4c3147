// Ranking factor: the age of a post, where the freshness dial asks for it. (1 + days / 30)^−dial halves a post of 30
// days at most, and has no scale of its own beyond that.

import { DAY } from '../../durations.ts';
import { defineFactor, NO_EFFECT } from './factor.ts';

/** Age of a post of unknown date, in days. */
const UNKNOWN_DAYS = 365;

export const freshness = defineFactor({
  name: 'freshness',
  description: 'At most 1: less the older the post, as the freshness dial asks.',
  cost: 'cheap',
  isDialled: true,
  gains: { freshnessDays: 30 },
  fitted: {},
  of({ index, dials, now }, gains) {
    if (dials.freshness === 0) return NO_EFFECT;
    const { pubDates } = index.catalogue;
    const of = (number: number) => {
      // Whole days, so that an answer stays the same for a day.
      const days = Math.floor((now - (pubDates[number] ?? Number.NaN)) / DAY);
      const age = Number.isNaN(days) ? UNKNOWN_DAYS : Math.max(0, days);
      return (1 + age / gains.freshnessDays) ** -dials.freshness;
    };
    return { of, max: 1, bound: of };
  },
});
