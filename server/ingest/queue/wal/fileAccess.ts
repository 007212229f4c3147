// Reads files of the write-ahead log, through the handle they were written with where there is one: a process that has run out of
// descriptors can still insert what it has acknowledged.
import { type FileHandle, open } from 'node:fs/promises';

/** Nothing can be done with a file of the log now: no descriptor is left, the disk fails, rights are missing. It is tried again. */
export class LogFileError extends Error {
  override name = 'LogFileError';

  constructor(path: string, cause: unknown) {
    super(`${path} cannot be used now: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** @param bytes As much is read; default: all there is. */
export async function readBytes(path: string, handle?: FileHandle, bytes?: number): Promise<Buffer> {
  if (handle !== undefined) return readFirst(handle, bytes);
  const file = await open(path, 'r');
  try {
    return await readFirst(file, bytes);
  } finally {
    await file.close();
  }
}

/** In one go: `readFile` takes a turn of the event loop for each half megabyte. Fewer bytes where the file has no more. */
async function readFirst(file: FileHandle, most?: number): Promise<Buffer> {
  const bytes = most ?? (await file.stat()).size;
  const found = Buffer.allocUnsafeSlow(bytes);
  let length = 0;
  for (let read = 1; read > 0 && length < bytes; length += read) {
    ({ bytesRead: read } = await file.read(found, length, bytes - length, length));
  }
  return found.subarray(0, length);
}

/** @throws {LogFileError} for what passes. */
export async function orLater<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new LogFileError(path, error) : error;
  }
}

export const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

export const lengthOf = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0);

/** In one turn of the event loop where the disk takes it all; then makes it last. */
export async function writeAll(handle: FileHandle, parts: readonly Buffer[]): Promise<void> {
  const { bytesWritten } = await handle.writev(parts as Buffer[]);
  if (bytesWritten < lengthOf(parts)) await handle.appendFile(Buffer.concat(parts).subarray(bytesWritten));
  await handle.datasync();
}
