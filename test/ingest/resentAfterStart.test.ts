// A server that starts while its database is away does not know which events are stored. One that comes again then is counted once.
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreUnavailableError } from '../../server/errors.ts';
import type { EventStore } from '../../server/storage/store.ts';
import { until } from '../support/until.ts';
import { newPage, newsroom } from './newsroom.ts';

const room = newsroom({ lazy: true });

/** Answered from the disk; tried again soon. */
const QUICK = { deadlineMs: 5_000, retryMs: [5, 20] } as const;

/** A database that is away until `open` is called. @param appendLines What inserting does from then on. Default: it works. */
function away(appendLines: EventStore['appendLines'] = room.store.events.appendLines) {
  let isOpen = false;
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = () => {
      isOpen = true;
      done();
    };
  });
  const whenOpen =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A) => {
      if (!isOpen) throw new StoreUnavailableError('The database does not answer.');
      return await work(...args);
    };
  const { events } = room.store;
  const ofLate = {
    recentKeys: whenOpen(events.recentKeys),
    recentNames: whenOpen(events.recentNames),
  };
  return { store: { events: { ...events, ...ofLate, appendLines: whenOpen(appendLines) } }, opened, open };
}

/** A page that one view of is stored, and the folder of the process that stored it. */
async function viewedOnce() {
  const dir = mkdtempSync(join(room.dir, 'away-'));
  const url = newPage();
  const view = async (...eids: string[]) => {
    const events = eids.map((eid) => ({ idsite: 'news.example', action: 'pageview', url, eid: `${url} ${eid}` }));
    expect((await room.post({ events })).status).toBe(200);
  };
  await room.restart({ dir });
  await view('before');
  await room.ingest.drain();
  const rows = async () => (await room.stored(url)).length;
  expect(await rows()).toBe(1);
  const rolledUp = async () => {
    const params = { post: url };
    const sql = 'SELECT sum(views) AS views FROM post_days WHERE post = sipHash64({post:String})';
    return Number((await room.store.traffic.run({ sql, params }))[0]!.views);
  };
  return { dir, view, rows, rolledUp };
}

const waiting = (dir: string) => readdirSync(join(dir, 'spool')).filter((name) => name.endsWith('.tsv'));
const emptied = (dir: string) => until('the log is empty', () => waiting(dir).length === 0);

test('when the database comes back, and what is new beside it is counted, too', async () => {
  const { dir, view, rows, rolledUp } = await viewedOnce();
  const { open, ...late } = away();
  await room.restart({ ...QUICK, ...late, dir });
  await view('before', 'new');
  await view('before', 'newer');
  open();
  await emptied(dir);
  expect([await rows(), await rolledUp()]).toEqual([3, 3]);
  // Known by now: what comes again is left out as it comes.
  await view('before', 'new');
  expect(room.count('duplicate')).toBe(3);
  await room.ingest.drain();
});

test('also by the next process, where this one ends before the database is back', async () => {
  const { dir, view, rows, rolledUp } = await viewedOnce();
  const { store, opened } = away();
  await room.restart({ ...QUICK, store, opened, dir });
  await view('before', 'new');
  await room.ingest.drain();
  expect(waiting(dir)).toHaveLength(1);
  await room.restart({ dir });
  await emptied(dir);
  expect([await rows(), await rolledUp()]).toEqual([2, 2]);
  await room.ingest.drain();
});

test('also where the insert is answered with a failure and made again', async () => {
  const { dir, view, rows, rolledUp } = await viewedOnce();
  let inserts = 0;
  const { open, ...late } = away(async (lines, token) => {
    inserts++;
    await room.store.events.appendLines(lines, token);
    if (inserts === 1) throw new StoreUnavailableError('The connection broke.');
  });
  await room.restart({ ...QUICK, ...late, dir });
  await view('before', 'new');
  open();
  await emptied(dir);
  expect([inserts, await rows(), await rolledUp()]).toEqual([2, 2, 2]);
  await room.ingest.drain();
});
