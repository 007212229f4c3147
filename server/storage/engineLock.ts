// Which process has the directory of the embedded engine: the engine locks a file in it, and writes its process id
// there.
import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../processMark.ts';

const LOCKS = '/proc/locks';

const statusOf = (path: string): string => join(path, 'status');

/**
 * Process that has the directory, by what the engine wrote. Our own id means it was left by us.
 * @param path Directory of the engine.
 */
export function holderOf(path: string): number | undefined {
  const text = existsSync(statusOf(path)) ? readFileSync(statusOf(path), 'utf8') : '';
  const pid = Number(/^PID: (\d+)/.exec(text)?.[1]);
  return pid > 0 && pid !== process.pid && isAlive(pid) && mayHoldLock(pid) ? pid : undefined;
}

/**
 * Process that has locked the file of the directory by `/proc/locks`, also before the engine has written its id there.
 * Undefined where the system has no `/proc/locks`, or where the list has other device numbers than `stat`.
 * @param path Directory of the engine.
 */
export function lockerOf(path: string): number | undefined {
  const file = statSync(statusOf(path), { throwIfNoEntry: false });
  if (file === undefined || !existsSync(LOCKS)) return undefined;
  const pid = Number(lockOn(file).exec(readFileSync(LOCKS, 'utf8'))?.[1]);
  return pid > 0 && pid !== process.pid ? pid : undefined;
}

/** A line such as `10: FLOCK  ADVISORY  WRITE 17100 fe:00:2564672 0 EOF`: device and number of the file come last. */
function lockOn({ dev, ino }: Stats): RegExp {
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)].map((part) =>
    part.toString(16).padStart(2, '0'),
  );
  return new RegExp(`^\\d+: FLOCK +\\w+ +\\w+ +(\\d+) ${major}:${minor}:${ino} `, 'm');
}

/** After a start of the machine another process may have that id. Where no locks are listed, the id alone says it. */
function mayHoldLock(pid: number): boolean {
  if (!existsSync(LOCKS)) return true;
  return new RegExp(`^\\d+: FLOCK +\\w+ +\\w+ +${pid} `, 'm').test(readFileSync(LOCKS, 'utf8'));
}
