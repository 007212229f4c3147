// The time parameters of traffic queries, and their error messages.
//
//   const RULE = { defaultDays: 3, tooLong: 'refuse' } as const;
//   z.object({ ...periodParams(RULE), … });
//   const period = periodOf(params, RULE, { now, zone: site.timezone });

import { z } from 'zod';
import { MAX_SPAN_DAYS } from '../contract/limits.ts';
import { DAY } from '../durations.ts';
import { instantFor, type Moment, parseMoment } from '../traffic/moment.ts';
import { type Clock, type Period, type PeriodRule, resolvePeriod, resolvePublished } from '../traffic/period.ts';
import { BadParameters } from './errors.ts';
import { days, daysOfSpan, moment } from './params.ts';

/** A look-back period in milliseconds. */
const time = z
  .string()
  .transform((written, context) => {
    const read = parseMoment(written);
    if (read?.kind === 'ago') return read.milliseconds;
    context.addIssue({ code: 'custom', message: 'Give a look-back such as 5m or 24h, not of zero.' });
    return z.NEVER;
  })
  .meta({
    description: 'Look-back from the end such as 5m or 24h, where neither a start nor days are given.',
    format: 'look-back',
  });

/**
 * @param rule The default period, and the handling of more than 90 days: the reference documents both.
 * @param unsaid The default period, where it is no number of days.
 */
export function periodParams(rule: PeriodRule, unsaid = `${rule.defaultDays} days ago`) {
  const most =
    rule.tooLong === 'clamp'
      ? `What lies more than ${MAX_SPAN_DAYS} days back is left out.`
      : `At most ${MAX_SPAN_DAYS} days before the end.`;
  return {
    period_start: moment(
      `Traffic from here on; a date is a day of the site’s time zone. Default: ${unsaid}. ${most}`,
    ).optional(),
    period_end: moment(
      'Traffic up to here: a date includes that day, a time is left out itself, so that windows add up. Default: now.',
    ).optional(),
    days: rule.tooLong === 'clamp' ? days : daysOfSpan,
  };
}

/** As above, with `time`: for /analytics. */
export const analyticsPeriodParams = (rule: PeriodRule) => ({ ...periodParams(rule), time: time.optional() });

/** /realtime: the look-back period has its own default. */
export const realtimeParams = {
  ...periodParams({ defaultDays: 0, tooLong: 'refuse' }, 'as time says'),
  time: time.prefault('1h'),
};

export const publishedParams = {
  pub_date_start: moment('Published from here on.').optional(),
  pub_date_end: moment(
    'Published up to here; a date includes that day, a time is left out itself. Default: now.',
  ).optional(),
};

export interface PublishedParams {
  pub_date_start?: Moment | undefined;
  pub_date_end?: Moment | undefined;
  /** Look-back in days from now, where no start is given. */
  pub_days?: number | undefined;
}

/** Bounds of the publication date, epoch milliseconds, both inclusive. */
export function publishedOf(
  { pub_date_start: start, pub_date_end: end, pub_days: days }: PublishedParams,
  clock: Clock,
) {
  const published = resolvePublished({ start, end }, clock);
  return start || days === undefined ? published : { ...published, start: clock.now - days * DAY };
}

export interface PeriodParams {
  period_start?: Moment | undefined;
  period_end?: Moment | undefined;
  days?: number | undefined;
  /** Milliseconds. */
  time?: number | undefined;
}

const hangsOnNow = (moment: Moment | undefined): boolean => moment === undefined || moment.kind === 'ago';

/** Dates have four digits of a year, and nothing was published before these. */
const EARLIEST = Date.UTC(1000, 0);

const written = (time: number): string => new Date(Math.max(time, EARLIEST)).toISOString();

/**
 * Absolute times in place of a start or end relative to now, so that a later request has the same period. A start that
 * was cut at 90 days before now is one.
 */
export function pinsOf(
  { period_start, period_end }: PeriodParams,
  { start, end }: Period,
  clock: Clock,
): Record<string, string> {
  const isCut = period_start !== undefined && instantFor(period_start, 'start', clock) < start;
  return {
    ...((hangsOnNow(period_start) || isCut) && { period_start: written(start) }),
    // A time as an end is exclusive; the last moment of a period is inclusive.
    ...(hangsOnNow(period_end) && { period_end: written(end + 1) }),
  };
}

/**
 * The same for a publication date that is relative to now: a post that grew too old between two pages would move all
 * others up, and one of them would be on neither page.
 */
export function publishedPinsOf(params: PublishedParams, clock: Clock): Record<string, string> {
  const { start, end } = publishedOf(params, clock);
  const { pub_date_start: from, pub_date_end: until } = params;
  return {
    ...(start !== undefined && hangsOnNow(from) && { pub_date_start: written(start) }),
    ...(until?.kind === 'ago' && { pub_date_end: written(end + 1) }),
  };
}

/**
 * @throws {BadParameters} for a period that ends before it starts or exceeds the maximum, naming the parameters sent.
 */
export function periodOf(params: PeriodParams, rule: PeriodRule, clock: Clock): Period {
  const { period_start: start, period_end: end, days, time } = params;
  const period = resolvePeriod({ start, end, days, time }, rule, clock);
  if (typeof period !== 'string') return period;
  const sentence =
    period === 'backwards'
      ? 'Give a start that is not after the end.'
      : `Give a period of at most ${MAX_SPAN_DAYS} days.`;
  // Only parameters that were used can be wrong.
  const counted = {
    period_start: start,
    days: start ? undefined : days,
    time: start || days !== undefined ? undefined : time,
    period_end: end,
  };
  const names = Object.entries(counted).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  throw new BadParameters(Object.fromEntries(names.map((name) => [name, [sentence]])));
}
