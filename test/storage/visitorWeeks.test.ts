// Weeks of visitors say what the events say, also after a visitor was erased.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { createVisitorStore } from '../../server/storage/forget.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';
import { makeWorld, WORLD_NOW } from '../support/worlds.ts';
import { scratch, silent } from './scratch.ts';

const place = scratch();
let engine: Engine;

beforeAll(async () => {
  engine = await connect(place.engine);
  await upgrade(engine, { log: silent, now: () => WORLD_NOW });
  const store = createEventStore(engine);
  for (let seed = 0; seed < 8; seed++) await store.append(makeWorld(seed).events, `world-${seed}`);
});

afterAll(async () => {
  await engine.close();
  place.remove();
});

const ROLLED = `SELECT toString(site) AS site, toString(post) AS post, toString(week) AS week, uniqCombined64Merge(16)(visitors) AS visitors
  FROM post_visitor_weeks GROUP BY ALL ORDER BY ALL`;
const COUNTED = `SELECT toString(site) AS site, toString(events.post) AS post, toString(toMonday(day)) AS week, uniqExact(visitor) AS visitors
  FROM events WHERE action = 'pageview' AND visitor != 0 GROUP BY ALL ORDER BY ALL`;

/** Sketches by day, and the same counted from the events. */
const BY_DAY = [
  [
    `SELECT toString(site), toString(post), toString(day), toString(channel), uniqCombined64Merge(16)(visitors) AS n
     FROM post_visitors GROUP BY ALL ORDER BY ALL`,
    `SELECT toString(site), toString(events.post), toString(day), toString(channel), uniqExact(visitor) AS n
     FROM events WHERE action = 'pageview' AND visitor != 0 GROUP BY ALL ORDER BY ALL`,
  ],
  [
    `SELECT toString(site), toString(post), toString(day), uniqCombined64Merge(16)(visitors) AS n
     FROM video_visitors GROUP BY ALL ORDER BY ALL`,
    `SELECT toString(site), toString(video_post), toString(day), uniqExact(visitor) AS n
     FROM events WHERE action = 'videostart' AND visitor != 0 AND video_post != 0 GROUP BY ALL ORDER BY ALL`,
  ],
  [
    `SELECT toString(site), toString(value), toString(day), uniqCombined64Merge(16)(visitors) AS n
     FROM facet_visitors WHERE facet = 'segment' GROUP BY ALL ORDER BY ALL`,
    `SELECT toString(site), toString(arrayJoin(arrayDistinct(segments))) AS value, toString(day), uniqExact(visitor) AS n
     FROM events WHERE action = 'pageview' AND visitor != 0 GROUP BY ALL ORDER BY ALL`,
  ],
] as const;

test('weeks of visitors hold what the events hold', async () => {
  const rolled = await engine.rows(ROLLED);
  expect(rolled.length).toBeGreaterThan(200);
  expect(rolled).toEqual(await engine.rows(COUNTED));
});

test('an erased visitor is in no week and in no day any more, and all others are', async () => {
  const [somebody] = await engine.rows<{ site: SiteId; who: string }>(
    `SELECT toString(site) AS site, toString(visitor) AS who FROM events WHERE action = 'pageview' AND visitor != 0
     GROUP BY site, visitor ORDER BY uniqExact(day) DESC, who LIMIT 1`,
  );
  const before = await engine.rows(ROLLED);
  await createVisitorStore(engine).forget(somebody!.site, { visitor: somebody!.who, uuid: 'somebody' });
  const after = await engine.rows(ROLLED);
  expect(after).not.toEqual(before);
  expect(after).toEqual(await engine.rows(COUNTED));
  for (const [sketches, events] of BY_DAY) {
    const values = async (sql: string) => (await engine.rows(sql)).map((row) => Object.values(row));
    expect((await values(sketches)).filter((row) => row.at(-1) !== 0)).toEqual(await values(events));
  }
});
