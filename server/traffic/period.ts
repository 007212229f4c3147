// From what was asked about time to the period that is answered.
import { MAX_SPAN_DAYS } from '../contract/limits.ts';
import { dayFor, instantFor, isDay, type Moment } from './moment.ts';
import { addDays, DAY, dayOf, daysBetween, startOfDay } from './zone.ts';

/** Epoch milliseconds, both inclusive. */
export interface Period {
  start: number;
  end: number;
}

export interface PeriodAsked {
  start?: Moment | undefined;
  end?: Moment | undefined;
  /** Look-back in days where no start is given. */
  days?: number | undefined;
}

export interface PeriodRule {
  /** Look-back where nothing is asked. */
  defaultDays: number;
  /** Longer than 90 days: refused where the interface names a maximum span, cut where it limits the look-back. */
  tooLong: 'refuse' | 'clamp';
}

export type PeriodProblem = 'too-long' | 'backwards';

/** What the caller knows about now. */
export interface Clock {
  now: number;
  /** Time zone of the site. */
  zone: string;
}

/** Fills in defaults and applies the 90-day rule. */
export function resolvePeriod(asked: PeriodAsked, rule: PeriodRule, clock: Clock): Period | PeriodProblem {
  const end = asked.end ? instantFor(asked.end, 'end', clock) : clock.now;
  const lookBack = (asked.days ?? rule.defaultDays) * DAY;
  const start = asked.start ? instantFor(asked.start, 'start', clock) : fallbackStart({ asked, end, lookBack }, clock);
  if (asked.start && asked.end && start > end) return 'backwards';
  if (rule.tooLong === 'clamp') return { start: Math.max(start, clock.now - MAX_SPAN_DAYS * DAY), end };
  return isTooLong(asked, { start, end }, clock) ? 'too-long' : { start, end };
}

/**
 * "Default 3 days ago" would start after an end that lies before that: then it is 3 days before the end. And a default of
 * 90 days is no reason to refuse an end that lies a little after now.
 */
function fallbackStart(
  { asked, end, lookBack }: { asked: PeriodAsked; end: number; lookBack: number },
  { now }: Clock,
): number {
  if (now - lookBack > end) return end - lookBack;
  if (asked.days !== undefined) return now - lookBack;
  return Math.max(now - lookBack, Math.min(end - MAX_SPAN_DAYS * DAY, now));
}

/** Between days of the calendar 90 days are 90 nights; between times they are 2,160 hours. */
function isTooLong(asked: PeriodAsked, { start, end }: Period, clock: Clock): boolean {
  if (end - start <= MAX_SPAN_DAYS * DAY) return false;
  if (!isDay(asked.start) && !isDay(asked.end)) return true;
  const first = asked.start
    ? dayFor(asked.start, 'start', clock)
    : dayFor({ kind: 'instant', at: start }, 'start', clock);
  const last = asked.end ? dayFor(asked.end, 'end', clock) : dayFor({ kind: 'instant', at: end }, 'end', clock);
  return daysBetween(first, last) > MAX_SPAN_DAYS;
}

/** Bounds of a publication date, epoch milliseconds, both inclusive. No start: any date, and none; the end is now by default. */
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
 * /top: one day is the last 24 hours; more are today and the days before it, by the site's calendar, and never less than
 * 24 hours: yesterday may have had 23.
 */
export function topPeriod(days: number, { now, zone }: Clock): Period {
  if (days === 1) return { start: now - DAY, end: now };
  return { start: Math.min(startOfDay(addDays(dayOf(now, zone), 1 - days), zone), now - DAY), end: now };
}
