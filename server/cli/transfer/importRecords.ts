// The records of imports, which are files beside the database: they go where it goes. Without them a file that is
// brought again counts twice, and with those of another database one that is missing is not brought.
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../errors.ts';
import { syncBelow } from '../backup/checksums.ts';

/** Their folder, in a data folder or a backup. */
export const importsIn = (folder: string): string => join(folder, 'imports');

/** @returns Names of files; undefined where there is no folder for them, as in a backup of an earlier version. */
export async function recordsIn(folder: string): Promise<string[] | undefined> {
  try {
    const names = (await readdir(importsIn(folder))).filter((name) => /\.(?:json|stored)$/.test(name));
    // Last batches first: an import that ends meanwhile removes its own when its record has it.
    return names.sort((one, other) => Number(one.endsWith('.json')) - Number(other.endsWith('.json')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Copies the records of a folder to another one, which has these and no others then. */
export async function copyImportRecords(from: string, to: string): Promise<void> {
  const names = (await recordsIn(from)) ?? [];
  await rm(importsIn(to), { recursive: true, force: true });
  if (names.length === 0) return;
  await mkdir(importsIn(to), { recursive: true, mode: 0o700 });
  for (const name of names) {
    await copyFile(join(importsIn(from), name), join(importsIn(to), name)).catch((error: unknown) => {
      // An import of which no line was stored removes its record.
      if (!hasCode(error, 'ENOENT')) throw error;
    });
  }
  await syncBelow(importsIn(to));
}

/** The same to a backup, where the folder is made for no record, too: it says that there was none. */
export async function backUpImportRecords(data: string, backup: string): Promise<void> {
  await copyImportRecords(data, backup);
  await mkdir(importsIn(backup), { recursive: true, mode: 0o700 });
}

/** The same from a backup. One of an earlier version says nothing of them: those of the data folder stay. */
export async function restoreImportRecords(backup: string, data: string): Promise<void> {
  if ((await recordsIn(backup)) !== undefined) await copyImportRecords(backup, data);
}

/** Whether a folder has records. */
export const hasImportRecords = async (folder: string): Promise<boolean> =>
  ((await recordsIn(folder)) ?? []).length > 0;
