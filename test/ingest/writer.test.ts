// Between the disk and the engine: when senders are answered, what becomes one insert, and that an insert is repeated as it was.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openWriteAheadLog } from '../../server/ingest/queue/wal/writeAheadLog.ts';
import { createWriter, type WriterOptions } from '../../server/ingest/queue/writer.ts';
import { silent } from '../storage/scratch.ts';

const folder = mkdtempSync(join(tmpdir(), 'afterword-writer-'));
afterAll(() => rmSync(folder, { recursive: true }));

const eventually = <T>(ask: () => T) => expect.poll(ask, { timeout: 100_000, interval: 5 });
/** Longer than any of these tests. */
const NEVER = 60_000;

let dirs = 0;
async function openWriter(options: Partial<WriterOptions> = {}) {
  const dir = join(folder, String(dirs++));
  const inserts: { text: string; token: string; land(): void; fail(): void }[] = [];
  const insert: WriterOptions['insert'] = ({ text }, token) =>
    new Promise((land, reject) =>
      inserts.push({ text: text.toString(), token, land, fail: () => reject(new Error('connection reset')) }),
    );
  const journal = await openWriteAheadLog({ dir, columns: ['name'], maxBytes: 1e9, log: silent, now: Date.now });
  const usual = {
    insert,
    columns: ['name'],
    journal,
    log: silent,
    clock: () => 0,
    intervalMs: 1,
    retryMs: [1, 1] as const,
  };
  const writer = createWriter({ ...usual, patienceMs: NEVER, deadlineMs: NEVER, ...options });
  const answered: string[] = [];
  return {
    inserts,
    answered,
    journal,
    files: () => readdirSync(dir),
    /** Resolves when the group is on the disk. */
    async send(name: string, { senders = 1, events = 1 } = {}) {
      const group = { text: Buffer.from(`${name}\n`.repeat(events)), events, senders };
      const sent = await writer.write(group);
      void sent.answered.then(() => answered.push(name));
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

test('a sender is answered when the engine has the events, and then nothing is left on the disk', async () => {
  const { inserts, answered, files, send, end } = await openWriter();
  await send('a');
  await eventually(() => inserts.length).toBe(1);
  expect({ text: inserts[0]!.text, answered, files: files().length }).toEqual({ text: 'a\n', answered: [], files: 1 });
  inserts[0]!.land();
  await eventually(() => answered).toEqual(['a']);
  await eventually(files).toEqual([]);
  await end();
});

test('what comes while an insert is under way becomes one insert after it, and none is written to once it has begun', async () => {
  const { inserts, answered, send, end } = await openWriter();
  await send('a');
  await eventually(() => inserts.length).toBe(1);
  await send('b');
  await send('c');
  inserts[0]!.fail();
  await eventually(() => inserts.length).toBe(2);
  // Repeated as it was.
  expect(inserts[1]).toMatchObject({ text: inserts[0]!.text, token: inserts[0]!.token });
  inserts[1]!.land();
  await eventually(() => inserts.length).toBe(3);
  expect(inserts[2]!.text).toBe('b\nc\n');
  expect(inserts[2]!.token).not.toBe(inserts[0]!.token);
  inserts[2]!.land();
  await eventually(() => answered).toEqual(['a', 'b', 'c']);
  await end();
});

test('when the engine takes its time, senders are answered from the disk', async () => {
  const { inserts, answered, journal, send, end } = await openWriter({ patienceMs: 20 });
  await send('a');
  await eventually(() => answered).toEqual(['a']);
  expect(journal.files()).toMatchObject([{ owed: true, events: 1 }]);
  await eventually(() => inserts.length).toBe(1);
  inserts[0]!.land();
  await eventually(() => journal.files()).toEqual([]);
  await end();
});

test('when the engine refuses, all who wait are answered from the disk, and so is who comes after', async () => {
  const { inserts, answered, send, end } = await openWriter();
  await send('a');
  await send('b');
  await eventually(() => inserts.length).toBe(1);
  expect(answered).toEqual([]);
  inserts[0]!.fail();
  await eventually(() => answered).toEqual(['a', 'b']);
  await send('c');
  await eventually(() => answered).toEqual(['a', 'b', 'c']);
  await end();
});

test('no crowd waits for the engine', async () => {
  const { inserts, answered, send, end } = await openWriter({ mostHeld: 10 });
  await send('a', { senders: 6 });
  await eventually(() => inserts.length).toBe(1);
  expect(answered).toEqual([]);
  await send('b', { senders: 6 });
  await eventually(() => answered).toEqual(['a', 'b']);
  await end();
});

test('nor does anybody behind thousands of events', async () => {
  const { inserts, answered, send, end } = await openWriter();
  await send('a', { events: 4_000 });
  await eventually(() => inserts.length).toBe(1);
  expect(answered).toEqual([]);
  await send('b', { events: 2_000 });
  await eventually(() => answered).toEqual(['a', 'b']);
  await end();
});

test('at the end the engine has a moment to take what waits', async () => {
  const { inserts, answered, files, send, end } = await openWriter({ intervalMs: NEVER });
  await send('a');
  await eventually(() => inserts.length).toBe(1);
  inserts[0]!.land();
  await eventually(() => answered).toEqual(['a']);
  await send('b');
  await end();
  expect(answered).toEqual(['a', 'b']);
  expect(files()).toEqual([]);
});
