// A backup under construction: made under another name, and renamed when all of it is on the disk, so that what has the
// final name is whole.
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncPath } from '../../durableFile.ts';
import { messageOf, undefinedIfMissing } from '../../errors.ts';
import { markOf, runningBy } from '../../processMark.ts';
import { CommandError } from '../commandError.ts';
import { MANIFEST } from './manifest.ts';

/**
 * Ends the name of a backup that is being made, or removed. Beside the final name; an empty folder that is there keeps
 * it within.
 */
export const UNFINISHED = '.unfinished';
/** Mark of the process that makes it, in its folder: what a killed process left is removed by the next one. */
export const MAKER = 'maker.pid';

export interface UnfinishedBackup {
  /** Where it is made. */
  at: string;
  /** Gives it the final name. Everything in it is on the disk already. */
  finish(): Promise<void>;
  /** Removes what was made. */
  discard(): Promise<void>;
}

/**
 * Begins a backup: makes the folder it is made in, for its owner only.
 * @param folder Its final name: not there yet, or an empty folder. The folder above is there: a disk that is not
 * mounted is no reason to
 *   fill the one below.
 * @throws {CommandError} when the folder cannot be used, has something in it, or is a link.
 */
export async function beginBackup(folder: string): Promise<UnfinishedBackup> {
  try {
    await requireFolder(dirname(folder));
    return await begin(folder);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${folder} cannot be used: ${messageOf(error)}.`);
  }
}

async function begin(folder: string): Promise<UnfinishedBackup> {
  const isThere = await takeEmpty(folder);
  const at = isThere ? join(folder, UNFINISHED) : folder + UNFINISHED;
  await removeUnfinished(at);
  await mkdir(at, { mode: 0o700 });
  const discard = () => rm(at, { recursive: true, force: true });
  try {
    await writeFile(join(at, MAKER), `${await markOf(process.pid)}\n`, { mode: 0o600 });
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    at,
    async finish() {
      await rm(join(at, MAKER));
      await syncPath(at);
      if (isThere) await moveUp(at, folder);
      else await rename(at, folder);
      await syncPath(isThere ? folder : dirname(folder));
    },
    discard,
  };
}

/** @throws {CommandError} */
export async function requireFolder(folder: string): Promise<void> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats?.isDirectory() || stats?.isSymbolicLink()) return;
  throw new CommandError(`There is no folder ${folder}: make it, or mount the disk that has it.`);
}

/** The manifest comes last: without it, it is no backup. */
async function moveUp(unfinished: string, folder: string): Promise<void> {
  const names = (await readdir(unfinished)).sort((a, b) => Number(a === MANIFEST) - Number(b === MANIFEST));
  for (const name of names) await rename(join(unfinished, name), join(folder, name));
  await rm(unfinished, { recursive: true });
}

/** @returns Whether the folder is there; it is empty then, and closed to others. */
async function takeEmpty(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(undefinedIfMissing);
  if (stats === undefined) return false;
  if (stats.isSymbolicLink())
    throw new CommandError(`${folder} is a symbolic link: name the folder it leads to, or a new one.`);
  if ((await readdir(folder)).some((name) => name !== UNFINISHED))
    throw new CommandError(
      `${folder} is not empty. Name a new folder for each backup, or let it hold several by date: --keep 7.`,
    );
  await chmod(folder, 0o700);
  return true;
}

/**
 * Removes what a killed process left.
 * @throws {CommandError} when the process that makes it is alive; what the disk answers where its mark cannot be read.
 */
export async function removeUnfinished(unfinished: string): Promise<void> {
  const mark = await readFile(join(unfinished, MAKER), 'utf8').catch(undefinedIfMissing);
  const maker = mark === undefined ? undefined : await runningBy(mark);
  if (maker !== undefined && maker !== process.pid)
    throw new CommandError(`Process ${maker} is making a backup in ${unfinished}. If it is not, remove that folder.`);
  await rm(unfinished, { recursive: true, force: true });
}

/** Removes a finished backup: it loses its final name first, so that half of one is never taken for a whole one. */
export async function removeBackup(folder: string): Promise<void> {
  const at = join(dirname(folder), basename(folder) + UNFINISHED);
  await rename(folder, at);
  await rm(at, { recursive: true });
}
