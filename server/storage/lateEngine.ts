// An engine that is opened later, for a server that starts while its database is away: until then every statement fails
// as during an outage, and the caller's own ways of bearing one apply.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { MINUTE } from '../durations.ts';
import { messageOf, StoreUnavailableError } from '../errors.ts';
import type { ReadWriteLock } from './readWriteLock.ts';

/** Pauses between attempts to open the engine: the first, and the longest. */
const RETRY_MS = [1_000, 5_000] as const;
/** A reason that stays the same is logged so often. */
const LOG_AGAIN_MS = MINUTE;

/** What is known of an engine that is not open yet. */
export interface Opening {
  /** Resolves when it is open; never where it is closed before. */
  opened: Promise<void>;
  isOpen(): boolean;
  /** For readers and probes: names no machine of ours. */
  message: string;
}

const MESSAGE = 'The database does not answer.';

export interface LateEngineOptions {
  /** Opens the engine; called until it succeeds. */
  open(): Promise<ReadWriteLock>;
  /**
   * Called with the engine before anything else uses it; where it rejects, the engine is closed, and opened again
   * later.
   */
  prepare(lock: ReadWriteLock): Promise<void>;
  /** Monotonic milliseconds. */
  clock(): number;
  log: Logger;
}

export function createLateEngine({
  open,
  prepare,
  clock,
  log,
}: LateEngineOptions): ReadWriteLock & { opening: Opening } {
  const stop = new AbortController();
  let lock: ReadWriteLock | undefined;
  const current = (): ReadWriteLock => {
    if (lock === undefined) throw new StoreUnavailableError(MESSAGE);
    return lock;
  };

  async function attempt(): Promise<void> {
    const found = await open();
    try {
      await prepare(found);
      if (stop.signal.aborted) throw new StoreUnavailableError('The server is stopping.');
    } catch (error) {
      await found.engine.close();
      throw error;
    }
    lock = found;
  }

  async function openInTime(): Promise<void> {
    let logged: { message: string; at: number } | undefined;
    for (let pause: number = RETRY_MS[0]; !stop.signal.aborted; pause = Math.min(pause * 2, RETRY_MS[1])) {
      try {
        return await attempt();
      } catch (error) {
        const message = messageOf(error);
        const isNews = logged?.message !== message || clock() - logged.at > LOG_AGAIN_MS;
        if (isNews && !stop.signal.aborted) {
          log.error({ cause: message }, 'the database cannot be opened yet; it is tried again');
          logged = { message, at: clock() };
        }
      }
      await sleep(pause, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  }

  const trying = openInTime();
  return {
    opening: {
      opened: new Promise((done) => void trying.then(() => lock && done())),
      isOpen: () => lock !== undefined,
      message: MESSAGE,
    },
    exclusive: async (work) => await current().exclusive(work),
    inner: () => current().inner(),
    replace: (next) => current().replace(next),
    setMoving: (on) => current().setMoving(on),
    engine: {
      get cluster() {
        return lock?.engine.cluster;
      },
      get servers() {
        return lock?.engine.servers;
      },
      rows: async (...question) => await current().engine.rows(...question),
      lines: async (...question) => await current().engine.lines(...question),
      insert: async (...rows) => await current().engine.insert(...rows),
      command: async (...statement) => await current().engine.command(...statement),
      ping: async () => await current().engine.ping(),
      away: async () => (lock === undefined ? [] : await lock.engine.away()),
      async close() {
        stop.abort();
        await trying;
        await lock?.engine.close();
      },
    },
  };
}
