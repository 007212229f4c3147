// Roll-ups count what the events say, once: also when a batch is written again after an answer that got lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventRow, ListRow } from '../../server/ingest/eventRow.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';
import { makeWorld, WORLD_NOW } from '../support/worlds.ts';
import { scratch, silent } from './scratch.ts';

const place = scratch();
let engine: Engine;

beforeAll(async () => {
  engine = await connect(place.engine);
  await upgrade(engine, { log: silent, now: () => WORLD_NOW });
  const store = createEventStore(engine);
  for (let seed = 0; seed < 5; seed++) {
    const rows = withReports(makeWorld(seed).events);
    for (let time = 0; time < 3; time++) await store.append(rows, `world-${seed}`);
  }
});

afterAll(async () => {
  await engine.close();
  place.remove();
});

/** Every page view reports a list of its page, whose second item was seen and clicked. */
function withReports(events: readonly EventRow[]): EventRow[] {
  const named = { list: 'related', slot: '1', layout: 'grid', experiment: '', variant: '', shown: true };
  const items = (url: string): ListRow['items'] => [
    { position: 1, post: url, source: 'words', seen: true, clicks: 0, alternative: 0 },
    { position: 2, post: 'https://example.com/other', source: 'readers', seen: true, clicks: 2, alternative: 0 },
  ];
  return events.flatMap((event) =>
    event.action === 'pageview'
      ? [event, { ...event, action: 'list', lists: [{ ...named, items: items(event.url) }] }]
      : [event],
  );
}

const count = async (sql: string) => Object.values((await engine.rows<Record<string, number>>(sql))[0]!);

test('each batch is stored once', async () => {
  const expected = [0, 1, 2, 3, 4].reduce((sum, seed) => sum + makeWorld(seed).events.length, 0);
  expect(await count('SELECT count() FROM events')).toEqual([expected]);
});

test('the rows of an insert have keys of their own in each roll-up, so that it merges none before it writes them', async () => {
  const merging = `SELECT sum(value) FROM system.events WHERE event = 'MergeTreeDataWriterMergingBlocksMicroseconds'`;
  const before = await count(merging);
  await createEventStore(engine).append(withReports(makeWorld(0).events), 'world-0 again, under another token');
  expect(await count(merging)).toEqual(before);
  const tables = await engine.rows<{ name: string; key: string }>(
    `SELECT name, sorting_key AS key FROM system.tables
     WHERE database = currentDatabase() AND engine IN ('SummingMergeTree', 'AggregatingMergeTree')
       AND name NOT LIKE 'materialised\\_%' -- filled by a job`,
  );
  expect(tables.length).toBeGreaterThan(9);
  for (const { name, key } of tables)
    expect([
      name,
      ...(await count(`SELECT max(n) FROM (SELECT count() AS n FROM ${name} GROUP BY _part, ${key})`)),
    ]).toEqual([name, 1]);
});

const OF_PAGES = `countIf(action = 'pageview'), countIf(action = 'pageview' AND device = 'mobile'), sumIf(seconds, action = 'heartbeat'),
  countIf(action = 'share' AND network = 'tw')`;
const SUMS = 'sum(views), sum(mobile_views), sum(engaged_seconds), sum(tw_interactions)';
const LED_ON = `action = 'pageview' AND referrer_type = 'internal' AND referrer_url NOT IN ('', url)`;

test.each([
  ['days of pages', `SELECT ${SUMS} FROM post_days`, `SELECT ${OF_PAGES} FROM events`],
  ['days of sites', `SELECT ${SUMS} FROM site_days`, `SELECT ${OF_PAGES} FROM events`],
  [
    'quarters of an hour of sites',
    `SELECT ${SUMS}, uniqExact(site, day, quarter) FROM site_quarters`,
    `SELECT ${OF_PAGES}, uniqExactIf(site, day, intDiv(time, 900000), action IN ('pageview', 'heartbeat', 'share')) FROM events`,
  ],
  [
    'quarters of an hour of facets',
    `SELECT ${SUMS}, uniqExact(site, day, quarter) FROM facet_quarters WHERE facet = 'campaign_id'`,
    `SELECT ${OF_PAGES}, uniqExactIf(site, day, intDiv(time, 900000), action IN ('pageview', 'heartbeat', 'share'))
     FROM events WHERE campaign_id != ''`,
  ],
  ['weeks of pages', `SELECT ${SUMS} FROM post_weeks`, `SELECT ${OF_PAGES} FROM events`],
  ['pages that led on, by day', 'SELECT sum(recirculated) FROM post_days', `SELECT countIf(${LED_ON}) FROM events`],
  ['pages that led on, by week', 'SELECT sum(recirculated) FROM post_weeks', `SELECT countIf(${LED_ON}) FROM events`],
  [
    'facets of pages',
    `SELECT ${SUMS} FROM facet_days WHERE facet = 'segment'`,
    `SELECT ${OF_PAGES} FROM events ARRAY JOIN segments`,
  ],
  [
    'facets',
    `SELECT ${SUMS} FROM facet_totals WHERE facet = 'campaign_id'`,
    `SELECT ${OF_PAGES} FROM events WHERE campaign_id != ''`,
  ],
  [
    'videos',
    'SELECT sum(starts), sum(watched_seconds) FROM video_days',
    `SELECT countIf(action = 'videostart'), sumIf(seconds, action = 'vheartbeat') FROM events`,
  ],
  [
    'days of lists',
    'SELECT sum(lists), sum(seen), sum(clicks) FROM ledger_days',
    'SELECT sum(shown), sum(arraySum(ledger.seen)), sum(arraySum(ledger.clicks)) FROM ledger',
  ],
  [
    'days of lists without posts',
    'SELECT sum(lists), sum(seen), sum(clicks) FROM ledger_totals',
    'SELECT sum(shown), sum(arraySum(ledger.seen)), sum(arraySum(ledger.clicks)) FROM ledger',
  ],
  [
    'visitors of pages',
    'SELECT sum(n) FROM (SELECT uniqCombinedMerge(16)(visitors) AS n FROM post_visitors GROUP BY site, post, day, channel)',
    `SELECT uniqExact(site, post, day, channel, visitor) FROM events WHERE action = 'pageview' AND visitor != 0`,
  ],
  [
    'first views',
    'SELECT count(), sum(at) FROM (SELECT min(first_view) AS at FROM visitors GROUP BY site, visitor)',
    `SELECT count(), sum(at) FROM (SELECT min(time) AS at FROM events WHERE action = 'pageview' AND visitor != 0 GROUP BY site, visitor)`,
  ],
])('%s say what the events say', async (_, rolled, raw) => {
  expect(await count(rolled)).toEqual(await count(raw));
});
