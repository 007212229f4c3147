// Defaults, the ninety-day rules, and the days of /top.
import { describe, expect, test } from 'vitest';
import { parseMoment } from '../../server/traffic/moment.ts';
import {
  type Period,
  type PeriodProblem,
  type PeriodRule,
  resolvePeriod,
  topPeriod,
} from '../../server/traffic/period.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.parse('2026-03-20T15:30:00Z');
const clock = { now, zone: 'UTC' };
const refuse: PeriodRule = { defaultDays: 3, tooLong: 'refuse' };
const clamp: PeriodRule = { defaultDays: 90, tooLong: 'clamp' };

const ask = (start?: string, end?: string, days?: number, time?: number) => ({
  start: start === undefined ? undefined : parseMoment(start),
  end: end === undefined ? undefined : parseMoment(end),
  days,
  time,
});

/** Whatever ends now or later is marked. */
const marked = (period: Period | PeriodProblem) =>
  typeof period === 'string' || period.end < now ? period : { ...period, untilNow: true };

const whole = (first: string, last: string) => ({ start: Date.parse(first), end: Date.parse(last) + DAY - 1 });

describe('periods', () => {
  test.each([
    ['three days by default', ask(), { start: now - 3 * DAY, end: now }],
    ['days look back', ask(undefined, undefined, 10), { start: now - 10 * DAY, end: now }],
    ['a start comes before days', ask('1d', undefined, 10), { start: now - DAY, end: now }],
    ['a time to look back', ask(undefined, undefined, undefined, 90_000), { start: now - 90_000, end: now }],
    ['days come before a time', ask(undefined, undefined, 2, 90_000), { start: now - 2 * DAY, end: now }],
    ['a time as an end is left out', ask('2h', '1h'), { start: now - 2 * HOUR, end: now - HOUR - 1 }],
    ['an end alone keeps the default start', ask(undefined, '1d'), { start: now - 3 * DAY, end: now - DAY - 1 }],
    ['an end before that moves it', ask(undefined, '10d'), { start: now - 13 * DAY, end: now - 10 * DAY - 1 }],
    ['days before a time', ask(undefined, '1d', 3), { start: now - 4 * DAY, end: now - DAY - 1 }],
    [
      'a look-back before a time',
      ask(undefined, '1d', undefined, HOUR),
      { start: now - DAY - HOUR, end: now - DAY - 1 },
    ],
    ['days before a date, and that day', ask(undefined, '2026-03-10', 3), whole('2026-03-08', '2026-03-10')],
    ['one day before a date is that day', ask(undefined, '2026-03-10', 1), whole('2026-03-10', '2026-03-10')],
    ['ninety days', ask('90d'), { start: now - 90 * DAY, end: now }],
    ['ninety whole days', ask('2026-05-01', '2026-07-29'), whole('2026-05-01', '2026-07-29')],
    ['ninety-one whole days', ask('2026-05-01', '2026-07-30'), 'too-long'],
    ['ninety days before a date', ask(undefined, '2026-03-20', 90), whole('2025-12-21', '2026-03-20')],
    ['a date ninety days back until now', ask('2025-12-20'), 'too-long'],
    ['a date eighty-nine days back until now', ask('2025-12-21'), { start: Date.parse('2025-12-21'), end: now }],
    ['more than ninety days', ask('91d'), 'too-long'],
    ['more than ninety days by days', ask(undefined, undefined, 91), 'too-long'],
    ['years without names', ask('1d', '9999-12-31T23:00-05:00'), 'too-long'],
    ['backwards', ask('1d', '2d'), 'backwards'],
    ['backwards by dates', ask('2026-03-11', '2026-03-10'), 'backwards'],
    ['between two equal times nothing', ask('1d', '1d'), { start: now - DAY, end: now - DAY - 1 }],
  ] as const)('%s', (_, asked, period) => {
    expect(resolvePeriod(asked, refuse, clock)).toEqual(marked(period));
  });

  test.each([
    ['a minute after now', '2026-03-20T15:31Z', { start: now - 90 * DAY + 60_000, end: now + 60_000 - 1 }],
    ['further after now than may be', '2027-03-20', 'too-long'],
  ] as const)('a default of ninety days and an end %s', (_, end, period) => {
    expect(resolvePeriod(ask(undefined, end), { ...refuse, defaultDays: 90 }, clock)).toEqual(marked(period));
  });

  test('ninety days of the calendar may have an hour more', () => {
    const paris = { now: Date.parse('2026-12-01T12:00Z'), zone: 'Europe/Paris' };
    const [start, end] = [Date.parse('2026-08-31T22:00Z'), Date.parse('2026-11-29T23:00Z') - 1];
    expect(end - start).toBeGreaterThan(90 * DAY);
    expect(resolvePeriod(ask('2026-09-01', '2026-11-29'), refuse, paris)).toEqual({ start, end });
    expect(resolvePeriod(ask(undefined, '2026-11-29', 90), refuse, paris)).toEqual({ start, end });
    expect(resolvePeriod(ask('2026-09-01', '2026-11-30'), refuse, paris)).toBe('too-long');
  });

  test('a look-back that is too long is cut', () => {
    expect(resolvePeriod(ask('2020-01-01'), clamp, clock)).toEqual(marked({ start: now - 90 * DAY, end: now }));
  });
});

describe('days of /top', () => {
  test('one is the last 24 hours', () => {
    expect(topPeriod(1, { now, zone: 'Asia/Tokyo' })).toEqual(marked({ start: now - DAY, end: now }));
  });

  test('more are today and the days before it in the site’s zone', () => {
    expect(topPeriod(2, { now, zone: 'Asia/Tokyo' })).toEqual(
      marked({ start: Date.parse('2026-03-20T00:00+09:00'), end: now }),
    );
    expect(topPeriod(31, { now, zone: 'America/New_York' }).start).toBe(Date.parse('2026-02-18T00:00-05:00'));
  });

  test('two are never less than 24 hours, though yesterday may have had 23', () => {
    const at = Date.parse('2040-03-12T00:20-04:00');
    expect(topPeriod(2, { now: at, zone: 'America/New_York' }).start).toBe(at - DAY);
  });
});
