// Settings of a statement take one more statement of the engine inside, and not one each; and each statement has its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../server/storage/connect.ts';
import type { Engine, HowToReadLines } from '../../server/storage/engine.ts';
import { type Connection, withOneSet } from '../../server/storage/oneSet.ts';
import { type Scratch, scratch } from './scratch.ts';

describe('The engine inside', () => {
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

  const statements = async () => {
    const [row] = await engine.rows<{ value: number }>(`SELECT value FROM system.events WHERE event = 'Query'`);
    return row!.value;
  };
  const inForce = async (how?: { maxSeconds: number }) => {
    const names = ['max_execution_time', 'max_memory_usage', 'output_format_json_quote_64bit_integers'];
    const [row] = await engine.rows(
      `SELECT ${names.map((name) => `toString(getSetting('${name}')) AS ${name}`).join(', ')}`,
      undefined,
      how,
    );
    return row;
  };

  test('runs two statements for a read: its settings, and itself', async () => {
    const before = await statements();
    for (let read = 0; read < 10; read++) await engine.rows('SELECT {value:UInt8}', { value: read });
    expect((await statements()) - before).toBe(2 * 11);
  });

  test('has the settings of each statement in force, and none of the one before', async () => {
    const read = { max_execution_time: '15', max_memory_usage: '2000000000' };
    expect(await inForce()).toMatchObject(read);
    expect(await inForce({ maxSeconds: 60 })).toMatchObject({ max_execution_time: '60' });
    await engine.command('SELECT 1');
    expect(await inForce({ maxSeconds: 30 })).toMatchObject({ max_execution_time: '30' });
    expect(await inForce()).toMatchObject(read);
  });

  test('reads lines of JSON with settings that only a server has', async () => {
    expect(Buffer.from(await engine.lines('SELECT 1 AS one')).toString()).toBe('{"one":1}\n');
  });

  test('gives lines as many seconds as are asked for, and those of a reader by default', async () => {
    const seconds = async (how?: HowToReadLines) =>
      JSON.parse(
        Buffer.from(await engine.lines(`SELECT toString(getSetting('max_execution_time')) AS s`, {}, how)).toString(),
      ).s;
    expect([await seconds({ maxSeconds: 600 }), await seconds()]).toEqual(['600', '15']);
  });
});

test('Settings are written as SQL, and a statement without any stays as it is', async () => {
  const asked: unknown[] = [];
  const ask = async (of: unknown) => void asked.push(of);
  const connection = withOneSet({ query: ask, exec: ask, command: ask, insert: ask } as unknown as Connection);
  await connection.command({
    query: 'SELECT 1',
    clickhouse_settings: {
      max_execution_time: 15,
      insert_deduplication_token: "it's",
      readonly: undefined,
      async_insert: true as never,
      wait_end_of_query: 1,
    },
  });
  await connection.query({ query: 'SELECT 2' });
  expect(asked).toEqual([
    {
      query: "SET max_execution_time = 15, insert_deduplication_token = 'it''s', async_insert = 1; SELECT 1",
      clickhouse_settings: {},
    },
    { query: 'SELECT 2' },
  ]);
});
