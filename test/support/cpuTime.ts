// How long this process was at work: what a busy machine cannot stretch, as it does the time on the clock.
import { readFileSync } from 'node:fs';

/** @returns how many milliseconds of a processor this process has used since. */
export function cpuTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}

/**
 * Of another process, on Linux: how many milliseconds of a processor its main thread has used, in steps of ten. What its
 * other threads do, those of the database among them, keeps nothing from being answered.
 */
export const mainThreadTime = (pid: number): number => timeIn(`/proc/${pid}/task/${pid}/stat`);

/** The same of all its threads. */
export const processTime = (pid: number): number => timeIn(`/proc/${pid}/stat`);

function timeIn(file: string): number {
  const stat = readFileSync(file, 'latin1');
  // The second field is a name in brackets, which may hold blanks; of what follows, the 12th and 13th are user and system time.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number) as [number, number];
  return (user + system) * TICK_MS;
}

/** USER_HZ, which is 100 on every architecture that Node runs on. */
const TICK_MS = 10;
