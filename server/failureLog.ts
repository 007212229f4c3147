// Failures that come again every few seconds, such as a full disk: one line of the log, then one a minute that says how
// many.
import type { Logger } from 'pino';
import { MINUTE } from './durations.ts';
import { messageOf, StoreUnavailableError } from './errors.ts';
import { createLogThrottle } from './logThrottle.ts';

export interface FailureLog {
  /**
   * Logs a failure, unless the same one of the same work was logged within a minute: then it is counted in the next
   * line.
   * @param work What failed, by name.
   */
  add(work: string, error: unknown, message: string, details?: Record<string, unknown>): void;
}

const PAUSE_MS = MINUTE;
/** The engine's own sentences can have a statement in them. */
const MAX_REASON = 300;

/** @param clock Monotonic milliseconds. */
export function createFailureLog(log: Logger, clock: () => number): FailureLog {
  const throttle = createLogThrottle(PAUSE_MS, clock);
  return {
    add(work, error, message, details = {}) {
      const reason = reasonOf(error);
      const more = throttle.pass(work, codeOf(error) ?? reason);
      if (more === undefined) return;
      const repeated = more > 0 ? { more } : {};
      // A stack leads nowhere where a disk, a network or the database is the reason.
      log.error({ ...details, ...(isOfSystem(error) || more > 0 ? { reason } : { err: error }), ...repeated }, message);
    },
  };
}

function isOfSystem(error: unknown): boolean {
  return error instanceof StoreUnavailableError || (error instanceof Error && 'code' in error);
}

/** Of an error of the file system, whose sentence names the file: a full disk refuses many. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;

function reasonOf(error: unknown): string {
  const text = messageOf(error).split('\n', 1)[0]!;
  return text.length <= MAX_REASON ? text : `${text.slice(0, MAX_REASON)}…`;
}
