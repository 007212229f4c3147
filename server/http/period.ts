// The time parameters of every traffic question, and their refusals in words.
//
//   z.object({ ...periodParams, … });
//   const period = periodOf(params, { defaultDays: 3, tooLong: 'refuse' }, { now, zone: site.timezone });
import { MAX_SPAN_DAYS } from '../contract/limits.ts';
import type { Moment } from '../traffic/moment.ts';
import { type Clock, type Period, type PeriodRule, resolvePeriod } from '../traffic/period.ts';
import { BadParameters } from './errors.ts';
import { days, moment } from './params.ts';

export const periodParams = {
  period_start: moment('Traffic from here on. A date is a day of the site’s time zone.').optional(),
  period_end: moment('Traffic up to here; a date includes that day. Default: now.').optional(),
  days: days,
};

export const publishedParams = {
  pub_date_start: moment('Published from here on.').optional(),
  pub_date_end: moment('Published up to here. Default: now.').optional(),
};

export interface PeriodParams {
  period_start?: Moment | undefined;
  period_end?: Moment | undefined;
  days?: number | undefined;
}

/** @throws {BadParameters} for a period that runs backwards or is longer than allowed, naming what was sent. */
export function periodOf(params: PeriodParams, rule: PeriodRule, clock: Clock): Period {
  const { period_start: start, period_end: end } = params;
  const period = resolvePeriod({ start, end, days: params.days }, rule, clock);
  if (typeof period !== 'string') return period;
  const sentence =
    period === 'backwards'
      ? 'Give a period_start that is not after period_end.'
      : `Give a period of at most ${MAX_SPAN_DAYS} days.`;
  const sent = (['period_start', 'period_end', 'days'] as const).filter((name) => params[name] !== undefined);
  const named = period === 'too-long' && start ? sent.filter((name) => name !== 'days') : sent;
  throw new BadParameters(Object.fromEntries(named.map((name) => [name, [sentence]])));
}
