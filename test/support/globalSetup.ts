// Runs once before and after all test files, in the test runner's own process.
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RUN_FOLDER } from './emptyDatabase.ts';

const MEMORY = '/dev/shm';
/** A run takes some hundred megabytes at a time. */
const ROOM = 2 * 1024 ** 3;

/**
 * Gives the processes of the test files a folder for what they share, and for all they write, through the environment they inherit. In
 * memory where there is room: databases wait for the disk at each insert, which is half of the time of some files. A process that is
 * killed loses as much there as on a disk.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), 'afterword-run-'));
  process.env[RUN_FOLDER] = folder;
  process.env.TMPDIR = folder;
  const remove = () => removeFolder(folder);
  // Also when the run is broken off.
  process.once('exit', remove);
  return remove;
}

/** A browser or an engine that is still ending may write a last file meanwhile: the folder is listed again then. */
function removeFolder(folder: string): void {
  for (let left = 20; ; left--) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      break;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

/** Whether there is a file system in memory that is large enough, and runs the programs that tests write. */
function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux') return false;
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const [, , type, flags = ''] = mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? [];
  if (type !== 'tmpfs' || flags.split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM;
}
