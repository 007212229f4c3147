// Periods in days of the site's time zone, and how the API is asked for them.
import { isDay } from '../ui/records.ts';
import type { Params } from './ask.ts';

export const PERIODS = [
  ['today', 'Today'],
  ['yesterday', 'Yesterday'],
  ['7d', '7 days'],
  ['28d', '28 days'],
  ['90d', '90 days'],
  ['own', 'Dates'],
  // Of a post alone.
  ['since', 'Since publication'],
] as const;

export type PeriodName = (typeof PERIODS)[number][0];

/** Days, `YYYY-MM-DD`, both included. */
export interface Dates {
  from: string;
  to: string;
}

const MAX_DAYS = 90;

/** Days back from today with which a period begins. */
const BACK = { '7d': 6, '28d': 27, '90d': 89 } as const;

/** The time zone where this browser knows it, else UTC: zones are named, and named anew, after a browser was made. */
export function zoneHere(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return 'UTC';
  }
}

/**
 * The day in a time zone. Of its parts: no locale writes a day in one order in all browsers; `en-CA` of ICU 72 has the
 * month first.
 * @param at Epoch milliseconds.
 */
export function dayIn(timeZone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zoneHere(timeZone),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = format.formatToParts(at);
  return ['year', 'month', 'day'].map((name) => parts.find(({ type }) => type === name)!.value).join('-');
}

/**
 * The time zone in which a moment has its day: a date without a time is that day everywhere, as in lists.
 * @param at Epoch milliseconds.
 */
export const zoneOfDay = (timeZone: string, at: number): string =>
  isDay(new Date(at).toISOString().replace('.000Z', '')) ? 'UTC' : timeZone;

/** NaN for what is no day of the calendar: the parser takes 30 February for 2 March. */
function toUtc(day: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return new Date(at).getUTCDate() === Number(day.slice(-2)) ? at : Number.NaN;
}

const addDays = (day: string, count: number): string =>
  new Date(toUtc(day) + count * 86_400_000).toISOString().slice(0, 10);

/** Days from the first to the last, both counted. NaN where one is no date. */
export const daysOf = ({ from, to }: Dates): number => (toUtc(to) - toUtc(from)) / 86_400_000 + 1;

/** Why dates cannot be asked for; "" where they can. */
export function complaintOf({ from, to }: Dates): string {
  const days = daysOf({ from, to });
  if (Number.isNaN(days)) return 'Give two dates.';
  if (days < 1) return 'Give a first day that is not after the last.';
  return days > MAX_DAYS ? `Give at most ${MAX_DAYS} days.` : '';
}

/** The days of a period. @param published Day of the post, for the period `since`. Default: as long as there is. */
export function datesOf(period: PeriodName, own: Dates, today: string, published = ''): Dates {
  const longest = { from: addDays(today, -BACK['90d']), to: today };
  if (period === 'since') {
    if (published <= longest.from) return longest;
    // One that is still to be published has no day before today.
    return { from: published < today ? published : today, to: today };
  }
  if (period === 'own') return own;
  if (period === 'today') return { from: today, to: today };
  if (period === 'yesterday') return { from: addDays(today, -1), to: addDays(today, -1) };
  return { from: addDays(today, -BACK[period]), to: today };
}

/** Parameters of the API. A period up to now has no end, so that it is compared with as much of the one before. */
export function paramsOf({ from, to }: Dates, today: string): Params {
  return to >= today
    ? [['period_start', from]]
    : [
        ['period_start', from],
        ['period_end', to],
      ];
}

/** Both days, for the name of a file. */
export const spanOf = ({ from, to }: Dates): string => `${from}-${to}`;

/** Hours for a day or two, else days. */
export const intervalOf = (dates: Dates): 'hour' | 'day' => (daysOf(dates) <= 2 ? 'hour' : 'day');
