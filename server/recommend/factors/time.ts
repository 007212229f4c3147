// Ranking factor: publication dates. Posts of the same weeks, and of the same year, belong together: a season, a
// launch, a series. (1 + days / 30)^−0.3 has no scale of its own, so it serves daily news and a monthly blog alike;
// exponentials did not carry over.

import type { Query } from '../query.ts';
import { defineFactor } from './factor.ts';

const GAINS = { timePower: 0.3, timeDays: 30 };
type Gains = typeof GAINS;

const DAY_MS = 86_400_000;
/** Where a date is unknown. */
const UNKNOWN_DAYS = 365;
/** Of a visitor of several interests the visits before the newest count too, each step back less. */
const MOMENTS = 6;
const MOMENT_DECAY = 0.75;

/** Days in the table of upper bounds; beyond them the effect of the last day is the bound. */
const DAYS = 4096;
const boundsByDay = ({ timePower, timeDays }: Gains) =>
  Float64Array.from({ length: DAYS }, (_, day) => (1 + day / timeDays) ** -timePower);
const BOUNDS = boundsByDay(GAINS);

export const time = defineFactor({
  name: 'time',
  description: 'At most 1: less the further apart they came out.',
  cost: 'cheap',
  gains: GAINS,
  fitted: { timePower: 'power' },
  of(query, gains) {
    const { pubDates } = query.index.catalogue;
    const moments = Float64Array.from(momentsOf(query), (post) => pubDates[post] ?? Number.NaN);
    const byDay =
      gains.timePower === GAINS.timePower && gains.timeDays === GAINS.timeDays ? BOUNDS : boundsByDay(gains);
    return {
      of: (number) => closestIn(moments, pubDates[number]!, (days) => (1 + days / gains.timeDays) ** -gains.timePower),
      max: 1,
      bound: (number) => closestIn(moments, pubDates[number]!, (days) => byDay[Math.min(days, DAYS - 1) | 0]!),
    };
  },
});

/** The posts whose dates others are compared with, newest visit first. */
const momentsOf = ({ post, read }: Query): readonly number[] => (post >= 0 ? [post] : read.slice(0, MOMENTS));

/**
 * The highest over the moments, each step back less: a time between the times of two interests would be that of
 * neither.
 */
function closestIn(moments: Float64Array, date: number, effectOf: (days: number) => number): number {
  let most = 0;
  let share = 1;
  for (let i = 0; i < moments.length; i++) {
    const days = Math.abs(date - moments[i]!) / DAY_MS;
    most = Math.max(most, share * effectOf(Number.isNaN(days) ? UNKNOWN_DAYS : days));
    share *= MOMENT_DECAY;
  }
  return most;
}
