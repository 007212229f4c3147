// Series, counted by hand: the intervals by looking at what clocks show, each counted like a list of its own period.

import type { World } from '../worlds.ts';
import { namesFilter, publishedFilter, visitFilter } from './conditions.ts';
import { countNaively } from './countNaively.ts';
import { dayAfter, dayBefore, dayBegins, localDay, shown } from './localTime.ts';
import type { NaiveSort } from './naiveMetrics.ts';
import type { NaiveInterval } from './sketch.ts';
import { type Ask, analysed } from './trafficQuestions.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MOST_MINUTES = 4320;
const LONGEST: Record<NaiveInterval, number> = {
  minute: MINUTE,
  hour: HOUR,
  day: 26 * HOUR,
  week: 8 * DAY,
  month: 32 * DAY,
};

interface Stretch {
  start: number;
  end: number;
}

export const series: Ask = (world, sketch) => {
  const { period } = analysed(world, sketch);
  const [names, published] = [namesFilter(sketch, ['author', 'tag', 'section']), publishedFilter(sketch, world)];
  const visits = visitFilter(sketch);
  const { interval, compare, totals } = sketch;
  const metrics = [...new Set([sketch.sort, ...sketch.beside])];
  const tooMany = interval === 'minute' && period.end - period.start > MOST_MINUTES * MINUTE;

  const value = (metric: NaiveSort, within: Stretch): number =>
    countNaively(world, {
      list: () => [{ name: 'all posts' }],
      period: within,
      sort: metric,
      post: (post) => names.passes(post) && published.passes(post),
      event: visits.passes,
    })[0]?.metrics[metric] ?? 0;
  const metricsOf = (within: Stretch) => {
    const isEmpty = !world.events.some(({ time }) => time >= within.start && time <= within.end);
    return Object.fromEntries(metrics.map((metric) => [metric, isEmpty ? 0 : value(metric, within)]));
  };
  const recordOf = (whole: Stretch, of: Stretch) => ({
    start: written(whole.start, world.zone),
    partial: whole.start < of.start || whole.end > of.end || whole.end > world.now,
    metrics: metricsOf({ start: Math.max(whole.start, of.start), end: Math.min(whole.end, of.end) }),
  });
  const from = countedFrom(world);
  const recordBefore = (whole: Stretch, of: Stretch) => {
    const record = recordOf(whole, of);
    return { ...record, partial: record.partial || whole.start < from };
  };
  const counted = () => {
    const now = intervalsOf(period, interval, world.zone);
    const { before, of } = compare ? theOneBefore(period, now, { interval, zone: world.zone }) : {};
    const records = now.map((whole, place) => ({
      ...recordOf(whole, period),
      ...(before && of && { previous: recordBefore(before[place]!, of) }),
    }));
    const previous = compare && {
      previous: {
        metrics: of ? metricsOf(of) : {},
        partial: of !== undefined && of.start < from,
        days_before:
          of && Number.isFinite(from) ? daysFrom(localDay(from, world.zone), localDay(of.start, world.zone)) : 0,
      },
    };
    return { records, ...(totals && { totals: { metrics: now.length > 0 ? metricsOf(period) : {}, ...previous } }) };
  };

  return {
    path: '/analytics/series',
    params: {
      ...period.params,
      interval,
      metrics: metrics.join(','),
      ...(compare && { compare: 'previous' }),
      ...(totals && { totals: '1' }),
      ...names.params,
      ...published.params,
      ...visits.params,
    },
    ...(tooMany || period.backwards ? { records: undefined } : counted()),
    meta: { metrics, sort: 'start' },
    paged: false,
  };
};

function daysFrom(first: string, last: string): number {
  let days = 0;
  for (let day = first; day < last; day = dayAfter(day)) days++;
  return days;
}

/** When the first view was counted, to the quarter of an hour; the beginning of the first day where that has no view. */
function countedFrom({ events, zone }: World): number {
  const counted = events.filter(({ action }) => ['pageview', 'heartbeat', 'share'].includes(action));
  const first = counted.map(({ time }) => localDay(time, zone)).sort()[0];
  if (first === undefined) return Number.NEGATIVE_INFINITY;
  const views = counted.filter(({ action, time }) => action === 'pageview' && localDay(time, zone) === first);
  const earliest = Math.min(...views.map(({ time }) => time - (time % QUARTER)));
  return Math.max(dayBegins(first, zone), views.length === 0 ? 0 : earliest);
}

/** Intervals that a period touches, each whole. */
function intervalsOf({ start, end }: Stretch, interval: NaiveInterval, zone: string): Stretch[] {
  if (start > end) return [];
  const starts = new Set<number>();
  if (interval === 'minute') {
    for (let at = start - (start % MINUTE); at <= end + MINUTE; at += MINUTE) starts.add(at);
  } else if (interval === 'hour') {
    const first = start - (start % QUARTER) - 2 * HOUR;
    for (let at = first + QUARTER; at <= end + 2 * HOUR; at += QUARTER)
      if (hourShown(at, zone) !== hourShown(at - QUARTER, zone)) starts.add(at);
  } else {
    for (let day = dayBefore(localDay(start, zone), 32); day <= localDay(end + 32 * DAY, zone); day = dayAfter(day)) {
      const isMonday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1;
      if (interval === 'day' || (interval === 'week' ? isMonday : day.endsWith('-01')))
        starts.add(dayBegins(day, zone));
    }
  }
  const sorted = [...starts].sort((a, b) => a - b);
  return sorted
    .slice(0, -1)
    .map((at, place) => ({ start: at, end: sorted[place + 1]! - 1 }))
    .filter((one) => one.end >= start && one.start <= end);
}

const offset = (time: number, zone: string): number => {
  const second = time - (((time % 1000) + 1000) % 1000);
  return Date.parse(`${shown(second, zone).replace(' ', 'T')}Z`) - second;
};

/** The hour a clock shows, and how far it is ahead: clocks that are set back show an hour twice. */
const hourShown = (time: number, zone: string): string => `${shown(time, zone).slice(0, 13)} ${offset(time, zone)}`;

function written(time: number, zone: string): string {
  const ahead = offset(time, zone) / MINUTE;
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${shown(time, zone).replace(' ', 'T')}${ahead < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}

/** Moved back by as few intervals as it takes to end before the period begins. */
function theOneBefore(
  period: Stretch,
  now: readonly Stretch[],
  { interval, zone }: { interval: NaiveInterval; zone: string },
): { before?: Stretch[]; of?: Stretch } {
  const [first, last] = [now[0], now.at(-1)];
  if (!first || !last) return {};
  const asToday = interval === 'hour' || interval === 'minute' ? ofDaysBefore(period, now, { interval, zone }) : {};
  if (asToday.before) return asToday;
  const long = (now.length + 2) * LONGEST[interval];
  const all = intervalsOf({ start: first.start - long, end: last.end }, interval, zone);
  const at = all.findIndex(({ start }) => start === first.start);
  for (let back = 1; back <= now.length; back++) {
    const before = all.slice(at - back, at - back + now.length);
    const [to, until] = [before[0]!, before.at(-1)!];
    const start = Math.min(to.end, to.start + period.start - first.start);
    const isByDays = interval !== 'hour' && interval !== 'minute' && period.start === first.start;
    const then = isByDays
      ? sameClock(period.end, localDay(last.start, zone), localDay(until.start, zone), zone)
      : until.start + period.end - last.start;
    const end = period.end === last.end ? until.end : Math.min(until.end, then);
    // Now is in a period that ends with it, and would be in both.
    if (end <= period.start) return { before, of: { start, end: Math.min(end, period.start - 1) } };
  }
  throw new Error('A period moved back by its own length overlaps it.');
}

/** When a clock shows what it does at a time, as many days earlier as one day is before another. */
function sameClock(time: number, day: string, earlier: string, zone: string): number {
  const local = time + offset(time, zone) - (Date.parse(day) - Date.parse(earlier));
  const found = [local - offset(local - DAY, zone), local - offset(local + DAY, zone)].sort((a, b) => a - b);
  // A time that it skips is as far behind the gap.
  return found.find((at) => at + offset(at, zone) === local) ?? Math.max(...found);
}

/** Hours or minutes from the beginning of a day to a time of one, in as many days before, where these have as many. */
function ofDaysBefore(
  period: Stretch,
  now: readonly Stretch[],
  { interval, zone }: { interval: NaiveInterval; zone: string },
): { before?: Stretch[]; of?: Stretch } {
  const [from, to] = [localDay(period.start, zone), localDay(period.end, zone)];
  if (dayBegins(from, zone) !== period.start || dayBegins(dayAfter(to), zone) - 1 === period.end) return {};
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1;
  const start = dayBegins(dayBefore(from, days), zone);
  const before = intervalsOf({ start, end: period.start - 1 }, interval, zone).slice(0, now.length);
  const [last, until] = [now.at(-1), before.at(-1)];
  if (!last || !until || before.length < now.length) return {};
  const end = period.end === last.end ? until.end : Math.min(until.end, until.start + period.end - last.start);
  return { before, of: { start, end } };
}
