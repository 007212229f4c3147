// What is kept, and for how long: older rows are gone when the engine has been over them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blankRow } from '../../server/ingest/eventRow.ts';
import type { SiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { type Scratch, scratch, silent } from './scratch.ts';

const DAY_MS = 24 * 3600 * 1000;
/** The engine goes by its own clock. */
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

test('events stay for 400 days, and at most a month longer', async () => {
  const events = createEventStore(engine);
  for (const days of [1, 399, 440]) {
    const time = NOW - days * DAY_MS;
    const day = new Date(time).toISOString().slice(0, 10);
    await events.append(
      [{ ...blankRow('a.example' as SiteId), time, day, url: `https://a.example/${days}` }],
      `${days}`,
    );
  }
  expect(await left('events')).toEqual(['https://a.example/1', 'https://a.example/399']);
});

test('the first view of a visitor stays until 400 days after the last one', async () => {
  const events = createEventStore(engine);
  const days = { '1': [440, 410], '2': [440, 10], '3': [399] };
  for (const [visitor, ages] of Object.entries(days)) {
    const rows = ages.map((age) => {
      const time = NOW - age * DAY_MS;
      const day = new Date(time).toISOString().slice(0, 10);
      return { ...blankRow('visited.example' as SiteId), visitor, time, day, url: 'https://visited.example/' };
    });
    await events.append(rows, `visitor ${visitor}`);
  }
  await engine.command('OPTIMIZE TABLE visitors FINAL');
  const first = `SELECT toString(visitor) AS visitor, round(({now:Int64} - first_view) / 86400000) AS age FROM visitors
    WHERE site = 'visited.example' ORDER BY visitor`;
  expect(await engine.rows(first, { now: NOW })).toEqual([
    { visitor: '2', age: 440 },
    { visitor: '3', age: 399 },
  ]);
});

test('reports of lists stay for 90 days, and at most a month longer; their sums by day stay', async () => {
  const events = createEventStore(engine);
  const item = {
    position: 1,
    post: 'https://a.example/post',
    source: 'words',
    seen: true,
    clicks: 0,
    alternative: 0,
  } as const;
  const list = { list: 'related', slot: '1', layout: 'list', experiment: '', variant: '', shown: true, items: [item] };
  for (const days of [1, 89, 130]) {
    const time = NOW - days * DAY_MS;
    const day = new Date(time).toISOString().slice(0, 10);
    const row = {
      ...blankRow('a.example' as SiteId),
      action: 'list',
      time,
      day,
      url: `https://a.example/${days}`,
    } as const;
    await events.append([{ ...row, lists: [list] }], `report ${days}`);
  }
  expect(await left('ledger')).toEqual(['https://a.example/1', 'https://a.example/89']);
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
