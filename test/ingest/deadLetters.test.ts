// What cannot be read or inserted of the write-ahead log: it never goes without a word, and holds up nothing else.
import { readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { EventStore } from '../../server/storage/store.ts';
import { newPage, newsroom } from './newsroom.ts';

const room = newsroom();
let away = false;
afterEach(() => room.ingest.drain());

const eventually = <T>(ask: () => T) => expect.poll(ask, { timeout: 100_000, interval: 20 });

let dirs = 0;
async function open(dir = join(room.dir, `letters-${dirs++}`)): Promise<string> {
  const { events } = room.store;
  const appendLines: EventStore['appendLines'] = (lines, token) =>
    away ? Promise.reject(new Error('connection refused')) : events.appendLines(lines, token);
  await room.restart({ store: { events: { ...events, appendLines } }, dir, retryMs: [5, 20] });
  return dir;
}

const logFiles = (dir: string) => readdirSync(join(dir, 'spool')).filter((name) => name.endsWith('.tsv'));
const send = async (url: string) =>
  (await room.post({ events: [{ idsite: 'news.example', action: 'pageview', url }] })).status;
const count = async (url: string) => (await room.stored(url)).length;

/** Acknowledged from the disk, each in a file of its own. */
async function leave(urls: readonly string[]): Promise<void> {
  away = true;
  for (const url of urls) expect(await send(url)).toBe(200);
}

test('a file whose beginning is damaged stays, and does not hold up the rest', async () => {
  const dir = await open();
  const [bad, good] = [newPage(), newPage()];
  await leave([bad, good]);
  await room.ingest.drain();
  const [name] = logFiles(dir).sort();
  writeFileSync(join(dir, 'spool', name!), '{"site":"new');
  away = false;
  await open(dir);
  await eventually(() => count(good)).toBe(1);
  await eventually(() => logFiles(dir)).toEqual([name]);
});

test('a file that somebody removed is inserted all the same while it is open', async () => {
  const dir = await open();
  const urls = [newPage(), newPage()];
  await leave(urls);
  rmSync(join(dir, 'spool', logFiles(dir).sort()[0]!));
  away = false;
  await eventually(() => logFiles(dir)).toEqual([]);
  for (const url of urls) await eventually(() => count(url)).toBe(1);
});

test('a file that cannot be read at the start waits, holds up no other, and is inserted when it can be read', async () => {
  const dir = await open();
  const [late, next] = [newPage(), newPage()];
  await leave([late, next]);
  await room.ingest.drain();
  const path = join(dir, 'spool', logFiles(dir).sort()[0]!);
  // A link to itself cannot be opened, with whatever rights; and a file takes its place in one step.
  renameSync(path, `${dir}.aside`);
  symlinkSync(path, path);
  away = false;
  await open(dir);
  await eventually(() => count(next)).toBe(1);
  expect(await count(late)).toBe(0);
  await eventually(() => logFiles(dir)).toHaveLength(1);
  renameSync(`${dir}.aside`, path);
  await eventually(() => logFiles(dir)).toEqual([]);
  expect(await count(late)).toBe(1);
});
