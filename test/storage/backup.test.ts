// What a backup leaves out: it is kept when the day it was made on is over, and the salts of that day and the next are not.
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { restoreBackup } from '../../server/storage/restore.ts';
import { migratedScratch, type Scratch, scratch, silent } from './scratch.ts';

const NOW = Date.now();
const TODAY = new Date(NOW).toISOString().slice(0, 10);

let place: Scratch;
const elsewhere = scratch();
afterAll(() => {
  place.remove();
  elsewhere.remove();
});

test('salts that readers without an id are hashed with are in no backup, and a new one is agreed on after it', async () => {
  place = await migratedScratch();
  const store = await openStore({ engine: place.engine, log: silent, now: () => NOW });
  await store.salts.agree(TODAY, 'of today');
  await store.exclusions.add('a.example' as SiteId, 'https://a.example/hidden', NOW);
  const folder = join(place.dir, 'backup');
  const counted = await store.backups.write({ folder });
  expect(await store.salts.agree(TODAY, 'another')).toBe('of today');
  await store.close();

  await restoreBackup(elsewhere.engine, { folder }, counted);
  const engine = await connect(elsewhere.engine);
  expect(await engine.rows('SELECT * FROM salts')).toEqual([]);
  await engine.close();
  const restored = await openStore({ engine: elsewhere.engine, log: silent, now: () => NOW });
  expect(await restored.exclusions.list('a.example' as SiteId, NOW)).toEqual(['https://a.example/hidden']);
  expect(await restored.salts.agree(TODAY, 'of the restored')).toBe('of the restored');
  await restored.close();
});
