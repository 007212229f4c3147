// One process of several does a piece of work that all of them need; the others wait for it.
import { mkdirSync, rmdirSync } from 'node:fs';
import { isCode, until } from './until.ts';

/**
 * Resolves when the work is done, by this process or another.
 * @param lock Path of a directory that exists while a process is at work.
 * @param isDone Asked before and after the lock is taken.
 */
export async function onceAmongProcesses(lock: string, isDone: () => boolean, work: () => void): Promise<void> {
  if (isDone()) return;
  await until(`${lock} is free`, () => takeLock(lock));
  try {
    if (!isDone()) work();
  } finally {
    rmdirSync(lock);
  }
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}
