// Identifies the holder of a lock file, so that a stale lock is recognized despite process id reuse, which is frequent
// in containers that restart: a mark is the process id with the start time of the process.
import { readFile } from 'node:fs/promises';
import { hasCode } from './errors.ts';

/** The process id and, on Linux, its start time in clock ticks since the boot. */
export async function markOf(pid: number): Promise<string> {
  const start = await startOf(pid);
  return start === undefined ? String(pid) : `${pid} ${start}`;
}

/**
 * Id of the process that a mark names.
 * @returns undefined once it has ended, also where another process has its id now, and for a text that is no mark.
 */
export async function runningBy(mark: string): Promise<number | undefined> {
  const [id, start] = mark.trim().split(' ');
  const pid = Number(id);
  if (!isAlive(pid)) return undefined;
  return start === undefined || start === (await startOf(pid)) ? pid : undefined;
}

/** Whether there is a process of this id, of whichever user. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return hasCode(error, 'EPERM');
  }
}

/** Field 22 of proc_pid_stat(5); undefined on systems without that file. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field, a name in parentheses, may have blanks; the third one follows it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
