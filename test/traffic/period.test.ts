// Defaults, the ninety-day rules, and the days of /top.
import { describe, expect, test } from 'vitest';
import { parseMoment } from '../../server/traffic/moment.ts';
import { type PeriodRule, resolvePeriod, topPeriod } from '../../server/traffic/period.ts';

const DAY = 86_400_000;
const now = Date.parse('2026-03-20T15:30:00Z');
const clock = { now, zone: 'UTC' };
const refuse: PeriodRule = { defaultDays: 3, tooLong: 'refuse' };
const clamp: PeriodRule = { defaultDays: 90, tooLong: 'clamp' };

const ask = (start?: string, end?: string, days?: number) => ({
  start: start === undefined ? undefined : parseMoment(start),
  end: end === undefined ? undefined : parseMoment(end),
  days,
});

describe('periods', () => {
  test.each([
    ['three days by default', ask(), { start: now - 3 * DAY, end: now }],
    ['days look back', ask(undefined, undefined, 10), { start: now - 10 * DAY, end: now }],
    ['a start comes before days', ask('1d', undefined, 10), { start: now - DAY, end: now }],
    ['an end alone keeps the default start', ask(undefined, '1d'), { start: now - 3 * DAY, end: now - DAY }],
    ['an end before that moves it', ask(undefined, '10d'), { start: now - 13 * DAY, end: now - 10 * DAY }],
    ['ninety days', ask('90d'), { start: now - 90 * DAY, end: now }],
    ['ninety nights of the calendar', ask('2025-12-20'), { start: Date.parse('2025-12-20T00:00Z'), end: now }],
    ['more than ninety nights', ask('2025-12-19'), 'too-long'],
    ['more than ninety days', ask('91d'), 'too-long'],
    ['more than ninety days by days', ask(undefined, undefined, 91), 'too-long'],
    ['backwards', ask('1d', '2d'), 'backwards'],
  ])('%s', (_, asked, period) => {
    expect(resolvePeriod(asked, refuse, clock)).toEqual(period);
  });

  test.each([
    ['a minute after now', '2026-03-20T15:31Z', { start: now - 90 * DAY + 60_000, end: now + 60_000 }],
    ['further after now than may be', '2027-03-20', 'too-long'],
  ])('a default of ninety days and an end %s', (_, end, period) => {
    expect(resolvePeriod(ask(undefined, end), { ...refuse, defaultDays: 90 }, clock)).toEqual(period);
  });

  test('a look-back that is too long is cut', () => {
    expect(resolvePeriod(ask('2020-01-01'), clamp, clock)).toEqual({ start: now - 90 * DAY, end: now });
  });
});

describe('days of /top', () => {
  test('one is the last 24 hours', () => {
    expect(topPeriod(1, { now, zone: 'Asia/Tokyo' })).toEqual({ start: now - DAY, end: now });
  });

  test('more are today and the days before it in the site’s zone', () => {
    expect(topPeriod(2, { now, zone: 'Asia/Tokyo' })).toEqual({
      start: Date.parse('2026-03-20T00:00+09:00'),
      end: now,
    });
    expect(topPeriod(31, { now, zone: 'America/New_York' }).start).toBe(Date.parse('2026-02-18T00:00-05:00'));
  });

  test('two are never less than 24 hours, though yesterday may have had 23', () => {
    const at = Date.parse('2040-03-12T00:20-04:00');
    expect(topPeriod(2, { now: at, zone: 'America/New_York' }).start).toBe(at - DAY);
  });
});
