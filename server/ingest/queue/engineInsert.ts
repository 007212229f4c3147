// Inserts into the engine with a deadline, and reports whether the engine is away.
import type { Logger } from 'pino';
import { withDeadline } from '../../deadline.ts';
import type { EncodedRows } from '../../storage/engine.ts';
import { UnwritableRowsError } from './unwritable.ts';

export interface EngineInsertOptions {
  /** Writes to the engine, and settles in the end. A second insert under the same token changes nothing. */
  insert(lines: EncodedRows, token: string): Promise<void>;
  /** Duration of an insert after which the engine counts as away, in milliseconds. */
  deadlineMs: number;
  log: Logger;
  /** Whether events are taken into the write-ahead log while the engine is away. */
  spooling: boolean;
}

export interface EngineInsert {
  /**
   * @throws {UnwritableRowsError} when the rows themselves are refused.
   * @throws whatever else, when the engine is away.
   */
  insert(lines: EncodedRows, token: string): Promise<void>;
  /** Whether the last insert failed. */
  isAway(): boolean;
  /** Whether an insert is under way, one that missed its deadline included. */
  isBusy(): boolean;
}

export function createEngineInsert({ insert, deadlineMs, log, spooling }: EngineInsertOptions): EngineInsert {
  const attempts = new Map<string, Promise<void>>();
  let away = false;

  /** One attempt for each token at a time: more of them would only add to the load of a slow engine. */
  function attempt(lines: EncodedRows, token: string): Promise<void> {
    const known = attempts.get(token);
    if (known) return known;
    const promise = insert(lines, token).finally(() => attempts.delete(token));
    attempts.set(token, promise);
    // After its deadline no caller awaits it, and it may still fail.
    promise.catch(() => undefined);
    return promise;
  }

  function late(): never {
    throw new Error(`The engine did not answer within ${deadlineMs} ms.`);
  }

  return {
    async insert(lines, token) {
      try {
        await withDeadline(attempt(lines, token), deadlineMs, late);
      } catch (error) {
        if (error instanceof UnwritableRowsError) throw error;
        if (!away) log.error({ err: error, spooling }, 'the engine does not take events');
        away = true;
        throw error;
      }
      if (away) log.info('the engine takes events again');
      away = false;
    },
    isAway: () => away,
    isBusy: () => attempts.size > 0,
  };
}
