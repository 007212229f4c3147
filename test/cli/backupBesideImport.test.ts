// A backup that is made in the moment between the insert of a batch of an import and the note that it is stored: without
// the note, the batch would be brought again after a restore, and count twice.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { backupAdmin } from '../../server/cli/admin/backups.ts';
import { transferAdmin } from '../../server/cli/admin/transfer.ts';
import { importsIn } from '../../server/cli/transfer/importRecords.ts';
import { createStoredBatches } from '../../server/cli/transfer/storedBatch.ts';
import { writeDurably } from '../../server/durableFile.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { openNewsroom } from '../support/newsroom.ts';

const NOW = Date.UTC(2030, 4, 17, 12);

const room = await openNewsroom({ now: NOW });
afterAll(async () => {
  await room.close();
  await removeDataDirs();
});

function gate(): [passed: Promise<void>, open: () => void] {
  let open = () => {};
  const passed = new Promise<void>((done) => {
    open = done;
  });
  return [passed, open];
}

test('a backup has the note of each batch that is in its tables', async () => {
  const { deps, site } = room;
  const folder = makeDataDir();
  const data = join(folder, 'data');
  const [slow, goOn] = gate();
  const [appended, isAppended] = gate();
  const [counted, isCounted] = gate();
  const batches = createStoredBatches(data, async (...file) => {
    await slow;
    await writeDurably(...file);
  });
  const { backups, events } = deps.store;
  const append: typeof events.append = async (...rows) => {
    await events.append(...rows);
    isAppended();
  };
  const write: typeof backups.write = (to, beside) =>
    backups.write(to, async () => {
      isCounted();
      await beside?.();
    });
  const quotas = { posts: { room: async () => 1, added: () => {} } };
  const library = createLibrary(deps);
  const transfer = transferAdmin({
    ...deps,
    library,
    store: { ...deps.store, events: { ...events, append } },
    quotas,
    batches,
  });
  const backup = backupAdmin({ ...deps, store: { ...deps.store, backups: { write } }, batches, data });

  const lines = [{ url: `https://${site.id}/a`, date: new Date(NOW - 3_600_000).toISOString() }];
  const body = JSON.stringify({ lines, token: 'import-0a1b-0' });
  const brought = transfer.request(`/sites/${site.id}/views`, { method: 'POST', body });
  await appended;
  const made = backup.request('/backups', {
    method: 'POST',
    body: JSON.stringify({ folder: join(folder, 'copy') }),
  });
  await counted;
  goOn();
  expect(await (await made).json()).toMatchObject({ counts: { events: 1 } });
  expect(readdirSync(importsIn(join(folder, 'copy')))).toEqual(['import-0a1b.stored']);
  expect((await brought).status).toBe(200);
  await library.close();
});
