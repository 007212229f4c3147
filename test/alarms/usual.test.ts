// What is usual for a weekday and a time of day, and the curve that is made of it: laws that hold for any traffic.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, QUARTER } from '../../server/durations.ts';
import '../support/seed.ts';
import { createCurve, quartersFor } from '../../server/alarms/curve.ts';
import { sameTimesBefore, usualOf } from '../../server/alarms/usual.ts';
import { offsetAt } from '../../server/traffic/zone.ts';

const ZONES = ['UTC', 'Europe/Madrid', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });
const values = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 8 });

test.each([
  { values: [5], usual: { low: 5, median: 5, high: 5 } },
  { values: [1, 2], usual: { low: 1.25, median: 1.5, high: 1.75 } },
  { values: [9, 1, 5], usual: { low: 3, median: 5, high: 7 } },
  { values: [8, 1, 7, 2, 6, 3, 5, 4], usual: { low: 2.75, median: 4.5, high: 6.25 } },
])('of $values, $usual.median is usual', ({ values, usual }) => {
  expect(usualOf(values)).toEqual(usual);
});

test('nothing is usual where nothing is known', () => {
  expect(usualOf([])).toBeUndefined();
});

test('what is usual is in order, does not depend on the order of the weeks, and lies within them', () => {
  fc.assert(
    fc.property(values, (some) => {
      const { low, median, high } = usualOf(some)!;
      expect(Math.min(...some) <= low && low <= median && median <= high && high <= Math.max(...some)).toBe(true);
      expect(usualOf([...some].reverse())).toEqual({ low, median, high });
      const atMost = some.filter((value) => value <= median).length;
      expect(atMost * 2).toBeGreaterThanOrEqual(some.length);
    }),
  );
});

test('one odd week of eight does not move what is usual beyond the others', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 7, maxLength: 7 }), fc.nat(1e9), (weeks, odd) => {
      const { low, high } = usualOf([...weeks, odd])!;
      expect(low).toBeGreaterThanOrEqual(Math.min(...weeks, odd));
      expect(high).toBeLessThanOrEqual(Math.max(...weeks));
    }),
  );
});

test('the same times of the weeks before show the same weekday and clock, across changes of the clock', () => {
  fc.assert(
    fc.property(instant, zone, (now, place) => {
      const local = now + offsetAt(now, place);
      for (const [week, time] of sameTimesBefore(now, place).entries()) {
        const difference = time + offsetAt(time, place) - (local - (week + 1) * 7 * DAY);
        // A time that the clock skipped does not exist in that week.
        expect([0, HOUR / 2, HOUR]).toContain(Math.abs(difference));
        expect(Math.abs(now - time - (week + 1) * 7 * DAY)).toBeLessThanOrEqual(HOUR);
      }
    }),
  );
});

test('ten in the morning in Madrid is ten in the morning before the clock changed', () => {
  const [week] = sameTimesBefore(Date.parse('2040-03-27T08:00:00Z'), 'Europe/Madrid');
  expect(new Date(week!).toISOString()).toBe('2040-03-20T09:00:00.000Z');
});

test('a curve over steady traffic has it in every stretch of time, and is undefined of fewer than three weeks', () => {
  fc.assert(
    fc.property(
      instant,
      zone,
      fc.record({
        perQuarter: fc.integer({ min: 1, max: 5000 }),
        weeks: fc.nat(8),
        minutes: fc.integer({ min: 1, max: 200 }),
      }),
      (now, place, { perQuarter, weeks, minutes }) => {
        const quarters = quartersFor(now - 4 * HOUR, now, place);
        const views = new Map(quarters.flatMap(({ before }) => before.slice(0, weeks).map((one) => [one, perQuarter])));
        const curve = createCurve(quarters, views);
        expect(curve?.weeks).toBe(weeks < 3 ? undefined : weeks);
        const usual = curve?.between(now - minutes * 60_000, now);
        if (usual) expect(usual.median).toBeCloseTo((perQuarter * minutes * 60_000) / QUARTER, 6);
      },
    ),
    { numRuns: 50 },
  );
});
