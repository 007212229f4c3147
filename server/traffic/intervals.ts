// Cuts a period into minutes, hours, days, weeks or months of a site's zone. Days have 23 to 25 hours where clocks
// change; an hour in which they change by half an hour is two intervals. Weeks begin on Monday.
import { DAY, HOUR, MINUTE, QUARTER } from '../durations.ts';
import { bounded, mondayOf } from './cut.ts';
import type { Period } from './period.ts';
import { addDays, dayOf, daysBetween, endOfDay, instantOf, offsetAt, startOfDay } from './zone.ts';

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Of quarters of an hour, which no series of the interface has; and of one interval, `period`: all of it. */
export type Span = Interval | 'quarter' | 'period';

const WITHIN_DAYS: readonly Span[] = ['minute', 'quarter', 'hour'];

/** Whether intervals are shorter than days, of which roll-ups are. */
export const isWithinDays = (interval: Span): boolean => WITHIN_DAYS.includes(interval);

/** At least as long as the longest, and shorter than the shortest two together: one step leads into the next one. */
const STEP: Record<Interval, number> = { minute: MINUTE, hour: HOUR, day: 30 * HOUR, week: 8 * DAY, month: 35 * DAY };

const SHORTEST: Record<Interval, number> = {
  minute: MINUTE,
  hour: HOUR,
  day: 23 * HOUR,
  week: 7 * DAY - HOUR,
  month: 28 * DAY - HOUR,
};

interface Calendar {
  interval: Interval;
  /** Time zone of the site. */
  zone: string;
}

/** A period and its intervals: each whole, also where the period begins or ends within it. */
export interface Series {
  period: Period;
  /** In order, without gaps; both ends inclusive. Empty for a period that is empty. */
  intervals: readonly Period[];
}

/** Intervals of which a period is at most so many long. */
export function intervalsFitting(period: Period, most: number): Interval[] {
  const { start, end } = bounded(period);
  return INTERVALS.filter((interval) => end - start <= most * SHORTEST[interval]);
}

export function cutIntervals(period: Period, calendar: Calendar): Series {
  const floor = flooring(calendar);
  const within = bounded(period);
  const intervals: Period[] = [];
  if (within.start > within.end) return { period: within, intervals };
  for (let start = floor(within.start); start <= within.end; ) {
    const next = floor(start + STEP[calendar.interval]);
    intervals.push({ start, end: next - 1 });
    start = next;
  }
  return { period: within, intervals };
}

/**
 * The period of equal length before, moved back to whole intervals so that both have as many: an interval of one stands
 * beside the interval of the same place in the other. What the period has of its first and last interval, the one
 * before has as well. Hours and minutes of a day that is not over stand beside those of the day before.
 */
export function previousOf({ period, intervals }: Series, calendar: Calendar): Series {
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (first === undefined || last === undefined) return { period, intervals };
  const isByDays = period.start === first.start && !isWithinDays(calendar.interval);
  const endIn = (until: Period): number =>
    isByDays
      ? sameTimeIn(until, { end: period.end, of: last, zone: calendar.zone })
      : until.start + period.end - last.start;
  const movedBack = (moved: readonly Period[]): Series => {
    const [to, until] = [moved[0]!, moved.at(-1)!];
    const start = Math.min(to.start + (period.start - first.start), to.end);
    const end = period.end === last.end ? until.end : Math.min(endIn(until), until.end);
    return { period: { start, end }, intervals: moved };
  };
  const sameHours = sameHoursBefore({ period, intervals }, calendar);
  if (sameHours !== undefined) return movedBack(sameHours);
  const floor = flooring(calendar);
  const before: Period[] = [];
  for (let { start } = first; before.length < intervals.length; ) {
    const end = start - 1;
    start = floor(end);
    before.unshift({ start, end });
  }
  // A period that ends earlier in its last interval than it began in the first is one interval shorter than it touches.
  const nearest = movedBack([...before.slice(1), first]);
  if (intervals.length === 1 || nearest.period.end > period.start) return movedBack(before);
  // A period that ends now has this millisecond, too.
  return { ...nearest, period: { ...nearest.period, end: Math.min(nearest.period.end, period.start - 1) } };
}

/**
 * When the clock shows the time at which a period ends within an interval, as many days after another one began: today
 * until 14:30 stands beside yesterday until 14:30, also where one of them has 23 hours.
 */
function sameTimeIn(interval: Period, { end, of, zone }: { end: number; of: Period; zone: string }): number {
  const days = daysBetween(dayOf(interval.start, zone), dayOf(of.start, zone));
  return instantOf(end + offsetAt(end, zone) - days * DAY, zone);
}

/**
 * The same hours or minutes, as many days earlier as the period touches: this morning is compared with yesterday's
 * morning, not with its evening.
 * @returns undefined unless the period begins at the start of a day and ends within one, and where the days before have
 * fewer hours (daylight saving time).
 */
function sameHoursBefore({ period, intervals }: Series, calendar: Calendar): Period[] | undefined {
  const { interval, zone } = calendar;
  if (!isWithinDays(interval)) return undefined;
  const [from, to] = [dayOf(period.start, zone), dayOf(period.end, zone)];
  const endsDay = endOfDay(to, zone) === period.end;
  if (endsDay || startOfDay(from, zone) !== period.start) return undefined;
  const floor = flooring(calendar);
  const moved: Period[] = [];
  for (let start = startOfDay(addDays(from, -daysBetween(from, to) - 1), zone); moved.length < intervals.length; ) {
    const next = floor(start + STEP[interval]);
    moved.push({ start, end: next - 1 });
    start = next;
  }
  return moved.at(-1)!.end < period.start ? moved : undefined;
}

/** Whether a period holds less than the whole interval, or the interval is not over yet. */
export const isPartial = (interval: Period, { start, end }: Period, now: number): boolean =>
  interval.start < start || interval.end > Math.min(end, now);

/** An instant as a zone's clock shows it: `2026-03-29T00:00:00+01:00`. */
export function toLocalIso(instant: number, zone: string): string {
  const minutes = Math.round(offsetAt(instant, zone) / MINUTE);
  const two = (value: number) => String(value).padStart(2, '0');
  const ahead = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
  return `${new Date(instant + minutes * MINUTE).toISOString().slice(0, 19)}${offset}`;
}

/** First instant of the interval that an instant is in. */
function flooring({ interval, zone }: Calendar): (instant: number) => number {
  if (interval === 'minute') return (instant) => instant - (instant % MINUTE);
  if (interval === 'hour') return hourFloor(zone);
  return (instant) => {
    const day = dayOf(instant, zone);
    if (interval === 'day') return startOfDay(day, zone);
    return startOfDay(interval === 'week' ? mondayOf(day) : `${day.slice(0, 8)}01`, zone);
  };
}

function hourFloor(zone: string): (instant: number) => number {
  const offset = offsets(zone);
  return (instant) => {
    let start = instant - (instant % QUARTER);
    while ((start + offset(start)) % HOUR !== 0 && offset(start - 1) === offset(start)) start -= QUARTER;
    return start;
  };
}

/** As `offsetAt`, with two questions to the runtime for each day on which clocks stay. */
function offsets(zone: string): (instant: number) => number {
  const midnights = new Map<number, number>();
  const atMidnight = (day: number): number => {
    const known = midnights.get(day) ?? offsetAt(day * DAY, zone);
    midnights.set(day, known);
    return known;
  };
  return (instant) => {
    const day = Math.floor(instant / DAY);
    const before = atMidnight(day);
    return before === atMidnight(day + 1) ? before : offsetAt(instant, zone);
  };
}
