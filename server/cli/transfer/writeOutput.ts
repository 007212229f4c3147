// Where an export goes: a file that is there whole or not at all, or a pipe or device of that name.
import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../commandError.ts';
import { beforeEnd } from '../signals.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** @throws {CommandError} when it cannot be written, in an operator's words. */
export async function writeOutput(lines: Bytes, output: string): Promise<void> {
  const what = await kindOf(output);
  if (what === 'folder') throw new CommandError(`${output} is a folder; name a file.`);
  const target = what === 'file' ? `${output}.${randomUUID().slice(0, 8)}.part` : output;
  // Beside its place under a name that nothing has: what was there before, a link too, is not written to.
  const flags = what === 'file' ? 'wx' : 'w';
  // Half of a file has the events of readers, under a name that is never written again.
  const release = what === 'file' ? beforeEnd(() => rmSync(target, { force: true })) : undefined;
  try {
    await pipeline(lines, createWriteStream(target, { mode: 0o600, flags }));
    if (what === 'file') await rename(target, output);
  } catch (error) {
    if (what === 'file') await rm(target, { force: true }).catch(() => undefined);
    if (isOfFiles(error))
      throw new CommandError(`${output} cannot be written (${error.code}): ${WHY[error.code] ?? error.message}`);
    throw error;
  } finally {
    release?.();
  }
}

const WHY: Record<string, string> = {
  ENOENT: 'its folder does not exist.',
  ENOTDIR: 'its folder is a file.',
  EACCES: 'this user may not write there.',
  EROFS: 'the disk may only be read.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the disk is full.',
};

/** A pipe or a device is written to as it is: nothing can be put in its place. */
async function kindOf(output: string): Promise<'file' | 'folder' | 'other'> {
  const stats = await stat(output).catch(() => undefined);
  if (stats === undefined || stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

const isOfFiles = (error: unknown): error is NodeJS.ErrnoException & { code: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
