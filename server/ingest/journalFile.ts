// What stands in a file of the journal: a line of column names, then a line an event. Only whole lines count: what comes after the
// last good one was being written when the power went, and nobody was answered for it.
import { open, readFile } from 'node:fs/promises';
import type { EncodedRows } from '../storage/engine.ts';
import { UnwritableRowsError } from './unwritable.ts';

const HEADER = /^[a-z_]+(?:\t[a-z_]+)*$/;
const NEWLINE = 0x0a;
const TAB = 0x09;
const NUL = 0;

/**
 * @param bytes What is good of the file.
 * @throws {UnwritableRowsError} when it is not there any more.
 */
export async function readWhole(path: string, bytes: number): Promise<EncodedRows> {
  const found = await readFirst(path, bytes);
  const { columns, start } = readHeader(path, found);
  if (bytes === 0 || found.length < bytes) throw new UnwritableRowsError(`${path} is damaged.`);
  return { columns, text: found.subarray(start) };
}

/**
 * Calls `told` with each whole line, in order.
 * @returns Bytes up to the end of the last of them.
 * @throws {UnwritableRowsError} when the file cannot be read, or does not begin as one of these does.
 */
export async function readLines(path: string, told: (line: string) => void): Promise<number> {
  const found = await readBytes(path);
  if (found.length === 0) return 0;
  const { columns, start } = readHeader(path, found);
  let good = start;
  let tabs = 0;
  for (let at = start; at < found.length; at++) {
    const byte = found[at];
    if (byte === TAB) tabs++;
    // A disk may give back zeros where it never wrote; no line has one.
    else if (byte === NUL) break;
    else if (byte === NEWLINE) {
      if (tabs !== columns.length - 1) break;
      told(found.toString('utf8', good, at));
      good = at + 1;
      tabs = 0;
    }
  }
  return good;
}

function readHeader(path: string, found: Buffer): { columns: string[]; start: number } {
  const end = found.indexOf(NEWLINE);
  const header = found.toString('latin1', 0, end);
  if (end === -1 || !HEADER.test(header)) throw new UnwritableRowsError(`${path} is no file of events.`);
  return { columns: header.split('\t'), start: end + 1 };
}

/** In one go: `readFile` takes a turn of the event loop for each half megabyte. Fewer bytes where the file has no more. */
async function readFirst(path: string, bytes: number): Promise<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const found = Buffer.allocUnsafeSlow(bytes);
      let length = 0;
      for (let read = 1; read > 0 && length < bytes; length += read) {
        ({ bytesRead: read } = await file.read(found, length, bytes - length, length));
      }
      return found.subarray(0, length);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, cause: unknown) => new UnwritableRowsError(`${path} cannot be read.`, { cause });
