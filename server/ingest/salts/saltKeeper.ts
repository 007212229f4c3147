// Today's salt, always at hand: this server's own, or the one all copies of the server agreed on in the database they share, so
// that a reader who is served by two of them is one reader.
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { SaltStore } from '../../storage/store.ts';
import { openAgreedSalts } from './agreedSalts.ts';
import { createDailySalt, KEPT_MS } from './dailySalt.ts';

export interface SaltKeeperOptions {
  /** File of this server's own salt; those that were agreed on are in a file beside it, `<file>s`. Undefined: in memory only. */
  file: string | undefined;
  /** Where copies agree. Undefined: there are none. */
  shared: SaltStore | undefined;
  now: () => number;
  /** Monotonic milliseconds. Default: `now`. */
  clock?: (() => number) | undefined;
  log: Logger;
}

export interface SaltKeeper {
  /** The salt of the day of `time`, which is about now. */
  of(time: number): string;
  /** Agrees on what is not agreed on yet, now instead of within a minute. Never rejects. */
  agree(): Promise<void>;
  /** Erases the salts of earlier days from the database: for one of the copies. */
  erase(): Promise<void>;
  close(): void;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Tomorrow's salt is agreed on a day ahead: an outage of a day over midnight needs no database. It says nothing of readers before its day. */
const AHEAD_MS = DAY_MS;

const dayOf = (time: number) => Math.floor(time / DAY_MS);
const toDate = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Resolves when today's salt is agreed on; where the database cannot say, this server's own serves until it can. */
export async function openSaltKeeper({ file, shared, now, clock = now, log }: SaltKeeperOptions): Promise<SaltKeeper> {
  const own = createDailySalt(file, clock);
  const agreed = openAgreedSalts(file && shared && `${file}s`);
  /** The day it is, and since when. A start erases at once: what it finds was not made by a clock it saw. */
  let current = { day: dayOf(now()), since: Number.NEGATIVE_INFINITY };

  const isSettled = () => clock() - current.since >= KEPT_MS;

  async function agree(store: SaltStore): Promise<void> {
    const time = now();
    const today = dayOf(time);
    if (today !== current.day) current = { day: today, since: clock() };
    if (isSettled()) agreed.dropBefore(today);
    for (const day of new Set([today, dayOf(time + AHEAD_MS)])) {
      if (agreed.get(day) !== undefined) continue;
      const salt = await store.agree(toDate(day), day === today ? own(time) : randomBytes(32).toString('hex'));
      if (salt !== undefined) agreed.set(day, salt);
    }
  }

  async function keep(): Promise<void> {
    // Yesterday's own salt goes with its day, whether anybody comes or not.
    own(now());
    if (shared === undefined) return;
    await agree(shared).catch((error: unknown) => log.warn({ err: error }, 'the salt of the day is not agreed on yet'));
  }

  await keep();
  const timer = setInterval(() => void keep(), MINUTE_MS).unref();
  return {
    of: (time) => agreed.get(dayOf(time)) ?? own(time),
    agree: keep,
    async erase() {
      const today = dayOf(now());
      if (shared !== undefined && today === current.day && isSettled()) await shared.eraseBefore(toDate(today));
    },
    close: () => clearInterval(timer),
  };
}
