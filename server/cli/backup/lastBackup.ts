// The time of the last backup of a data folder, in a file in it, so that a restarted server knows it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissing } from '../../errors.ts';

const fileOf = (dataDir: string) => join(dataDir, 'last-backup');

/** @param made ISO 8601, UTC. */
export async function noteBackup(dataDir: string, made: string): Promise<void> {
  await writeFile(fileOf(dataDir), `${made}\n`);
}

/** @returns Epoch milliseconds; undefined where none is known. */
export async function readLastBackup(dataDir: string): Promise<number | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(undefinedIfMissing);
  const time = Date.parse(text?.trim() ?? '');
  return Number.isNaN(time) ? undefined : time;
}
