// One process at a time brings a file: two would tell each other's ledger lies.
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../commandError.ts';

/**
 * Does work that no other process does at the same time. What a process left that ended without letting go is taken over.
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

async function take(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(String(process.pid)).finally(() => file.close());
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (holder !== process.pid && isAlive(holder)) {
      throw new CommandError(`This file is being brought already, by process ${holder}. Wait for it, or end it.`);
    }
    await rm(path, { force: true });
    await take(path);
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one all the same.
    return hasCode(error, 'EPERM');
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;
