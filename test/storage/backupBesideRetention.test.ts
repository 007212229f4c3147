// A backup that is made while old events are removed: what was counted is in it.
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { blankRow } from '../../server/ingest/eventRow.ts';
import type { SiteId } from '../../server/sites/site.ts';
import { createBackupStore } from '../../server/storage/backup.ts';
import { connect } from '../../server/storage/connect.ts';
import { createEventStore } from '../../server/storage/events.ts';
import { createReadWriteLock } from '../../server/storage/readWriteLock.ts';
import { restoreBackup } from '../../server/storage/restore.ts';
import { createRetentionStore } from '../../server/storage/retention.ts';
import { until } from '../support/until.ts';
import { migratedScratch, scratch } from './scratch.ts';

const DAY_MS = 24 * 3600 * 1000;
const NOW = Date.now();
const SITE = 'old.example' as SiteId;

const place = await migratedScratch();
const elsewhere = scratch();
afterAll(() => {
  place.remove();
  elsewhere.remove();
});

const dayOf = (daysAgo: number) => new Date(NOW - daysAgo * DAY_MS).toISOString().slice(0, 10);

test('a backup waits until they are removed, and is restored', async () => {
  const engine = await connect(place.engine);
  const events = [1, 20].map((days) => {
    const time = NOW - days * DAY_MS;
    return { ...blankRow(SITE), time, day: dayOf(days), url: `https://old.example/${days}` };
  });
  await createEventStore(engine).append(events, 'both');

  await engine.command('SYSTEM STOP MERGES events');
  const removal = createRetentionStore(engine).removeBefore([{ site: SITE, day: dayOf(10) }]);
  const begun = `SELECT 1 FROM system.mutations WHERE table = 'events' AND NOT is_done`;
  await until('the removal has begun', async () => (await engine.rows(begun)).length > 0);

  /** Continues the removal: when the backup asks whether there is one, else between its counts and its copy. */
  const proceed = () => engine.command('SYSTEM START MERGES events');
  const lock = createReadWriteLock({
    ...engine,
    async rows(sql, ...how) {
      const found = await engine.rows(sql, ...how);
      if (sql.includes('system.mutations')) await proceed();
      return found as never;
    },
  });
  const folder = join(place.dir, 'backup');
  const counted = await createBackupStore(lock).write({ folder }, async () => {
    await proceed();
    await removal;
  });
  await removal;
  await engine.close();
  await restoreBackup(elsewhere.engine, { folder }, counted);
  expect(counted.counts.events).toBe(1);
});
