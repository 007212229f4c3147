// Writes a group to the engine without the write-ahead log: where there is none, or where it cannot be written and
// holds no events that would have to come first. The group is acknowledged when it is stored, or after all in the log.
import { randomUUID } from 'node:crypto';
import { type BackoffOptions, retryWithBackoff } from '../../backoff.ts';
import { OverloadedError } from '../../errors.ts';
import { byTable } from './byTable.ts';
import type { EngineInsert } from './engineInsert.ts';
import { InDoubtError } from './inDoubt.ts';
import type { Group } from './wal/writeAheadLog.ts';

export interface DirectWriteOptions {
  engine: Pick<EngineInsert, 'insert'>;
  /** Names of the cells of a row. */
  columns: readonly string[];
  /**
   * Appends a group that may be stored already to the log, in a file of its own under the token of its insert.
   * @throws where there is no log, or it cannot be written.
   */
  append(group: Group, token: string): Promise<void>;
  backoff: BackoffOptions;
}

export interface DirectWrite {
  /**
   * @throws {InDoubtError} when neither the engine nor the log took the group: the insert is repeated until its outcome
   * is known.
   */
  write(group: Group): Promise<void>;
  /** @throws {OverloadedError} while the outcome of a group is unknown: another one must not be stored before it. */
  requireSettled(): void;
  /** The group whose outcome is unknown; resolves when it is known. Undefined: none. */
  inDoubt(): Promise<void> | undefined;
}

export function createDirectWrite({ engine, columns, append, backoff }: DirectWriteOptions): DirectWrite {
  let settling: Promise<void> | undefined;

  function doubt(work: () => Promise<void>): InDoubtError {
    const settled = retryWithBackoff(work, backoff);
    settling = settled.finally(() => {
      settling = undefined;
    });
    // Callers observe the promise of the error.
    settling.catch(() => undefined);
    return new InDoubtError(settled);
  }

  return {
    async write({ text, events }) {
      const token = randomUUID();
      const insert = async () => {
        for (const { lines, suffix } of byTable({ columns, text })) await engine.insert(lines, token + suffix);
      };
      const toLog = () => append({ text, events }, token);
      try {
        await insert();
      } catch {
        // EngineInsert logs it. Under its token the group can be written again, however far the first attempt got.
        await toLog().catch(() => {
          throw doubt(() => insert().catch(toLog));
        });
      }
    },
    requireSettled() {
      if (settling) throw new OverloadedError('Earlier events are in doubt: none are taken until that is settled.');
    },
    inDoubt: () => settling,
  };
}
