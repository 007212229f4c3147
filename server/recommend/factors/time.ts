// Ranking factor: publication dates. Posts of the same weeks, and of the same year, belong together: a season, a
// launch, a series. How much so differs from site to site four times over, so the site says it itself (`DateGaps`):
// where posts of a day share a subject seventy times as often as any two, the nearest in time come first. Time counts
// more the fewer words the post has: they say less.

import { DAY } from '../../durations.ts';
import type { Query } from '../query.ts';
import { defineFactor } from './factor.ts';

const GAINS = { timePower: 0.45 };

/** The gain is that of a post of so many distinct terms; of others it is multiplied by their ratio ^ a power. */
const USUAL_TERMS = 1000;
const LENGTH_POWER = 0.25;
/** … up to this: the ratio of the site itself, or nearly so. */
const MOST = 2;
/** Where a date is unknown. */
const UNKNOWN_DAYS = 365;
/** Of a visitor of several interests the visits before the newest count too, each step back less. */
const MOMENTS = 6;
const MOMENT_DECAY = 0.75;

export const time = defineFactor({
  name: 'time',
  description: 'At most 1: less the further apart they came out.',
  cost: 'cheap',
  gains: GAINS,
  fitted: { timePower: 'power' },
  of(query, gains) {
    const { index, workspace } = query;
    const { pubDates } = index.catalogue;
    const moments = Float64Array.from(momentsOf(query), (post) => pubDates[post] ?? Number.NaN);
    const kernel = workspace.cachesOf(index).kernelOf(index.survey.dateGaps);
    const power = gains.timePower * weightOf(query);
    const closest = (number: number, effectOf: (days: number) => number) =>
      closestIn(moments, pubDates[number]!, effectOf);
    const of = (days: number) => kernel.of(days, power);
    const bound = (days: number) => kernel.bound(days, power);
    return { of: (number) => closest(number, of), max: 1, bound: (number) => closest(number, bound) };
  },
});

/** A visitor's taste has the words of many posts. */
function weightOf({ post, vector }: Query): number {
  if (post < 0 || !vector) return 1;
  return Math.min(MOST, (USUAL_TERMS / Math.max(1, vector.distinct)) ** LENGTH_POWER);
}

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
    const days = Math.abs(date - moments[i]!) / DAY;
    most = Math.max(most, share * effectOf(Number.isNaN(days) ? UNKNOWN_DAYS : days));
    share *= MOMENT_DECAY;
  }
  return most;
}
