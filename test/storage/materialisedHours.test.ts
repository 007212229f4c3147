// Hours of busy days that are over, and first views of their visitors: a series says the same with them as without them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR } from '../../server/durations.ts';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import { materialiseHours } from '../../server/rankings/materialiseHours.ts';
import { countSeriesAndWhole } from '../../server/rankings/series.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { QueryTimeoutError } from '../../server/storage/errors.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { createVisitorStore } from '../../server/storage/forget.ts';
import { createMaterialisedHourStore } from '../../server/storage/materialisedHours.ts';
import { createTrafficStore } from '../../server/storage/traffic.ts';
import { cutIntervals, type Interval } from '../../server/traffic/intervals.ts';
import type { Metric } from '../../server/traffic/metrics.ts';
import type { Period } from '../../server/traffic/period.ts';
import type { Scope } from '../../server/traffic/scope.ts';
import { dayOf, startOfDay } from '../../server/traffic/zone.ts';
import { migratedScratch, type Scratch } from './scratch.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const ID = parseSiteId('paper.example')!;
/** Its clocks change within the days that are counted. */
const ZONE = 'America/New_York';
const hidden = new Set<string>();
const page = (name: string) => `https://paper.example/${name}`;

let place: Scratch;
let engine: Engine;
beforeAll(async () => {
  place = await migratedScratch();
  engine = await connect(place.engine);
  await engine.insert(
    'posts',
    ['a', 'b'].map((name) => ({
      site: ID,
      url: page(name),
      page_type: 'post',
      title: name,
      updated_at: NOW,
      deleted: 0,
    })),
  );
  const rows = Array.from({ length: 600 }, (_, at) => {
    const time = NOW - Math.floor((((at * 7919) % 600) / 600) * 12 * DAY);
    const action = at % 5 === 0 ? 'heartbeat' : 'pageview';
    const row = {
      day: dayOf(time, ZONE),
      time,
      action,
      url: page(['a', 'b', 'index'][at % 3]!),
      // Some are there every day, of the others some come for the first time on each.
      visitor: String(at % 2 === 0 ? 1 + (at % 40) : 100 + ((at * 31) % 400)),
    };
    return { ...blankRow(ID), ...row, seconds: at % 5 === 0 ? 7 : 0 } as EventRow;
  });
  await createEventStore(engine).append([...rows, viewOf('900', DAYS_AGO), viewOf('900', 10)], 'all');
});
afterAll(async () => {
  await engine.close();
  place.remove();
});

/** Days are kept one by one by the first views of 31 days before them: of the day ten days ago, this one is too early. */
const DAYS_AGO = 42;
const MATERIALISED_DAYS = 13;

function viewOf(visitor: string, daysAgo: number): EventRow {
  const time = midnight(daysAgo) + HOUR;
  return { ...blankRow(ID), day: dayOf(time, ZONE), time, action: 'pageview', url: page('b'), visitor } as EventRow;
}

const keep = (now = NOW, zone = ZONE) =>
  materialiseHours({
    store: { materialisedHours: createMaterialisedHourStore(engine), traffic: createTrafficStore(engine) },
    sites: { find: () => ({ id: ID, timezone: zone }) as Site },
    exclusions: { of: async () => hidden },
    now: () => now,
    views: 1,
  });

const midnight = (daysAgo: number) => startOfDay(dayOf(NOW - daysAgo * DAY, ZONE), ZONE);
const [WITHIN_DAYS, UNTIL_NOW, OF_DAYS] = [
  { start: NOW - 11 * DAY + HOUR / 3, end: NOW },
  { start: midnight(6), end: NOW },
  { start: midnight(9), end: midnight(3) - 1 },
];
const ASKED: readonly [period: Period, interval: Interval, metrics: Metric[]][] = [
  ...(['hour', 'day', 'week'] as const).map((interval): [Period, Interval, Metric[]] => [
    WITHIN_DAYS,
    interval,
    ['views', 'visitors', 'engaged_minutes'],
  ]),
  [WITHIN_DAYS, 'hour', ['fb_interactions']],
  [WITHIN_DAYS, 'day', ['visitors_new']],
  [UNTIL_NOW, 'hour', ['visitors_new']],
  [UNTIL_NOW, 'day', ['visitors_new', 'visitors_returning']],
  [OF_DAYS, 'day', ['visitors_new', 'visitors']],
  [OF_DAYS, 'week', ['visitors_returning']],
  [{ start: midnight(DAYS_AGO), end: NOW }, 'month', ['visitors_returning']],
];

/** One of each kind, for tests of whether days are made again. */
const FEW: typeof ASKED = [
  [WITHIN_DAYS, 'hour', ['views', 'fb_interactions']],
  [WITHIN_DAYS, 'day', ['visitors']],
  [UNTIL_NOW, 'day', ['visitors_new', 'visitors_returning']],
  [OF_DAYS, 'week', ['visitors_new']],
];

/** Series of all these, and whether what is kept was read. */
async function series(asked = ASKED, zone = ZONE): Promise<{ counted: unknown; isKept: boolean }> {
  const store = createTrafficStore(engine);
  const read = new Set<string>();
  const watched: typeof store = {
    run: (query) => {
      for (const table of ['materialised_hours', 'materialised_first_views'])
        if (query.sql.includes(`FROM ${table}`)) read.add(table);
      return store.run(query);
    },
  };
  const counted = [];
  for (const [period, interval, metrics] of asked) {
    const scope: Scope = { site: ID, zone, period, excluded: hidden };
    const cut = cutIntervals(period, { interval, zone });
    counted.push(await countSeriesAndWhole(watched, { scope, interval, series: cut, metrics, whole: true }));
  }
  return { counted, isKept: read.size === 2 };
}

/** The newest run of each day, the lowest first. */
async function runs(): Promise<Map<string, number>> {
  const rows = await engine.rows<{ day: string; run: number }>(
    'SELECT toString(day) AS day, run FROM materialised_days FINAL ORDER BY run',
  );
  return new Map(rows.map(({ day, run }) => [day, run]));
}

test('days are kept once, and say what the events say', async () => {
  const before = await series();
  expect(before.isKept).toBe(false);
  expect(JSON.stringify(before.counted)).toContain('"visitors":3');
  expect(await keep()).toBe(MATERIALISED_DAYS);
  expect(await keep()).toBe(0);
  expect(await series()).toEqual({ counted: before.counted, isKept: true });
});

test('what does not count any more is in no series, and the days are kept again', async () => {
  const before = await series();
  hidden.add(page('a'));
  const without = await series();
  expect(without.isKept).toBe(false);
  expect(without.counted).not.toEqual(before.counted);
  // On the earliest one that page was not read.
  expect(await keep()).toBe(MATERIALISED_DAYS - 1);
  expect(await series()).toEqual({ counted: without.counted, isKept: true });
});

test('where two days have runs of the same number, rows of a superseded run neither count nor take others with them', async () => {
  const before = await series();
  const days = [...(await runs())];
  const [other] = days[0]!;
  const [one, newest] = days.at(-1)!;
  // Both are kept again, with the first number that is free.
  const stale = { site: ID, zone: '', uncounted: '0', counted: 0 };
  await engine.insert('materialised_days', [
    { ...stale, day: one, run: newest },
    { ...stale, day: other, run: newest - 1 },
  ]);
  expect(await keep(NOW - 1)).toBe(2);
  const kept = await runs();
  expect([kept.get(one), kept.get(other)]).toEqual([newest + 1, newest]);
  expect(await series()).toEqual({ ...before, isKept: true });

  await createMaterialisedHourStore(engine).removeSuperseded(NOW + DAY);
  for (const table of ['materialised_hours', 'materialised_first_views']) {
    const [left] = await engine.rows(`SELECT uniqExact(day, run) AS runs FROM ${table}`);
    expect(left).toEqual({ runs: MATERIALISED_DAYS });
  }
  expect(await series()).toEqual({ ...before, isKept: true });
});

test('of a site that has another time zone now, days of the former one are neither read nor kept', async () => {
  const before = await series(ASKED, 'Asia/Tokyo');
  expect(before.isKept).toBe(false);
  // The earliest day, whose only view is of this day in both.
  expect(await keep(NOW + 10, 'Asia/Tokyo')).toBe(1);
  expect((await series(ASKED, 'Asia/Tokyo')).counted).toEqual(before.counted);
  await engine.command('TRUNCATE TABLE materialised_days');
  // Of another millisecond: a run could have the number of one whose record is removed.
  await keep(NOW + 11);
});

test('a reader who was forgotten is in no kept hour, and the views stay counted', async () => {
  const viewsOf = ({ counted }: { counted: unknown }) => JSON.stringify(counted).match(/"views":\d+/g);
  const before = await series(FEW);
  expect(before.isKept).toBe(true);
  await createVisitorStore(engine).forget(ID, { visitor: '3', uuid: '' });
  const without = await series(FEW);
  expect(without.counted).not.toEqual(before.counted);
  expect(viewsOf(without)).toEqual(viewsOf(before));
  // Records of runs are removed too: a run of the same millisecond could take the number of one of them, and its insert be
  // dropped as a repeated one.
  await keep(NOW + 1);
  expect((await series(FEW)).counted).toEqual(without.counted);
});

test('a reader whose day is kept while they are forgotten is in no kept hour', async () => {
  const before = await series(FEW);
  const keeping: Engine = {
    ...engine,
    command: async (sql, params) => {
      if (sql.includes('ALTER TABLE events ')) await keep(NOW + 2);
      await engine.command(sql, params);
    },
  };
  await createVisitorStore(keeping).forget(ID, { visitor: '5', uuid: '' });
  const without = await series(FEW);
  expect(without.counted).not.toEqual(before.counted);
  for (const table of ['materialised_days', 'materialised_hours']) await engine.command(`TRUNCATE TABLE ${table}`);
  expect((await series(FEW)).counted).toEqual(without.counted);
});

const comeLate = (visitor: string) => createEventStore(engine).append([viewOf(visitor, 10)], `late-${visitor}`);

test('a view that came late makes its visitor no new one of later days, once a day', async () => {
  await keep(NOW + 2);
  const before = await series(FEW);
  await comeLate('129');
  expect(await keep(NOW + 3)).toBe(1);
  // The nine days after it that were kept, and the one that has ended since.
  expect(await keep(NOW + DAY + 4)).toBe(10);
  const after = await series(FEW);
  expect(after.counted).not.toEqual(before.counted);
  for (const table of ['materialised_days', 'materialised_hours']) await engine.command(`TRUNCATE TABLE ${table}`);
  expect(await series(FEW)).toEqual({ counted: after.counted, isKept: false });
});

test.each([
  ['of three months ago', { keptAt: 90, madeAt: 92, visitor: '387' }],
  ['that were kept while the clock was ahead', { keptAt: 30, madeAt: 2, visitor: '481' }],
])('a view that came late makes its visitor no new one of later days %s', async (_, { keptAt, madeAt, visitor }) => {
  await keep(NOW + keptAt * DAY);
  const before = await series(FEW);
  await comeLate(visitor);
  await keep(NOW + madeAt * DAY);
  const after = await series(FEW);
  expect(after.counted).not.toEqual(before.counted);
  for (const table of ['materialised_days', 'materialised_hours']) await engine.command(`TRUNCATE TABLE ${table}`);
  expect(await series(FEW)).toEqual({ counted: after.counted, isKept: false });
});

test('a share that came late is counted, also where nothing else came', async () => {
  await keep(NOW + 20);
  const before = await series(FEW);
  const share = { ...viewOf('1', 10), action: 'share', network: 'fb' } as EventRow;
  await createEventStore(engine).append([share], 'shared');
  expect(await keep(NOW + 21)).toBe(1);
  const after = await series(FEW);
  expect(after.counted).not.toEqual(before.counted);
  await engine.command('TRUNCATE TABLE materialised_days');
  expect((await series(FEW)).counted).toEqual(after.counted);
});

test('a site that cannot be counted keeps no other from being kept', async () => {
  const other = parseSiteId('large.example')!;
  const kept = createMaterialisedHourStore(engine);
  for (const table of ['materialised_days', 'materialised_hours']) await engine.command(`TRUNCATE TABLE ${table}`);
  const keeping = materialiseHours({
    store: {
      materialisedHours: {
        ...kept,
        busy: async (of) => [{ site: other, day: '2040-03-10' }, ...(await kept.busy(of))],
      },
      traffic: createTrafficStore(engine),
    },
    sites: { find: (id) => ({ id, timezone: ZONE }) as Site },
    exclusions: {
      of: async (id) => (id === other ? Promise.reject(new QueryTimeoutError('Too long.')) : hidden),
    },
    now: () => NOW,
    views: 1,
  });
  await expect(keeping).rejects.toThrow('Days of 1 sites could not be kept by hour.');
  expect((await runs()).size).toBe(MATERIALISED_DAYS);
});

test('a day whose events are gone stays as it was kept', async () => {
  await keep(NOW + 30);
  const gone = viewOf('1', 5);
  await engine.command('ALTER TABLE events DELETE WHERE day = {day:Date}', { day: gone.day });
  await createEventStore(engine).append([gone], 'gone');
  expect(await keep(NOW + 31)).toBe(0);
});
