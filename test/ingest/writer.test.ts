// The writer: a group is acknowledged when it is synced in the log, what becomes one insert, and how an insert is repeated.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openWriteAheadLog } from '../../server/ingest/queue/wal/writeAheadLog.ts';
import { createWriter, type WriterOptions } from '../../server/ingest/queue/writer.ts';
import { silent } from '../storage/scratch.ts';

const folder = mkdtempSync(join(tmpdir(), 'afterword-writer-'));
afterAll(() => rmSync(folder, { recursive: true }));

const eventually = <T>(ask: () => T) => expect.poll(ask, { timeout: 100_000, interval: 5 });
/** Longer than any of these tests. */
const NEVER = 60_000;

let now = 0;
let dirs = 0;
async function openWriter(options: Partial<WriterOptions> = {}) {
  const dir = join(folder, String(dirs++));
  const inserts: { text: string; token: string; land(): void; fail(): void }[] = [];
  const insert: WriterOptions['insert'] = ({ text }, token) =>
    new Promise((land, reject) =>
      inserts.push({ text: text.toString(), token, land, fail: () => reject(new Error('connection reset')) }),
    );
  const wal = await openWriteAheadLog({ dir, columns: ['name'], maxBytes: 1e9, log: silent, now: Date.now });
  const usual = {
    insert,
    columns: ['name'],
    wal,
    log: silent,
    clock: () => now,
    intervalMs: 1,
    retryMs: [1, 1] as const,
  };
  const writer = createWriter({ ...usual, deadlineMs: NEVER, ...options });
  const acknowledged: string[] = [];
  return {
    inserts,
    acknowledged,
    wal,
    files: () => readdirSync(dir),
    async send(name: string, { senders = 1, events = 1 } = {}) {
      await writer.write({ text: Buffer.from(`${name}\n`.repeat(events)), events, senders });
      acknowledged.push(name);
    },
    async end() {
      const landing = setInterval(() => {
        for (const { land } of inserts) land();
      }, 5);
      await writer.close();
      clearInterval(landing);
    },
  };
}

beforeEach(() => {
  now = 0;
});

test('a group is acknowledged when it is synced in the log, and the tables follow', async () => {
  const { inserts, acknowledged, files, send, end } = await openWriter();
  await send('a');
  expect({ acknowledged, files: files().length }).toEqual({ acknowledged: ['a'], files: 1 });
  await eventually(() => inserts.length).toBe(1);
  expect(inserts[0]!.text).toBe('a\n');
  inserts[0]!.land();
  await eventually(files).toEqual([]);
  await end();
});

test('groups that come during an insert become one insert after it, and a failed one is repeated unchanged', async () => {
  const { inserts, acknowledged, send, end } = await openWriter();
  await send('a');
  await eventually(() => inserts.length).toBe(1);
  await send('b');
  await send('c');
  inserts[0]!.fail();
  await eventually(() => inserts.length).toBe(2);
  expect(inserts[1]).toMatchObject({ text: inserts[0]!.text, token: inserts[0]!.token });
  inserts[1]!.land();
  await eventually(() => inserts.length).toBe(3);
  expect(inserts[2]!.text).toBe('b\nc\n');
  expect(inserts[2]!.token).not.toBe(inserts[0]!.token);
  inserts[2]!.land();
  expect(acknowledged).toEqual(['a', 'b', 'c']);
  await end();
});

test('after an outage under busy traffic the pause is as long as the insert that succeeded, not as the outage', async () => {
  const { inserts, send, end } = await openWriter();
  await send('a', { senders: 2_000 });
  await eventually(() => inserts.length).toBe(1);
  inserts[0]!.fail();
  await eventually(() => inserts.length).toBe(2);
  now = 600_000;
  await send('b', { senders: 2_000 });
  inserts[1]!.fail();
  await eventually(() => inserts.length).toBe(3);
  inserts[2]!.land();
  await eventually(() => inserts.length).toBe(4);
  expect(inserts[3]!.text).toBe('b\n');
  await end();
});

test('the delay from the sync of a file until it is stored is reported, in seconds', async () => {
  const delays: number[] = [];
  const { inserts, files, send, end } = await openWriter({ onStored: (seconds) => delays.push(seconds) });
  await send('a');
  await eventually(() => inserts.length).toBe(1);
  now = 100;
  await send('b');
  now = 400;
  await send('c');
  now = 2_000;
  inserts[0]!.land();
  await eventually(() => inserts.length).toBe(2);
  now = 2_100;
  inserts[1]!.land();
  await eventually(() => delays).toEqual([2, 2]);
  expect(files()).toEqual([]);
  await end();
});

test('at the end the engine is given time for what is in the log', async () => {
  const { inserts, acknowledged, files, send, end } = await openWriter({ intervalMs: NEVER });
  await send('a');
  await eventually(() => inserts.length).toBe(1);
  inserts[0]!.land();
  await send('b');
  await end();
  expect(acknowledged).toEqual(['a', 'b']);
  expect(files()).toEqual([]);
});
