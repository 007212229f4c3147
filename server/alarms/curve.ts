// Usual page views as a curve over time, from sums by quarters of an hour. Pure.
import { QUARTER } from '../durations.ts';
import { sameTimesBefore, type Usual, usualOf, WEEKS } from './usual.ts';

export interface Curve {
  /** Page views that are usual between two instants. */
  between(start: number, end: number): Usual;
  /** Weeks with traffic, of which it is made. */
  weeks: number;
}

/** With fewer weeks there is no usual value. */
export const LEAST_WEEKS = 3;

/** Of events that are kept for fewer days nothing ever is: a curve begins before midnight of its first day. */
export const LEAST_KEPT_DAYS = LEAST_WEEKS * 7 + 1;

/** The days that a site keeps events for, where these are too few; null: they are enough. */
export const tooFewDays = (keepEvents: number | undefined): number | null =>
  keepEvents !== undefined && keepEvents < LEAST_KEPT_DAYS ? keepEvents : null;

/** A quarter of an hour, and the same one of the weeks before, each as a number of quarters since 1970. */
export interface QuarterOfWeeks {
  quarter: number;
  before: readonly number[];
}

/** The quarters that a curve from one instant to another takes. */
export function quartersFor(start: number, end: number, zone: string): QuarterOfWeeks[] {
  // One more on each side for the line between two middles, and one for smoothing.
  const first = Math.floor(start / QUARTER) - 2;
  const last = Math.floor(end / QUARTER) + 2;
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const quarter = first + at;
    return { quarter, before: sameTimesBefore(quarter * QUARTER, zone).map((time) => Math.floor(time / QUARTER)) };
  });
}

/** The weeks, from 0 on, with any view in these quarters; without one the tag was not there, or was silent. */
export const weeksWithViews = (quarters: readonly QuarterOfWeeks[], views: ReadonlyMap<number, number>): number[] =>
  Array.from({ length: WEEKS }, (_, week) => week).filter((week) =>
    quarters.some(({ before }) => (views.get(before[week]!) ?? 0) > 0),
  );

/**
 * @param views By quarter since 1970; what is missing had none.
 * @param weeks That count. Default: those with views in these quarters.
 * @returns undefined where fewer than three weeks count.
 */
export function createCurve(
  quarters: readonly QuarterOfWeeks[],
  views: ReadonlyMap<number, number>,
  weeks: readonly number[] = weeksWithViews(quarters, views),
): Curve | undefined {
  if (weeks.length < LEAST_WEEKS) return undefined;
  const of = (quarter: number): number => views.get(quarter) ?? 0;
  /** Few views scatter: neighbours count half. */
  const smoothed = (quarter: number): number => (of(quarter - 1) + 2 * of(quarter) + of(quarter + 1)) / 4;
  const usual = new Map(
    quarters.map(({ quarter, before }) => [quarter, usualOf(weeks.map((week) => smoothed(before[week]!)))!]),
  );
  return {
    weeks: weeks.length,
    between(start, end) {
      const sum: Usual = { median: 0, low: 0, high: 0 };
      for (let from = start; from < end; ) {
        const until = Math.min(nextMiddle(from), end);
        addAt(sum, usual, { instant: (from + until) / 2, share: (until - from) / QUARTER });
        from = until;
      }
      return sum;
    },
  };
}

/** The middle of a quarter after an instant: the curve is a line between two of them. */
const nextMiddle = (instant: number): number => (Math.floor(instant / QUARTER - 0.5) + 1.5) * QUARTER;

/** Adds a share of the views of a quarter of an hour as they are at an instant, on the line between two middles. */
function addAt(
  sum: Usual,
  usual: ReadonlyMap<number, Usual>,
  { instant, share }: { instant: number; share: number },
): void {
  const place = instant / QUARTER - 0.5;
  const before = Math.floor(place);
  add(sum, usual.get(before), (before + 1 - place) * share);
  add(sum, usual.get(before + 1), (place - before) * share);
}

function add(sum: Usual, added: Usual | undefined, share: number): void {
  if (added === undefined) return;
  sum.median += added.median * share;
  sum.low += added.low * share;
  sum.high += added.high * share;
}
