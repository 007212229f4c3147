// The secret that hides addresses: random, another one each day (UTC), and gone with its day.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const DAY_MS = 24 * 3600 * 1000;
const LINE = /^(\d+) ([0-9a-f]{64})\n$/;

/**
 * Keeps today's salt in a file of its own, far from the hashes, so that a restart does not make every visitor a new
 * one. With the first event, or check, of the next day it is overwritten: yesterday's hashes cannot be made again.
 * @param file Undefined: in memory only.
 * @returns The salt of the day of `time`, in epoch milliseconds.
 */
export function createDailySalt(file?: string): (time: number) => string {
  let day = Number.NaN;
  let salt = '';

  return (time) => {
    const today = Math.floor(time / DAY_MS);
    if (today === day) return salt;
    const kept = file === undefined || !Number.isNaN(day) ? undefined : readSalt(file);
    day = today;
    if (kept?.day === today) {
      salt = kept.salt;
    } else {
      salt = randomBytes(32).toString('hex');
      if (file !== undefined) writeSalt(file, `${today} ${salt}\n`);
    }
    return salt;
  };
}

function readSalt(file: string): { day: number; salt: string } | undefined {
  try {
    const [, day, salt] = LINE.exec(readFileSync(file, 'utf8')) ?? [];
    return day === undefined || salt === undefined ? undefined : { day: Number(day), salt };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function writeSalt(file: string, line: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, line, { mode: 0o600, flag: 'wx' });
  renameSync(next, file);
}
