// Exhausts the file descriptors of a running process: its limit is lowered to what it has open, and raised again.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

/** @returns Why this machine cannot do that; undefined: it can. */
export function whyNoDescriptorLimit(): string | undefined {
  if (process.platform !== 'linux') return `${process.platform} cannot limit the files of a running process`;
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), '--nofile'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `the limit of files cannot be changed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * @param room Descriptors left.
 * @returns Restores the limit.
 */
export function limitDescriptors(pid: number, room: number): () => void {
  const before = limit(pid, '--output', 'SOFT', '--noheadings', '--nofile').trim();
  limit(pid, `--nofile=${readdirSync(`/proc/${pid}/fd`).length + room}:`);
  return () => limit(pid, `--nofile=${before}:`);
}

const limit = (pid: number, ...words: string[]) =>
  execFileSync('prlimit', ['--pid', String(pid), ...words], { encoding: 'utf8', stdio: 'pipe' });
