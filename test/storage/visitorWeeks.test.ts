// Weeks of visitors say what the events say, also after a visitor was erased.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { createVisitorStore } from '../../server/storage/forget.ts';
import { makeWorld, WORLD_NOW } from '../support/worlds.ts';
import { migratedScratch, type Scratch } from './scratch.ts';

let place: Scratch;
let engine: Engine;

beforeAll(async () => {
  place = await migratedScratch();
  engine = await connect(place.engine);
  const store = createEventStore(engine);
  // Asked at one moment: each month is a partition of every table.
  const events = Array.from({ length: 8 }, (_, seed) => makeWorld(seed, WORLD_NOW).events).flat();
  // The rows of a week are in several parts.
  for (const rest of [0, 1])
    await store.append(
      events.filter((_, at) => at % 2 === rest),
      `half-${rest}`,
    );
});

afterAll(async () => {
  await engine.close();
  place.remove();
});

const ROLLED = `SELECT toString(site) AS site, toString(post) AS post, toString(week) AS week, uniqCombinedMerge(16)(visitors) AS visitors
  FROM post_visitor_weeks GROUP BY ALL ORDER BY ALL`;
const COUNTED = `SELECT toString(site) AS site, toString(events.post) AS post, toString(toMonday(day)) AS week, uniqExact(visitor) AS visitors
  FROM events WHERE action = 'pageview' AND visitor != 0 GROUP BY ALL ORDER BY ALL`;

/** Sketches by day, and the same counted from the events. */
const BY_DAY = [
  [
    `SELECT toString(site), toString(post), toString(day), toString(channel), uniqCombinedMerge(16)(visitors) AS n
     FROM post_visitors GROUP BY ALL ORDER BY ALL`,
    `SELECT toString(site), toString(events.post), toString(day), toString(channel), uniqExact(visitor) AS n
     FROM events WHERE action = 'pageview' AND visitor != 0 GROUP BY ALL ORDER BY ALL`,
  ],
  [
    `SELECT toString(site), toString(post), toString(day), uniqCombinedMerge(16)(visitors) AS n
     FROM video_visitors GROUP BY ALL ORDER BY ALL`,
    `SELECT toString(site), toString(video_post), toString(day), uniqExact(visitor) AS n
     FROM events WHERE action = 'videostart' AND visitor != 0 AND video_post != 0 GROUP BY ALL ORDER BY ALL`,
  ],
  [
    `SELECT toString(site), toString(value), toString(day), uniqCombinedMerge(16)(visitors) AS n
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

test('a visitor of whom nothing is stored is looked for, and no table is rewritten', async () => {
  const rewritten = () => engine.rows('SELECT table, mutation_id FROM system.mutations ORDER BY ALL');
  const before = await rewritten();
  const store = createVisitorStore(engine);
  const [somewhere] = await engine.rows<{ site: SiteId }>('SELECT toString(any(site)) AS site FROM events');
  expect(await store.forget(somewhere!.site, { visitor: '987654321', uuid: 'nobody' })).toEqual({
    events: 0,
    visits: 0,
  });
  expect(await rewritten()).toEqual(before);
});

test('the profile of an erased reader is gone, and their id is in no statement that the engine keeps', async () => {
  const visits = ['erased-id', 'other-id'].map((uuid) => ({ site: 'a.example', uuid, url: 'x', time: Date.now() }));
  await engine.insert('profile_visits', visits);
  const store = createVisitorStore(engine);
  const erased = await store.forget('a.example' as SiteId, { visitor: '987654321', uuid: 'erased-id' });
  expect(erased).toEqual({ events: 0, visits: 1 });
  expect(await engine.rows('SELECT uuid FROM profile_visits')).toEqual([{ uuid: 'other-id' }]);
  const kept = await engine.rows(`SELECT command FROM system.mutations WHERE table = 'profile_visits'`);
  expect(kept).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toContain('erased-id');
});
