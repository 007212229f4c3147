// Resolves the dates and times of a request to a period.
import { MAX_SPAN_DAYS } from '../contract/limits.ts';
import { DAY, HOUR } from '../durations.ts';
import { instantFor, isDay, type Moment } from './moment.ts';
import { addDays, dayOf, daysBetween, endOfDay, startOfDay } from './zone.ts';

/** Epoch milliseconds, both inclusive. */
export interface Period {
  start: number;
  end: number;
  /** It ends now or later: no event is after its end, and counting may read all of its last day. Default: not known. */
  untilNow?: true;
}

/** A day of a zone, `YYYY-MM-DD`. */
export const periodOfDay = (day: string, zone: string): Period => ({
  start: startOfDay(day, zone),
  end: endOfDay(day, zone),
});

export interface PeriodAsked {
  start?: Moment | undefined;
  end?: Moment | undefined;
  /** Look-back in days before the end, where no start is given. */
  days?: number | undefined;
  /** Look-back in milliseconds before the end, where neither a start nor days are given. */
  time?: number | undefined;
}

export interface PeriodRule {
  /** Look-back where nothing is asked. */
  defaultDays: number;
  /** Longer than 90 days: refused where the interface names a maximum span, cut where it limits the look-back. */
  tooLong: 'refuse' | 'clamp';
}

export type PeriodProblem = 'too-long' | 'backwards';

/** The present, as the caller has it. */
export interface Clock {
  now: number;
  /** Time zone of the site. */
  zone: string;
}

/**
 * Fills in defaults and applies the 90-day rule. A period between two equal times is empty: its end is a millisecond
 * before its start.
 */
export function resolvePeriod(asked: PeriodAsked, rule: PeriodRule, clock: Clock): Period | PeriodProblem {
  const end = asked.end ? instantFor(asked.end, 'end', clock) : clock.now;
  const start = asked.start ? instantFor(asked.start, 'start', clock) : fallbackStart(asked, { end, rule }, clock);
  if (asked.start && asked.end && start > (isDay(asked.end) ? end : end + 1)) return 'backwards';
  const ends = end >= clock.now ? ({ end, untilNow: true } as const) : { end };
  if (rule.tooLong === 'clamp') return { start: cut(start, clock.now), ...ends };
  return isTooLong({ start, end }, clock) ? 'too-long' : { start, ...ends };
}

/**
 * How far beyond the limit a start may lie, in milliseconds: the pages of a list, which have the start of the first
 * one, are asked for one after the other.
 */
const PAGING_MS = HOUR;

function cut(start: number, now: number): number {
  const earliest = now - MAX_SPAN_DAYS * DAY;
  return start < earliest - PAGING_MS ? earliest : start;
}

/**
 * A look-back counts from the end. "Default 3 days ago" counts from now; where that lies after the end, it is 3 days
 * before the end. A default of 90 days is no reason to refuse an end that lies a little after now.
 */
function fallbackStart(
  { end: asked, days, time }: PeriodAsked,
  { end, rule }: { end: number; rule: PeriodRule },
  { now, zone }: Clock,
): number {
  // The moment that is left out, but for "now", which is not.
  const until = asked ? end + 1 : end;
  // By the calendar: a day may have 23 hours.
  if (days !== undefined && asked?.kind === 'day') return startOfDay(addDays(asked.day, 1 - days), zone);
  if (days !== undefined) return until - days * DAY;
  if (time !== undefined) return until - time;
  const lookBack = rule.defaultDays * DAY;
  if (now - lookBack > end) return until - lookBack;
  return Math.max(now - lookBack, Math.min(until - MAX_SPAN_DAYS * DAY, now));
}

/** 2,160 hours, or 90 whole days of the calendar, which may have an hour more. */
function isTooLong({ start, end }: Period, { zone }: Clock): boolean {
  if (end - start <= MAX_SPAN_DAYS * DAY) return false;
  // Years beyond 9999 have no such names: their distance is no number, and too long.
  return !(daysBetween(dayOf(start, zone), dayOf(end, zone)) < MAX_SPAN_DAYS);
}

/**
 * Bounds of a publication date, epoch milliseconds, both inclusive. No start: any date, and none; the end is now by
 * default.
 */
export function resolvePublished(
  asked: { start?: Moment | undefined; end?: Moment | undefined },
  clock: Clock,
): { start: number | undefined; end: number } {
  return {
    start: asked.start && instantFor(asked.start, 'start', clock),
    end: asked.end ? instantFor(asked.end, 'end', clock) : clock.now,
  };
}

/**
 * /top: one day is the last 24 hours; more are today and the days before it, by the site's calendar, and never less
 * than 24 hours: yesterday may have had 23.
 */
export function topPeriod(days: number, { now, zone }: Clock): Period {
  const ends = { end: now, untilNow: true } as const;
  if (days === 1) return { start: now - DAY, ...ends };
  return { start: Math.min(startOfDay(addDays(dayOf(now, zone), 1 - days), zone), now - DAY), ...ends };
}
