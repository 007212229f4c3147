// A period falls into whole days and edges, in every zone and around every change of clocks.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  asEdge,
  cutDays,
  cutForSums,
  cutPeriod,
  cutQuarters,
  type Edge,
  type SumCut,
} from '../../server/traffic/cut.ts';
import { addDays, dayOf, endOfDay, startOfDay } from '../../server/traffic/zone.ts';

const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'Australia/Lord_Howe',
];
const FROM = Date.parse('2016-01-01T00:00:00Z');
const TO = Date.parse('2027-01-01T00:00:00Z');
const instant = fc.integer({ min: FROM, max: TO });

test.each([
  ['days and edges', cutPeriod],
  ['days and edges, less what is too much,', cutForSums],
])('%s cover every instant of a period once, and nothing else', (_, cut) => {
  fc.assert(
    fc.property(
      instant,
      fc.integer({ min: 0, max: 10 * 86_400_000 }),
      instant,
      fc.constantFrom(...ZONES),
      (start, length, some, zone) => {
        const end = start + length;
        const { days, edges, surplus = [] }: Partial<SumCut> = cut({ start, end }, zone);
        for (const at of [
          start,
          end,
          start - 1,
          end + 1,
          some,
          Math.floor((start + end) / 2),
          startOfDay(dayOf(start, zone), zone),
          startOfDay(dayOf(end, zone), zone),
          startOfDay(addDays(dayOf(end, zone), 1), zone) - 1,
        ]) {
          const day = dayOf(at, zone);
          const inDays = days !== undefined && day >= days.first && day <= days.last;
          const times = (stretches: readonly Edge[] = []) =>
            stretches.filter((edge) => at >= edge.start && at <= edge.end && day >= edge.first && day <= edge.last)
              .length;
          expect(Number(inDays) + times(edges) - times(surplus)).toBe(at >= start && at <= end ? 1 : 0);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ['days', cutPeriod],
  ['sums', cutForSums],
  ['events', asEdge],
])('a period until now is read to the end of today, so that nothing of today is an edge: %s', (_, cut) => {
  fc.assert(
    fc.property(
      instant,
      fc.integer({ min: 0, max: 10 * 86_400_000 }),
      fc.constantFrom(...ZONES),
      (start, length, zone) => {
        const end = start + length;
        const midnight = endOfDay(dayOf(end, zone), zone);
        expect(cut({ start, end, untilNow: true }, zone)).toEqual(cut({ start, end: midnight }, zone));
        const nothing = { start, end: start - 1, untilNow: true } as const;
        expect(cut(nothing, zone)).toEqual(cut({ start, end: start - 1 }, zone));
      },
    ),
  );
});

test('whole days need no edges, in any zone', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 0, max: 90 }), fc.constantFrom(...ZONES), (at, more, zone) => {
      const first = dayOf(at, zone);
      const last = addDays(first, more);
      const period = { start: startOfDay(first, zone), end: startOfDay(addDays(last, 1), zone) - 1 };
      // A zone may skip a whole day of the calendar: Apia had no 30 December 2011.
      expect(cutPeriod(period, zone)).toEqual({ days: { first, last }, edges: [] });
    }),
  );
});

test('a period of whole days that ends now reads no event but what came after now', () => {
  const now = Date.parse('2026-03-20T15:30:00Z');
  const period = { start: Date.parse('2026-03-18T00:00:00Z'), end: now };
  expect(cutForSums(period, 'UTC')).toEqual({
    days: { first: '2026-03-18', last: '2026-03-20' },
    edges: [],
    surplus: [{ first: '2026-03-20', last: '2026-03-20', start: now + 1, end: Date.parse('2026-03-21') - 1 }],
  });
});

test('a period that ends before it starts is nothing', () => {
  expect(cutPeriod({ start: 2, end: 1 }, 'UTC')).toEqual({ days: undefined, edges: [] });
});

test('a period beyond all dates is cut to those there are', () => {
  const { days } = cutPeriod({ start: -1e15, end: 1e15 }, 'Pacific/Apia');
  expect(days).toEqual({ first: '1970-01-02', last: '2149-06-04' });
  expect(cutPeriod({ start: -1e15, end: -1e14 }, 'UTC')).toEqual({ days: undefined, edges: [] });
});

test('weeks and days are together exactly the days, and weeks begin on Mondays', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 0, max: 120 }), (at, more) => {
      const first = dayOf(at, 'UTC');
      const last = addDays(first, more);
      const { weeks, days } = cutDays({ first, last });
      const covered = days.flatMap((range) => span(range.first, range.last));
      if (weeks) {
        for (const monday of [weeks.first, weeks.last]) expect(new Date(monday).getUTCDay()).toBe(1);
        covered.push(...span(weeks.first, addDays(weeks.last, 6)));
      }
      expect(covered.sort()).toEqual(span(first, last));
    }),
  );
});

function span(first: string, last: string): string[] {
  const days = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

test('quarters of an hour and edges, less what is too much, cover every instant of an edge once, and nothing else', () => {
  const quarter = 900_000;
  const length = fc.oneof(
    fc.integer({ min: 0, max: 10_800_000 }),
    fc.nat(12).map((count) => count * quarter - 1),
  );
  const begin = fc.oneof(
    instant,
    instant.map((at) => at - (at % quarter)),
  );
  fc.assert(
    fc.property(begin, length, fc.constantFrom(...ZONES), (start, long, zone) => {
      const end = start + Math.max(0, long);
      const edge = { start, end, first: dayOf(start, zone), last: dayOf(end, zone) };
      const { first, last, edges, surplus } = cutQuarters(edge, zone);
      const [opens, closes] = [first * quarter, (last + 1) * quarter];
      for (const at of [start - 1, start, opens - 1, opens, end, end + 1, closes - 1, closes]) {
        const times = (stretches: readonly Edge[]) =>
          stretches.filter((one) => at >= one.start && at <= one.end).length;
        const inQuarters = at >= opens && at < closes;
        expect(Number(inQuarters) + times(edges) - times(surplus)).toBe(Number(at >= start && at <= end));
      }
    }),
    { numRuns: 500 },
  );
});
