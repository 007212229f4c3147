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
 * Removes the oldest finished backups, and what killed processes left. A folder whose manifest is missing or damaged is
 * neither counted nor removed.
 * @param newest The one that was just made. Those dated later are of a clock that was set back since: they count as
 * older than all others, or each new backup would be removed as it is made.
 * @param keep How many stay.
 * @returns The folders that were removed.
 */
export async function removeOldest(folder: string, newest: string, keep: number): Promise<string[]> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(UNFINISHED) || !DATED.test(name.slice(0, -UNFINISHED.length))) continue;
    // One that is being made now is not removed.
    await removeUnfinished(join(folder, name)).catch(onlyRefusal);
  }
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
