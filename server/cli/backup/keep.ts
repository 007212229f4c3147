// Several backups in one folder, each under its date, of which the newest are kept.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../commandError.ts';
import { readManifest } from './manifest.ts';
import { removeBackup, removeUnfinished, UNFINISHED } from './unfinished.ts';

const DATED = /^afterword-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/** Name of a backup by its moment: names sort by time. @param made ISO 8601, UTC. */
export const nameByDate = (made: string): string => `afterword-${made.replaceAll(/[:.]/g, '-')}`;

/** Folders of a folder that are named as backups are, oldest first. */
export async function datedBackups(folder: string): Promise<string[]> {
  return (await readdir(folder))
    .filter((name) => DATED.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Removes what killed processes left of backups by date. One that another process is making is not removed.
 * @param isUnderWay Whether this process is making the backup of that name.
 */
export async function removeLeftovers(folder: string, isUnderWay: (backup: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) {
    const backup = name.slice(0, -UNFINISHED.length);
    if (!name.endsWith(UNFINISHED) || !DATED.test(backup) || isUnderWay(join(folder, backup))) continue;
    await removeUnfinished(join(folder, name)).catch(onlyRefusal);
  }
}

/**
 * Removes the oldest finished backups. A folder whose manifest is missing or damaged is neither counted nor removed.
 * @param newest The one that was just made. Those dated later are of a clock that was set back since: they count as
 * older than all others, or each new backup would be removed as it is made.
 * @param keep How many stay.
 * @returns The folders that were removed.
 */
export async function removeOldest(folder: string, newest: string, keep: number): Promise<string[]> {
  const finished: string[] = [];
  for (const backup of await datedBackups(folder)) if (await isFinished(backup)) finished.push(backup);
  const later = finished.filter((backup) => backup > newest);
  const old = [...later, ...finished.slice(0, finished.length - later.length)].slice(0, -keep);
  for (const backup of old) await removeBackup(backup);
  return old;
}

const isFinished = (folder: string): Promise<boolean> => readManifest(folder).then(() => true, onlyRefusal);

function onlyRefusal(error: unknown): false {
  if (error instanceof CommandError) return false;
  throw error;
}
