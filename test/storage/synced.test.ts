// What was acknowledged is on the disk, whatever the engine does with it afterwards.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../server/storage/openStore.ts';
import type { Store } from '../../server/storage/store.ts';
import { type Scratch, scratch, silent } from './scratch.ts';

let place: Scratch;
let store: Store;
beforeAll(async () => {
  place = scratch();
  store = await openStore({ engine: place.engine, log: silent, now: Date.now });
});
afterAll(async () => {
  await store.close();
  place.remove();
});

/** Heartbeats of copies, one each few seconds: none is acknowledged to anybody, and one of before a crash is worth nothing. */
const HEARTBEATS = 'copies';

test('every table but that of heartbeats syncs what it inserts and what it merges', async () => {
  const settings = ['fsync_after_insert = 1', 'fsync_part_directory = 1', 'min_rows_to_fsync_after_merge = 1'];
  const tables = (await store.traffic.run({
    sql: "SELECT name, create_table_query AS query FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != {heartbeats:String}",
    params: { heartbeats: HEARTBEATS },
  })) as { name: string; query: string }[];
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.filter(({ query }) => !settings.every((setting) => query.includes(setting)))).toEqual([]);
});
