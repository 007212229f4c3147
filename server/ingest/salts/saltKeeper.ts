// Keeps the salt of the day: this server's own, or the one that all copies of the server agreed on in the database they
// share, so that a reader of two copies is one reader.
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { DAY, MINUTE } from '../../durations.ts';
import type { SaltStore } from '../../storage/store.ts';
import { openAgreedSalts } from './agreedSalts.ts';
import { createDailySalt, KEPT_MS } from './dailySalt.ts';
import { createSaltFiles } from './saltFiles.ts';

export interface SaltKeeperOptions {
  /** File of this server's own salt; those that were agreed on are in `<file>s`. Undefined: in memory only. */
  file: string | undefined;
  /**
   * Where copies agree: asked for each time, because a move changes the database under a running server. Undefined:
   * there are no copies.
   */
  shared: () => SaltStore | undefined;
  now: () => number;
  /** Monotonic milliseconds. Default: `now`. */
  clock?: (() => number) | undefined;
  log: Logger;
}

export interface SaltKeeper {
  /** The salt of the day of `time`, which is about now. */
  of(time: number): string;
  /** Agrees on missing salts now, instead of within a minute. Never rejects. */
  agree(): Promise<void>;
  /** Erases the salts of earlier days from the database; run by one of the copies. */
  erase(): Promise<void>;
  close(): void;
}

/**
 * Tomorrow's salt is agreed on a day ahead, so that a database that is away over midnight is not needed. It reveals
 * nothing of readers before its day.
 */
const AHEAD_MS = DAY;

const dayOf = (time: number) => Math.floor(time / DAY);
const toDate = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

/** Resolves when today's salt is agreed on; while the database is away, this server's own is used. */
export async function openSaltKeeper({ file, shared, now, clock = now, log }: SaltKeeperOptions): Promise<SaltKeeper> {
  const files = createSaltFiles(log);
  const own = createDailySalt(file, clock, files.write);
  const agreed = openAgreedSalts(file && `${file}s`, files.write);
  /** The current day, and since when. A start erases earlier salts at once: this process's clock did not make them. */
  let current = { day: dayOf(now()), since: Number.NEGATIVE_INFINITY };

  const isSettled = () => clock() - current.since >= KEPT_MS;

  function erasePast(): void {
    const today = dayOf(now());
    if (today !== current.day) current = { day: today, since: clock() };
    if (isSettled()) agreed.dropBefore(today);
  }

  async function agree(store: SaltStore): Promise<void> {
    const time = now();
    const today = dayOf(time);
    for (const day of new Set([today, dayOf(time + AHEAD_MS)])) {
      if (agreed.get(day) !== undefined) continue;
      const salt = await store.agree(toDate(day), day === today ? own(time) : randomBytes(32).toString('hex'));
      if (salt !== undefined) agreed.set(day, salt);
    }
  }

  async function keep(): Promise<void> {
    files.writeAgain();
    // Erases yesterday's own salt also where no event comes.
    own(now());
    erasePast();
    const store = shared();
    if (store === undefined) return;
    await agree(store).catch((error: unknown) => log.warn({ err: error }, 'the salt of the day is not agreed on yet'));
  }

  await keep();
  const timer = setInterval(() => void keep(), MINUTE).unref();
  return {
    of: (time) => agreed.get(dayOf(time)) ?? own(time),
    agree: keep,
    async erase() {
      const today = dayOf(now());
      if (today === current.day && isSettled()) await shared()?.eraseBefore(toDate(today));
    },
    close: () => clearInterval(timer),
  };
}
