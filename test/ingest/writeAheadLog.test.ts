// The write-ahead log after a power cut: what was on the disk is there, and what was being written is not mistaken for events.
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openWriteAheadLog, type WriteAheadLog } from '../../server/ingest/queue/wal/writeAheadLog.ts';
import { silent } from '../storage/scratch.ts';

const folder = mkdtempSync(join(tmpdir(), 'afterword-wal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HOUR_MS = 3_600_000;

let dir: string;
let dirs = 0;
beforeEach(() => {
  dir = join(folder, String(dirs++));
});

const opened: WriteAheadLog[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const log of opened.splice(0)) await log.close();
});

async function open(told?: (line: string) => void, maxBytes = 1e6): Promise<WriteAheadLog> {
  const log = await openWriteAheadLog(
    { dir, columns: ['name', 'key'], maxBytes, fileEvents: 3, log: silent, now: Date.now },
    told,
  );
  opened.push(log);
  return log;
}
const group = (...lines: string[]) => ({
  text: Buffer.from(lines.map((line) => `${line}\n`).join('')),
  events: lines.length,
});
const files = () => readdirSync(dir).sort();
const texts = async (log: WriteAheadLog) =>
  await Promise.all(log.files().map(async (file) => (await file.read()).text.toString()));

/** As a process finds it that starts after the last one was killed. */
async function reopen(): Promise<{ texts: string[]; told: string[] }> {
  const told: string[] = [];
  const log = await open((line) => told.push(line));
  return { texts: await texts(log), told };
}

test('groups share a file until it is full or sealed, and are read as they were written', async () => {
  const log = await open();
  const first = await log.append(group('a\t1'));
  expect(await log.append(group('b\t2', 'c\t3'))).toBe(first);
  await log.append(group('d\t4'));
  await log.files()[1]!.seal();
  await log.append(group('é\t5'));
  expect(await texts(log)).toEqual(['a\t1\nb\t2\nc\t3\n', 'd\t4\n', 'é\t5\n']);
  expect(new Set(log.files().map(({ token }) => token)).size).toBe(3);
  const told = ['a\t1', 'b\t2', 'c\t3', 'd\t4', 'é\t5'];
  expect(await reopen()).toEqual({ texts: await texts(log), told });
  for (const file of [...log.files()]) await log.remove(file);
  expect(files()).toEqual([]);
});

test('a file of an earlier process is never written to again', async () => {
  await (await open()).append(group('a\t1'));
  const log = await open();
  const [left] = log.files();
  expect(left).toMatchObject({ events: 1, state: 'sealed' });
  expect(Math.abs(Date.now() - left!.since)).toBeLessThan(HOUR_MS);
  expect(await log.append(group('b\t2'))).not.toBe(left);
  expect(await texts(log)).toEqual(['a\t1\n', 'b\t2\n']);
});

test('a file is sealed when the group that is being written to it is in it', async () => {
  const log = await open();
  const file = await log.append(group('a\t1'));
  const appended = log.append(group('b\t2'));
  await file.seal();
  expect(await texts(log)).toEqual(['a\t1\nb\t2\n']);
  expect(await appended).toBe(file);
});

test('a group that may be stored already has a file of its own, under the token of its insert', async () => {
  const log = await open();
  const before = await log.append(group('a\t1'));
  const alone = await log.append(group('b\t2'), 'of-its-insert');
  expect([before.state, alone.state, alone.token]).toEqual(['sealed', 'sealed', 'of-its-insert']);
  expect(await log.append(group('c\t3'))).not.toBe(alone);
  expect(await texts(log)).toEqual(['a\t1\n', 'b\t2\n', 'c\t3\n']);
});

test('what a disk did not sync, and would not take back, is not read, and no group comes behind it', async () => {
  const log = await open();
  await log.append(group('a\t1'));
  const handle = await openFile(join(dir, files()[0]!));
  await handle.close();
  const broken = Object.getPrototypeOf(handle) as FileHandle;
  vi.spyOn(broken, 'datasync').mockRejectedValueOnce(new Error('input/output error'));
  vi.spyOn(broken, 'truncate').mockRejectedValueOnce(new Error('input/output error'));
  await expect(log.append(group('b\t2'))).rejects.toThrow('input/output error');
  await log.append(group('c\t3'));
  expect(await texts(log)).toEqual(['a\t1\n', 'c\t3\n']);
});

describe('what was being appended when the power went', () => {
  test.each([
    ['a line cut short', 'b'],
    ['zeros the disk never wrote', '\0'.repeat(500)],
    ['zeros in a line', 'b\0\t2\n'],
    ['half a line before others', 'b\nc\t3\n'],
  ])('is not mistaken for events: %s', async (_, tail) => {
    await (await open()).append(group('a\t1'));
    appendFileSync(join(dir, files()[0]!), tail);
    expect(await reopen()).toEqual({ texts: ['a\t1\n'], told: ['a\t1'] });
  });

  test.each([
    ['nothing yet', ''],
    ['the names only', 'name\tkey\n'],
    ['the names and half a line', 'name\tkey\nb'],
  ])('leaves no file where it was the first group: %s', async (_, text) => {
    await open();
    writeFileSync(join(dir, '000000000007-abc.tsv'), text);
    expect(await reopen()).toEqual({ texts: [], told: [] });
    expect(files()).toEqual([]);
  });
});

test('lines of another version of the program are read by the names they were written with', async () => {
  await open();
  writeFileSync(join(dir, '000000000001-abc.tsv'), 'key\n7\n');
  const log = await open();
  expect(await log.files()[0]!.read()).toMatchObject({ columns: ['key'], text: Buffer.from('7\n') });
});

test('what does not fit is refused, and leaves nothing behind', async () => {
  const log = await open(undefined, 300);
  const file = await log.append(group('a\t1'));
  const before = readFileSync(join(dir, files()[0]!), 'utf8');
  await expect(log.append(group(`${'b'.repeat(300)}\t2`))).rejects.toThrow('full');
  expect(readFileSync(join(dir, files()[0]!), 'utf8')).toBe(before);
  await log.remove(file);
  await log.append(group('c\t3'));
  expect(await texts(log)).toEqual(['c\t3\n']);
});

describe('a file that is not understood stays where it is, and the rest is read', () => {
  test.each([
    ['of a newer format', '#afterword-wal 3 00000000 name\tkey\nsomething else'],
    ['with a damaged header', 'na\u0000me\tkey\nb\t2\n'],
    ['with columns there never were', 'nome\tkey\nb\t2\n'],
  ])('%s', async (_, text) => {
    await (await open()).append(group('a\t1'));
    const name = '000000000009-odd.tsv';
    writeFileSync(join(dir, name), text);
    const log = await open();
    expect(await texts(log)).toEqual(['a\t1\n']);
    expect(log.unreadable()).toMatchObject([{ name, bytes: text.length }]);
    expect(readFileSync(join(dir, name), 'utf8')).toBe(text);
  });
});
