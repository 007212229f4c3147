// What is usual for a weekday and hour of a site: for the figures of the last minutes, and for each quarter of an hour
// of the day. Read from the last eight weeks, a week after the other, so that no other site waits for it.
import {
  type Curve,
  createCurve,
  LEAST_WEEKS,
  type QuarterOfWeeks,
  quartersFor,
  weeksWithViews,
} from '../alarms/curve.ts';
import { sameTimesBefore, type Usual, usualOf, WEEKS } from '../alarms/usual.ts';
import { NOW_MINUTES, NOW_SOURCES, type NowFigureName, type NowSourceName } from '../contract/now.ts';
import { HOUR, MINUTE, QUARTER } from '../durations.ts';
import { countSeries } from '../rankings/series.ts';
import type { TrafficStore } from '../storage/store.ts';
import type { Period } from '../traffic/period.ts';
import { countHour, type OfHour } from './live.ts';
import { type NowScope, pageScope, postScope, windowsFrom } from './question.ts';
import { addSources, noSources } from './sources.ts';

/** Counted in each five minutes, so that a quarter of an hour has the sum of three. */
const COUNTED = ['visitors', 'views', 'engaged_minutes'] as const;
type Counted = (typeof COUNTED)[number];

const WINDOW = NOW_MINUTES * MINUTE;
const WINDOWS = QUARTER / WINDOW;

type ByQuarter = Map<number, number>;

export interface UsualDay {
  /** Weeks with traffic on this weekday. */
  weeks: readonly number[];
  /** Page views by time. undefined: too few weeks. */
  curve: Curve | undefined;
}

/** @param day First moment of the day, and of the next. */
export async function readUsualDay(
  store: TrafficStore,
  nowScope: NowScope,
  day: { start: number; end: number },
): Promise<UsualDay> {
  const quarters = quartersFor(day.start, day.end - 1, nowScope.zone);
  const views: ByQuarter = new Map();
  for (let week = 0; week < WEEKS; week++) {
    const span = spanOf(quarters, week);
    const { first, count } = span;
    const intervals = windowsFrom(first * QUARTER, QUARTER, count);
    const period = periodOf(span);
    const asked = { scope: postScope(nowScope, period), interval: 'quarter', series: { period, intervals } } as const;
    const counted = await countSeries(store, { ...asked, metrics: ['views'] });
    counted.forEach((one, at) => {
      views.set(first + at, one.views ?? 0);
    });
  }
  const weeks = weeksWithViews(quarters, views);
  return { weeks, curve: createCurve(quarters, views, weeks) };
}

export interface UsualHour {
  /** Of the minutes up to an instant of the hour that the figure is of. undefined: nothing is usual. */
  at(name: NowFigureName, now: number): Usual | undefined;
  /** Of the page views from a kind of source, likewise. */
  ofSource(name: NowSourceName, now: number): Usual | undefined;
}

/**
 * @param hour First moment of an hour.
 * @param weeks That count.
 */
export async function readUsualHour(
  store: TrafficStore,
  nowScope: NowScope,
  { hour, weeks }: { hour: number; weeks: readonly number[] },
): Promise<UsualHour> {
  if (weeks.length < LEAST_WEEKS) return { at: () => undefined, ofSource: () => undefined };
  // The first five minutes begin before the hour, and a curve takes the quarter before.
  const quarters = quartersFor(hour - QUARTER, hour + HOUR - 1, nowScope.zone);
  const sums: Record<Counted, ByQuarter> = { visitors: new Map(), views: new Map(), engaged_minutes: new Map() };
  const sources = noSources();
  const starts = sameTimesBefore(hour, nowScope.zone);
  /** By week, of the hour before and of this one: the last sixty minutes have a part of both. */
  const hours: [before: OfHour, own: OfHour][] = [];
  for (const week of weeks) {
    const span = spanOf(quarters, week);
    await addWindows(store, nowScope, { sums, span });
    await addSources(store, pageScope(nowScope, periodOf(span)), sources);
    const start = starts[week]!;
    const before = await countHour(store, nowScope, { start: start - HOUR, end: start - 1 });
    hours.push([before, await countHour(store, nowScope, { start, end: start + HOUR - 1 })]);
  }
  const curves = new Map(COUNTED.map((name) => [name as NowFigureName, createCurve(quarters, sums[name], weeks)]));
  const curvesOfSources = new Map(NOW_SOURCES.map((name) => [name, createCurve(quarters, sources[name], weeks)]));
  const lastHour = (now: number): OfHour[] => hours.map(([before, own]) => blend(before, own, (now - hour) / HOUR));
  return {
    at(name, now) {
      if (name === 'recirculation_rate') return usualRate(lastHour(now));
      if (name === 'clicks') return usualOf(lastHour(now).map(({ clicks }) => clicks));
      return curves.get(name)?.between(now - WINDOW, now);
    },
    ofSource: (name, now) => curvesOfSources.get(name)?.between(now - WINDOW, now),
  };
}

/** The last sixty minutes at a moment of an hour. @param share Of the hour that is over. */
function blend(before: OfHour, own: OfHour, share: number): OfHour {
  const mean = (one: number, other: number) => one * (1 - share) + other * share;
  const views = mean(before.views, own.views);
  const led = mean(before.recirculation_rate * before.views, own.recirculation_rate * own.views);
  return { views, clicks: mean(before.clicks, own.clicks), recirculation_rate: views === 0 ? 0 : led / views };
}

/** Of the weeks with a view in the hour. */
function usualRate(hours: readonly OfHour[]): Usual | undefined {
  const rates = hours.filter(({ views }) => views > 0).map(({ recirculation_rate }) => recirculation_rate);
  return rates.length < LEAST_WEEKS ? undefined : usualOf(rates);
}

/** Adds up the windows of each quarter of an hour of a week. */
async function addWindows(
  store: TrafficStore,
  nowScope: NowScope,
  { sums, span }: { sums: Record<Counted, ByQuarter>; span: Span },
): Promise<void> {
  const { first, count } = span;
  const intervals = windowsFrom(first * QUARTER, WINDOW, count * WINDOWS);
  const period = periodOf(span);
  const asked = { scope: postScope(nowScope, period), interval: 'minute', series: { period, intervals } } as const;
  const counted = await countSeries(store, { ...asked, metrics: COUNTED });
  counted.forEach((one, at) => {
    const quarter = first + Math.floor(at / WINDOWS);
    for (const name of COUNTED) sums[name].set(quarter, (sums[name].get(quarter) ?? 0) + (one[name] ?? 0));
  });
}

interface Span {
  /** Quarters since 1970. */
  first: number;
  count: number;
}

const periodOf = ({ first, count }: Span): Period => ({ start: first * QUARTER, end: (first + count) * QUARTER - 1 });

/** The quarters of a week, without the gaps that a change of clocks leaves between them. */
function spanOf(quarters: readonly QuarterOfWeeks[], week: number): Span {
  const all = quarters.map(({ before }) => before[week]!);
  const first = Math.min(...all);
  return { first, count: Math.max(...all) - first + 1 };
}
