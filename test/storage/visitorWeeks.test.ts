// A data directory of an earlier version brings its history along, and weeks of visitors say what the events say, also after
// one of them was forgotten.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { createVisitorStore } from '../../server/storage/forget.ts';
import { migrations } from '../../server/storage/migrations/index.ts';
import { migrate } from '../../server/storage/migrations/migrate.ts';
import { makeWorld, WORLD_NOW } from '../support/worlds.ts';
import { asEarlier, insertEarlier } from './earlierEvents.ts';
import { scratch, silent } from './scratch.ts';

const STEP = 7;
const place = scratch();
let engine: Engine;

const context = { log: silent, now: () => WORLD_NOW };

beforeAll(async () => {
  engine = await connect(place.engine);
  await migrate(
    engine,
    migrations.filter(({ version }) => version < STEP),
    context,
  );
  const store = createEventStore(engine);
  for (let seed = 0; seed < 4; seed++)
    await insertEarlier(engine, makeWorld(seed).events.map(asEarlier), ['referrerHost']);
  await migrate(engine, migrations, context);
  for (let seed = 4; seed < 8; seed++) await store.append(makeWorld(seed).events, `after-${seed}`);
});

afterAll(async () => {
  await engine.close();
  place.remove();
});

const ROLLED = `SELECT toString(site) AS site, toString(post) AS post, toString(week) AS week, uniqCombined64Merge(16)(visitors) AS visitors
  FROM post_visitor_weeks GROUP BY ALL ORDER BY ALL`;
const COUNTED = `SELECT toString(site) AS site, toString(events.post) AS post, toString(toMonday(day)) AS week, uniqExact(visitor) AS visitors
  FROM events WHERE action = 'pageview' AND visitor != 0 GROUP BY ALL ORDER BY ALL`;

test('weeks of visitors hold what came before the step that made them, and after', async () => {
  const rolled = await engine.rows(ROLLED);
  expect(rolled.length).toBeGreaterThan(100);
  expect(rolled).toEqual(await engine.rows(COUNTED));
});

test('the step can be taken again, as after a start that was interrupted', async () => {
  const step = migrations.find(({ version }) => version === STEP)!;
  for (const statement of step.statements) await engine.command(statement);
  expect(await engine.rows(ROLLED)).toEqual(await engine.rows(COUNTED));
});

test('an erased visitor is in no week any more, and all others are', async () => {
  const [somebody] = await engine.rows<{ site: SiteId; who: string }>(
    `SELECT toString(site) AS site, toString(visitor) AS who FROM events WHERE action = 'pageview' AND visitor != 0
     GROUP BY site, visitor ORDER BY uniqExact(day) DESC, who LIMIT 1`,
  );
  const before = await engine.rows(ROLLED);
  await createVisitorStore(engine).forget(somebody!.site, { visitor: somebody!.who, uuid: 'somebody' });
  const after = await engine.rows(ROLLED);
  expect(after).not.toEqual(before);
  expect(after).toEqual(await engine.rows(COUNTED));
});
