// When a sender is answered: as soon as its events are synced in the write-ahead log, while the tables follow.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { EventStore } from '../../server/storage/store.ts';
import { until } from '../support/until.ts';
import { newPage, newsroom } from './newsroom.ts';

const room = newsroom();
afterEach(() => room.ingest.drain());

/** Of an engine that is slow, and not away. */
const SLOW_INSERT_MS = 1_500;

const send = async (url: string, eid: string) => {
  const events = [{ idsite: 'news.example', action: 'pageview', url, eid }];
  return (await room.post({ events })).status;
};

test('a sender is answered when its events are synced, before their insert has ended; a repeated event likewise', async () => {
  const dir = join(room.dir, 'acknowledged');
  rmSync(dir, { recursive: true, force: true });
  const { events } = room.store;
  let stored = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const delays: number[] = [];
  const appendLines: EventStore['appendLines'] = async (lines, token) => {
    await Promise.race([released, sleep(SLOW_INSERT_MS)]);
    await events.appendLines(lines, token);
    stored += 1;
  };
  await room.restart({
    store: { events: { ...events, appendLines } },
    dir,
    onStored: (seconds) => delays.push(seconds),
  });
  const url = newPage();
  const answers = await Promise.all([send(url, url), send(url, url), send(url, `${url}-2`)]);
  expect({ answers, stored, waiting: room.ingest.backlog().spooledEvents }).toEqual({
    answers: [200, 200, 200],
    stored: 0,
    waiting: 2,
  });
  release();
  await until('the log is empty', () => !readdirSync(join(dir, 'spool')).some((name) => name.endsWith('.tsv')));
  expect(await room.stored(url)).toHaveLength(2);
  await until('the delay of each insert is reported', () => delays.length === stored);
});
