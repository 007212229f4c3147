// Reads and writes files of the write-ahead log. A file is read through the handle it was written with, where there is
// one: a process without free descriptors can still insert what it has acknowledged.
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../../errors.ts';

/** A file of the log cannot be used now: no descriptor is free, the disk fails, rights are missing. It is retried. */
export class LogFileError extends Error {
  override name = 'LogFileError';

  constructor(path: string, cause: unknown) {
    super(`${path} cannot be used now: ${messageOf(cause)}`, { cause });
  }
}

/** @param bytes Length that is read; default: the whole file. */
export async function readBytes(path: string, handle?: FileHandle, bytes?: number): Promise<Buffer> {
  if (handle !== undefined) return readFirst(handle, bytes);
  const file = await open(path, 'r');
  try {
    return await readFirst(file, bytes);
  } finally {
    await file.close();
  }
}

/** In one read: `readFile` takes a turn of the event loop for each half megabyte. @returns Fewer bytes at its end. */
async function readFirst(file: FileHandle, most?: number): Promise<Buffer> {
  const bytes = most ?? (await file.stat()).size;
  const found = Buffer.allocUnsafeSlow(bytes);
  let length = 0;
  for (let read = 1; read > 0 && length < bytes; length += read) {
    ({ bytesRead: read } = await file.read(found, length, bytes - length, length));
  }
  return found.subarray(0, length);
}

/** @throws {LogFileError} for errors of the system, which may pass; others as they are. */
export async function orLater<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new LogFileError(path, error) : error;
  }
}

export const lengthOf = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0);

/** Writes all parts, in one call where the disk takes them at once, and syncs. */
export async function writeAll(handle: FileHandle, parts: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await handle.writev(parts as Buffer[]);
  if (bytesWritten < lengthOf(parts)) await handle.appendFile(Buffer.concat(parts).subarray(bytesWritten));
  await handle.datasync();
}
