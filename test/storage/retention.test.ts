// What is kept, and for how long: the server removes months of traffic; the engine, by its own clock, what can be missed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import type { SiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { createExpiryStore } from '../../server/storage/expiredMonths.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { SCHEMA } from '../../server/storage/schema/schema.ts';
import { keepOf } from '../../server/storage/schema/table.ts';
import { addDays } from '../../server/traffic/zone.ts';
import { type Scratch, scratch, silent } from './scratch.ts';

const DAY_MS = 24 * 3600 * 1000;
/** The engine's own clock. */
const NOW = Date.now();

let place: Scratch;
let engine: Engine;
beforeAll(async () => {
  place = scratch();
  await (await openStore({ engine: place.engine, log: silent, now: () => NOW })).close();
  engine = await connect(place.engine);
});
afterAll(async () => {
  await engine.close();
  place.remove();
});

/** URLs of a table that the engine has been over. */
async function left(table: string): Promise<string[]> {
  await engine.command(`OPTIMIZE TABLE ${table} FINAL`);
  return (await engine.rows<{ url: string }>(`SELECT url FROM ${table} ORDER BY url`)).map(({ url }) => url);
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** URLs of a table from which the months that have expired on a day were removed. */
async function leftOn(today: string, table: string): Promise<string[]> {
  await createExpiryStore(engine).removeExpired(today);
  return (await engine.rows<{ url: string }>(`SELECT url FROM ${table} ORDER BY day`)).map(({ url }) => url);
}

/** An event of noon, whose page is its day. */
const eventOf = (site: string, day: string): EventRow => ({
  ...blankRow(site as SiteId, `https://${site}/${day}`),
  time: Date.parse(`${day}T12:00:00Z`),
  day,
});

test('events stay for 400 days, and at most a month longer', async () => {
  const days = ['2030-01-01', '2030-01-31', '2030-02-01'];
  const page = (day: string) => `https://months.example/${day}`;
  await createEventStore(engine).append(
    days.map((day) => eventOf('months.example', day)),
    'of months',
  );
  const day400 = addDays('2030-01-31', 400);
  expect(await leftOn(addDays(day400, -1), 'events')).toEqual(days.map(page));
  expect(await engine.rows('SELECT DISTINCT toString(day) AS day FROM post_days ORDER BY day')).toHaveLength(3);
  expect(await leftOn(day400, 'events')).toEqual([page('2030-02-01')]);
  expect(await engine.rows('SELECT DISTINCT toString(day) AS day FROM post_days')).toEqual([{ day: '2030-02-01' }]);
  expect(await createExpiryStore(engine).isAnyExpired(day400)).toBe(false);
  expect(await createExpiryStore(engine).isAnyExpired(addDays('2030-02-28', 400))).toBe(true);
});

test('what is kept for 400 days stays when the engine goes over it, whatever its clock shows', async () => {
  const ancient = addDays(dayOf(NOW), -2_000);
  await createEventStore(engine).append(
    [{ ...eventOf('ancient.example', ancient), visitor: '7' }],
    'of 2,000 days ago',
  );
  for (const { name } of SCHEMA.tables.filter((table) => keepOf(table) !== undefined))
    await engine.command(`OPTIMIZE TABLE ${name} FINAL`);
  const inTables = async (table: string) =>
    Number(
      (await engine.rows<{ n: number }>(`SELECT count() AS n FROM ${table} WHERE site = 'ancient.example'`))[0]!.n,
    );
  for (const table of ['events', 'site_days', 'post_visitors', 'visitors']) expect(await inTables(table)).toBe(1);
});

test('the first view of a visitor stays until 400 days after the last one', async () => {
  const events = createEventStore(engine);
  const site = 'visited.example';
  const days = { '1': ['2031-01-05', '2031-01-31'], '2': ['2031-01-05', '2031-02-01'] };
  for (const [visitor, views] of Object.entries(days)) {
    const rows = views.map((day) => ({ ...eventOf(site, day), visitor }));
    await events.append(rows, `visitor ${visitor}`);
  }
  await engine.command('OPTIMIZE TABLE visitors FINAL');
  const visitors = async (today: string) => {
    await createExpiryStore(engine).removeExpired(today);
    const sql = `SELECT toString(visitor) AS visitor, first_view FROM visitors WHERE site = {site:String} ORDER BY visitor`;
    return (await engine.rows<{ visitor: string; first_view: number }>(sql, { site })).map(
      ({ visitor, first_view }) => [visitor, dayOf(Number(first_view))],
    );
  };
  const day400 = addDays('2031-01-31', 400);
  expect(await visitors(addDays(day400, -1))).toEqual([
    ['1', '2031-01-05'],
    ['2', '2031-01-05'],
  ]);
  expect(await visitors(day400)).toEqual([['2', '2031-01-05']]);
});

test('reports of lists stay for 90 days, and at most a month longer; their sums by day stay', async () => {
  const item = {
    position: 1,
    post: 'https://a.example/post',
    source: 'words',
    seen: true,
    clicks: 0,
    alternative: 0,
  } as const;
  const list = { list: 'related', slot: '1', layout: 'list', experiment: '', variant: '', shown: true, items: [item] };
  const reports = ['2032-01-05', '2032-01-31', '2032-02-01'].map(
    (day): EventRow => ({ ...eventOf('listed.example', day), action: 'list', lists: [list] }),
  );
  await createEventStore(engine).append(reports, 'reports');
  const day90 = addDays('2032-01-31', 90);
  expect(await leftOn(addDays(day90, -1), 'ledger')).toHaveLength(3);
  expect(await leftOn(day90, 'ledger')).toEqual(['https://listed.example/2032-02-01']);
  expect(await engine.rows('SELECT sum(seen) AS seen, sum(lists) AS lists FROM ledger_days')).toEqual([
    { seen: 3, lists: 3 },
  ]);
});

test.each([
  ['profile_visits', 7, (time: number, url: string) => ({ site: 'a.example', uuid: 'reader', url, time })],
  ['exclusions', 90, (time: number, url: string) => ({ site: 'a.example', url, updated_at: time, deleted: 0 })],
] as const)('%s stay for %i days', async (table, days, toRow) => {
  const aged = (age: number) => toRow(NOW - age * DAY_MS, `https://a.example/${age}`);
  await engine.insert(table, [aged(1), aged(days - 1), aged(days + 1)]);
  expect(await left(table)).toEqual(['https://a.example/1', `https://a.example/${days - 1}`].sort());
});
