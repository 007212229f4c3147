// The secret that hides addresses: random, new each day (UTC), and erased with its day.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DAY, HOUR } from '../../durations.ts';
import { undefinedIfMissing } from '../../errors.ts';
import { type WriteSalt, writeSalt } from './saltFiles.ts';

const LINE = /^(\d+) ([0-9a-f]{64})\n$/;

/**
 * How long yesterday's salt is kept in memory, by the monotonic clock: a wall clock that was set over midnight by
 * mistake is mostly set back within the hour, and the visitors of the day must not become new ones.
 */
export const KEPT_MS = HOUR;

interface Salt {
  day: number;
  salt: string;
}

/**
 * Keeps today's salt in a file of its own, apart from the hashes, so that after a restart visitors are not new ones.
 * The first event, or check, of the next day overwrites it, and an hour later it is erased from memory: yesterday's
 * hashes cannot be computed again. While the clock is a day behind, the newest salt is used.
 * @param file Undefined: in memory only.
 * @param clock Monotonic milliseconds. Default: the times that are asked for.
 * @param write Default: throws the error of the disk.
 * @returns The salt of the day of `time`, in epoch milliseconds.
 */
export function createDailySalt(
  file?: string,
  clock?: () => number,
  write: WriteSalt = writeSalt,
): (time: number) => string {
  let current: Salt = { day: Number.NaN, salt: '' };
  let before: (Salt & { until: number }) | undefined;

  /** A known salt for the day: that before the clock was set, or the newest where its day has not come yet. */
  function atHand(today: number): Salt | undefined {
    if (before?.day === today) return before;
    const kept = Number.isNaN(current.day) && file !== undefined ? readSalt(file) : current;
    return kept?.day === today || kept?.day === today + 1 ? kept : undefined;
  }

  return (time) => {
    const today = Math.floor(time / DAY);
    if (today === current.day && before === undefined) return current.salt;
    const at = clock?.() ?? time;
    if (before !== undefined && at >= before.until) before = undefined;
    if (today === current.day) return current.salt;
    const known = atHand(today);
    if (known !== undefined && known === current) return known.salt;
    const next = { day: known?.day ?? today, salt: known?.salt ?? randomBytes(32).toString('hex') };
    before = Number.isNaN(current.day) ? undefined : { ...current, until: at + KEPT_MS };
    current = next;
    if (file !== undefined) write(file, `${next.day} ${next.salt}\n`);
    return next.salt;
  };
}

function readSalt(file: string): Salt | undefined {
  try {
    const [, day, salt] = LINE.exec(readFileSync(file, 'utf8')) ?? [];
    return day === undefined || salt === undefined ? undefined : { day: Number(day), salt };
  } catch (error) {
    return undefinedIfMissing(error);
  }
}
