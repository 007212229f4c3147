// An insert reaches the table first and each roll-up after it. Whatever a power cut leaves out, the same group under the same
// token brings, and nothing twice: this is what the journal of events relies on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSiteId, type SiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';
import type { EventStore } from '../../server/storage/store.ts';
import { makeWorld, WORLD_NOW } from '../support/worlds.ts';
import { scratch, silent } from './scratch.ts';

const place = scratch();
let engine: Engine;
let events: EventStore;

beforeAll(async () => {
  engine = await connect(place.engine);
  await upgrade(engine, { log: silent, now: () => WORLD_NOW });
  events = createEventStore(engine);
});
afterAll(async () => {
  await engine.close();
  place.remove();
});

const rowsOf = (site: SiteId) => makeWorld(1).events.map((row) => ({ ...row, site }));

/** Rows of every table events flow into, by table. */
async function rolledUp(site: SiteId): Promise<Record<string, unknown>> {
  const targets = await engine.rows<{ target: string }>(
    `SELECT DISTINCT extract(create_table_query, 'TO [^.]*[.]?([a-z_]+)') AS target FROM system.tables
     WHERE engine = 'MaterializedView' AND database = currentDatabase() ORDER BY target`,
  );
  const found: Record<string, unknown> = {};
  for (const { target } of [{ target: 'events' }, ...targets]) {
    const columns = await engine.rows<{ name: string; type: string }>(
      `SELECT name, type FROM system.columns WHERE table = {target:String} AND database = currentDatabase()`,
      { target },
    );
    const sums = columns.flatMap(({ name, type }) => {
      if (type.startsWith('AggregateFunction(uniq')) return [`uniqCombinedMerge(16)(${name}) AS ${name}`];
      return /^(?:SimpleAggregateFunction\(sum|UInt64|UInt32|Float64)/.test(type) && !/hash|post|visitor$/.test(name)
        ? [`sum(${name}) AS ${name}`]
        : [];
    });
    found[target] = await engine.rows(
      `SELECT ${['count() > 0 AS some', ...sums].join(', ')} FROM ${target} WHERE site = {site:String}`,
      { site },
    );
  }
  return found;
}

test('each view that an insert did not reach is reached by the next, and the others do not count twice', async () => {
  const whole = parseSiteId('whole.example')!;
  await events.append(rowsOf(whole), 'whole');
  const expected = await rolledUp(whole);
  expect(Object.keys(expected).length).toBeGreaterThan(6);

  const views = await engine.rows<{ name: string; made: string }>(
    `SELECT name, create_table_query AS made FROM system.tables
     WHERE engine = 'MaterializedView' AND database = currentDatabase() ORDER BY name`,
  );
  for (const { name, made } of views) {
    const site = parseSiteId(`${name.replaceAll('_', '-')}.example`)!;
    await engine.command(`DROP VIEW ${name} SYNC`);
    await events.append(rowsOf(site), name);
    await engine.command(made);
    await events.append(rowsOf(site), name);
    expect({ without: name, ...(await rolledUp(site)) }).toEqual({ without: name, ...expected });
  }
});
