// A group goes to the journal, and from there to the engine, file by file and in order. Senders are answered when the engine has their
// events: in roll-ups, ready to be asked for. When it takes its time, or many wait, they are answered as soon as the disk has them.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { OverloadedError } from '../../errors.ts';
import type { EncodedRows } from '../../storage/engine.ts';
import { atMost, within } from './deadline.ts';
import { createFileRetry, type FileRetry } from './fileRetry.ts';
import { createHeldAnswers } from './heldAnswers.ts';
import { InDoubtError } from './inDoubt.ts';
import { createReplay } from './replay.ts';
import { createReplayPause, type ReplayPause } from './replayPause.ts';
import { UnwritableRowsError } from './unwritable.ts';
import { LogFileError } from './wal/fileAccess.ts';
import type { Group, LogFile, WriteAheadLog } from './wal/writeAheadLog.ts';

export interface WriterOptions {
  /** Writes to the engine, and settles in the end. Under a token it has seen, nothing changes. */
  insert(lines: EncodedRows, token: string): Promise<void>;
  /** Keys of the events that were stored lately; see `createReplay`. */
  storedKeys?: (() => Promise<readonly string[]>) | undefined;
  /** What stands in the lines that come. */
  columns: readonly string[];
  /** Without one, nothing is taken while the engine is away, and everybody waits for it. */
  journal: WriteAheadLog | undefined;
  log: Logger;
  /** Monotonic milliseconds: a wall clock that is set changes no duration. */
  clock(): number;
  /** How long an insert may take before the engine is said to be away; default 5,000 ms. */
  deadlineMs?: number | undefined;
  /** How long senders wait for the engine once their events are on the disk; default 2,000 ms. */
  patienceMs?: number | undefined;
  /** Senders waiting at most; when more come they are answered from the disk. Default 200. */
  mostHeld?: number | undefined;
  /** First and longest pause between attempts while the engine is away; default 250 and 5,000 ms. */
  retryMs?: readonly [first: number, longest: number] | undefined;
  /**
   * Shortest time between the starts of two inserts; default 250 ms: more small ones a second cost the engine too many parts.
   * A large one, of 10,000 events, need not wait for it.
   */
  intervalMs?: number | undefined;
}

/** A group, and how many senders it is from. */
export interface SentGroup extends Group {
  senders: number;
}

export interface Writer {
  /** Resolves when what an earlier process left in the journal is in the engine, or has to wait. */
  recovered: Promise<void>;
  /**
   * Resolves when the next group may come; `answered` resolves when this one's senders may be answered. One at a time.
   * @throws {OverloadedError} when the events certainly are on no disk.
   * @throws {InDoubtError} when they may be: they are tried again until it is known.
   */
  write(group: SentGroup): Promise<{ answered: Promise<void> }>;
  /** Files of the journal that cannot be used now, and are tried again. */
  retrying: FileRetry['retrying'];
  pause: ReplayPause['pause'];
  /** Gives the engine a moment to take what waits, and stops; the rest stays in the journal for the next start. */
  close(): Promise<void>;
}

const ENOUGH_EVENTS = 10_000;
/** In a crowd the engine rests until so much time has passed: an insert costs nearly as much for a thousand events as for ten thousand. */
const CROWD_REST_MS = 1_000;
/** With more events than this before it the engine rests no more: nobody's shall wait much longer than ten seconds. */
const CROWD_EVENTS = 1_000_000;
/** With so many events before theirs nobody's will be in the engine soon. */
const MANY_BEHIND = 5_000;
/** How long a start waits for the engine to take what an earlier process left, and an end for what is left of this one. */
const CATCH_UP_MS = 15_000;
const SAY_AGAIN_MS = 5_000;
/** Between the two times that a row must be refused before it is set aside. */
const SECOND_TRY_MS = 1_000;
const ANSWERED = { answered: Promise.resolve() };

export function createWriter(options: WriterOptions): Writer {
  const { insert, storedKeys, columns, journal, log, clock } = options;
  const { deadlineMs = 5000, patienceMs = 2000, mostHeld = 200, retryMs = [250, 5000], intervalMs = 250 } = options;
  const attempts = new Map<string, Promise<void>>();
  const held = createHeldAnswers({ patienceMs: Math.min(patienceMs, deadlineMs), most: mostHeld });
  let left = journal?.files().length ?? 0;
  let closing = false;
  let closed = false;
  let away = false;
  let complained = false;
  let absorbing: Promise<void> | undefined;
  let settling: Promise<void> | undefined;
  const pauses = new Set<() => void>();
  let hurry: (() => void) | undefined;
  let turn: Promise<void> = Promise.resolve();
  let tellRecovered: (() => void) | undefined;
  const fileRetry = createFileRetry({ retryMs, rest, log, sayAgainMs: SAY_AGAIN_MS });
  const replay = createReplay({ insert: toEngine, storedKeys, pause: () => rest(SECOND_TRY_MS), log });
  const pausing = createReplayPause({
    begin() {
      held.release();
      for (const end of pauses) end();
    },
    isSettled: () => left === 0 && attempts.size === 0 && settling === undefined && fileRetry.retrying().files === 0,
    files: () => journal?.files() ?? [],
  });

  /** One attempt a token at a time: against a slow engine, more of them would only be more to wait for. */
  function attempt(lines: EncodedRows, token: string): Promise<void> {
    const known = attempts.get(token);
    if (known) return known;
    const promise = insert(lines, token).finally(() => attempts.delete(token));
    attempts.set(token, promise);
    // Nobody may be waiting any more when it fails.
    promise.catch(() => undefined);
    return promise;
  }

  async function toEngine(lines: EncodedRows, token: string): Promise<void> {
    try {
      await within(deadlineMs, attempt(lines, token));
    } catch (error) {
      if (error instanceof UnwritableRowsError) throw error;
      if (!away) log.error({ err: error, spooling: journal !== undefined }, 'the engine does not take events');
      away = true;
      held.release();
      tellRecovered?.();
      throw error;
    }
    if (away) log.info({ files: journal?.files().length ?? 0 }, 'the engine takes events again');
    away = false;
  }

  async function write(group: SentGroup): Promise<{ answered: Promise<void> }> {
    if (settling) throw new OverloadedError('Earlier events are in doubt: none are taken until that is settled.');
    if (!journal) {
      await turn;
      turn = rest(intervalMs);
      return await writeAtOnce(group);
    }
    let file: LogFile;
    try {
      file = await journal.append(group);
    } catch (error) {
      complain(error);
      // The engine may have a disk of its own. But who comes behind others waits behind them.
      if (journal.files().length > 0) throw new OverloadedError('The journal takes no more events.', { cause: error });
      return await writeAtOnce(group);
    }
    const answered = held.hold(file, group.senders);
    if (away || pausing.over() || waitingIn(journal) >= MANY_BEHIND) held.release();
    startAbsorbing();
    if (file.events >= ENOUGH_EVENTS) hurry?.();
    return { answered };
  }

  /** What goes on for a while is said so often, not for each group. */
  function complain(error: unknown): void {
    if (complained) return;
    complained = true;
    setTimeout(() => {
      complained = false;
    }, SAY_AGAIN_MS).unref();
    log.error({ err: error }, 'the journal of events cannot be written');
  }

  async function writeAtOnce({ text, events }: Group): Promise<typeof ANSWERED> {
    const token = randomUUID();
    const lines = { columns, text };
    const toJournal = async (): Promise<void> => {
      if (!journal) throw new OverloadedError('The engine is away, and there is no journal.');
      const file = await journal.append({ text, events }, token);
      file.owed = true;
      pausing.wasSent(file);
      startAbsorbing();
    };
    try {
      await toEngine(lines, token);
    } catch {
      // Logged above. Under its token the group can be written again without harm, wherever the first attempt ended.
      await toJournal().catch(() => {
        throw doubt(() => toEngine(lines, token).catch(toJournal));
      });
    }
    return ANSWERED;
  }

  function doubt(work: () => Promise<void>): InDoubtError {
    const settled = retry(work);
    settling = settled.finally(() => {
      settling = undefined;
    });
    // Whoever waits for it hears of it by the error's own promise.
    settling.catch(() => undefined);
    return new InDoubtError(settled);
  }

  function startAbsorbing(): void {
    if (journal && journal.files().length > 0 && !closed) absorbing ??= absorb(journal);
    fileRetry.wake();
  }

  /** The next insert begins when the last has landed; a lonely event's at once. */
  async function absorb(from: WriteAheadLog): Promise<void> {
    while (from.files().length > 0 && !closed) {
      const file = pausing.over() ? undefined : fileRetry.next(from.files());
      if (!file) {
        await (pausing.over() ?? fileRetry.changed());
        continue;
      }
      const start = clock();
      const pause = rest(intervalMs, (end) => (hurry = end));
      try {
        if (!(await pausing.send(() => sendFile(from, file))) && closing) break;
      } catch (error) {
        log.info({ err: error, files: from.files().length }, 'events stay in the journal');
        break;
      }
      // In a crowd nobody waits for the engine: it leaves as much of the machine to doors and readers, and then takes more at once.
      if (held.crowded() && waitingIn(from) <= CROWD_EVENTS) await rest(Math.max(CROWD_REST_MS, clock() - start));
      else if (file.events < ENOUGH_EVENTS && (from.files()[0]?.events ?? 0) < ENOUGH_EVENTS) await pause;
    }
    // In the same turn as the last look: a group added a moment later must find nobody at work.
    absorbing = undefined;
  }

  async function sendFile(from: WriteAheadLog, file: LogFile): Promise<boolean> {
    await from.seal(file);
    return await retry(() => absorbFile(from, file));
  }

  /** @returns false when its turn comes again later. */
  async function absorbFile({ letters }: WriteAheadLog, file: LogFile): Promise<boolean> {
    try {
      await replay(file, letters);
    } catch (error) {
      if (!(error instanceof LogFileError)) throw error;
      fileRetry.postpone(file, error);
      held.release();
      tellRecovered?.();
      return false;
    }
    fileRetry.forget(file);
    held.landed(file);
    if (left > 0) left -= 1;
    if (left === 0) tellRecovered?.();
    return true;
  }

  /** Until it works, or `close`. */
  async function retry<T>(work: () => Promise<T>): Promise<T> {
    for (let pause = retryMs[0]; ; pause = Math.min(pause * 2, retryMs[1])) {
      try {
        return await work();
      } catch (error) {
        tellRecovered?.();
        held.release();
        if (closing) throw error;
        await rest(pause);
        if (closing) throw error;
      }
    }
  }

  /** Resolves after a while, or sooner: when told, or at the end. */
  function rest(ms: number, teller?: (end: () => void) => void): Promise<void> {
    if (closing) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      pauses.add(end);
      teller?.(end);
    });
  }

  const recovered =
    left > 0 ? atMost(CATCH_UP_MS, new Promise<void>((done) => (tellRecovered = done))) : Promise.resolve();
  startAbsorbing();
  return {
    recovered,
    write,
    retrying: fileRetry.retrying,
    pause: pausing.pause,
    async close() {
      closing = true;
      for (const end of pauses) end();
      if (away) closed = true;
      await atMost(CATCH_UP_MS, Promise.allSettled([absorbing, settling]));
      closed = true;
      pausing.end();
      await Promise.allSettled([absorbing, settling]);
      held.release();
      await journal?.close();
    },
  };
}

const waitingIn = (journal: WriteAheadLog) => journal.files().reduce((sum, { events }) => sum + events, 0);
