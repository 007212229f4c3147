// Tables that copy themselves between the servers of a shard: the engine reads every statement of the schema as it is laid out for
// them, and goes as far as asking for the ClickHouse Keeper that they need.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { engineCode } from '../../server/storage/errors.ts';
import { SCHEMA } from '../../server/storage/schema/schema.ts';
import { createStatements } from '../../server/storage/schema/statements.ts';
import { type Scratch, scratch } from './scratch.ts';

/** The macros of a server come from its configuration, which the engine inside has none of. */
const withoutMacros = (sql: string) => sql.replaceAll('{shard}', '1').replaceAll('{replica}', 'a');
const NO_ZOOKEEPER = 225;

let place: Scratch;
let engine: Engine;
beforeAll(async () => {
  place = scratch();
  engine = await connect(place.engine);
});
afterAll(async () => {
  await engine.close();
  place.remove();
});

const statements = createStatements(SCHEMA.tables, { cluster: 'news', replicated: true });

test('every statement is read', async () => {
  expect(statements.length).toBeGreaterThan(20);
  for (const sql of statements) await engine.command(`EXPLAIN AST ${withoutMacros(sql)}`);
});

test('every table is refused for one reason only: there is no Keeper here', async () => {
  const tables = statements.filter((sql) => /ENGINE = Replicated/.test(sql));
  expect(tables.length).toBeGreaterThan(10);
  for (const sql of tables) {
    const refusal = await engine.command(withoutMacros(sql)).catch((error: unknown) => error);
    expect(engineCode(refusal), String(refusal)).toBe(NO_ZOOKEEPER);
  }
});
