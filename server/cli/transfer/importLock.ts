// One process at a time imports a file: two would corrupt the ledger.
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../../errors.ts';
import { markOf, runningBy } from '../../processMark.ts';
import { CommandError } from '../commandError.ts';

/**
 * Does work that no other process does at the same time. The lock of a process that ended without removing it is taken
 * over.
 * @throws {CommandError} when another process is at it.
 */
export async function withImportLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await take(path);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * The lock is created with its holder's mark in it: a lock without one would be taken for that of a process that
 * ended.
 */
async function take(path: string): Promise<void> {
  const own = `${path}.${process.pid}`;
  await writeFile(own, await markOf(process.pid), { mode: 0o600 });
  try {
    while (!(await linked(own, path))) await clear(path);
  } finally {
    await rm(own, { force: true });
  }
}

async function linked(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes the lock of a process that ended. Two processes may find it at once: the second restores the lock that the
 * first has made since.
 */
async function clear(path: string): Promise<void> {
  const mark = await readFile(path, 'utf8').catch(() => '');
  const holder = await runningBy(mark);
  if (holder !== undefined && holder !== process.pid) {
    throw new CommandError(`This file is being brought already, by process ${holder}. Wait for it, or end it.`);
  }
  const dead = `${path}.${process.pid}.dead`;
  try {
    await rename(path, dead);
    if ((await readFile(dead, 'utf8')) !== mark) await linked(dead, path);
  } catch (error) {
    // Its holder ended meanwhile and removed it.
    if (!hasCode(error, 'ENOENT')) throw error;
  } finally {
    await rm(dead, { force: true });
  }
}
