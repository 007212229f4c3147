// Checks of the machine: whether the data folder exists, is writable and has room.
import { access, constants, stat } from 'node:fs/promises';
import { DISK_REMEDY, diskRoom, freeText, READ_ONLY_REMEDY } from '../../checkup/diskRoom.ts';
import { type Finding, ok, problem, warning } from '../../checkup/finding.ts';
import { FEW_FILES, freeBytes, freeFiles } from '../freeBytes.ts';
import { asWord, count } from '../output.ts';

export async function examineMachine(dataDir: string): Promise<Finding[]> {
  const folder = await examineFolder(dataDir);
  return folder.state === 'problem' ? [folder] : [folder, await examineDisk(dataDir)];
}

async function examineFolder(dataDir: string): Promise<Finding> {
  const about = 'data folder';
  const stats = await stat(dataDir).catch(missing);
  if (stats === undefined)
    return problem(about, `${dataDir} does not exist.`, 'Start the server once, or name the right folder with --data.');
  if (!stats.isDirectory()) return problem(about, `${dataDir} is no folder.`, 'Name a folder with --data.');
  const me = process.getuid?.();
  const mayWrite = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(() => true, refused);
  if (mayWrite === 'read-only')
    return problem(about, `${dataDir} is on a file system that is read-only now.`, READ_ONLY_REMEDY);
  if (!mayWrite)
    return problem(
      about,
      `${dataDir} cannot be written by this user (${me}).`,
      `Run as user ${stats.uid}, to whom it belongs.`,
    );
  if (me !== undefined && stats.uid !== me) {
    return warning(
      about,
      `${dataDir} belongs to user ${stats.uid}, you are ${me}.`,
      `Run commands as user ${stats.uid}.`,
    );
  }
  if ((stats.mode & 0o077) !== 0)
    return warning(about, `${dataDir} can be read by other users.`, `chmod 700 ${asWord(dataDir)}`);
  return ok(about, `${dataDir} is ours alone.`);
}

export const ABOUT_DISK = 'disk';

async function examineDisk(dataDir: string): Promise<Finding> {
  const files = await freeFiles(dataDir);
  if (files < FEW_FILES)
    return problem(ABOUT_DISK, `Has room for ${count(files, 'more file')}, whatever their size (df -i).`, OF_FILES);
  const free = await freeBytes(dataDir);
  const room = diskRoom(free);
  const says = `${freeText(free)}.`;
  if (room === 'enough') return ok(ABOUT_DISK, says);
  return (room === 'full' ? problem : warning)(ABOUT_DISK, says, DISK_REMEDY[room]);
}

const OF_FILES = 'Remove files that are not needed: without new files nothing can be stored.';

/** Also where a fault of the disk made the system mount it anew. */
function refused(error: NodeJS.ErrnoException): 'read-only' | undefined {
  return error.code === 'EROFS' ? 'read-only' : missing(error);
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
