// Processor time of another process' main thread, to the nanosecond where the kernel keeps scheduler statistics.
import { existsSync, readFileSync } from 'node:fs';
import { mainThreadTime } from './cpuTime.ts';

/** @returns Milliseconds; without scheduler statistics in steps of ten. Exact while the thread waits. */
export function threadTime(pid: number): number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  if (!existsSync(file)) return mainThreadTime(pid);
  // Nanoseconds on a processor, nanoseconds waiting for one, times it was given one.
  return Number(readFileSync(file, 'latin1').split(' ')[0]) / 1e6;
}
