// Replays one file of the write-ahead log into the engine: its good rows are inserted under its token, what cannot be inserted becomes a
// dead letter, and then the file goes. Each step may fail and is then repeated, but for the insert, which is made once: tokens are not
// remembered for ever.
import type { Logger } from 'pino';
import type { EncodedRows } from '../../storage/engine.ts';
import { insertInParts, type Refused } from './insertInParts.ts';
import type { DeadLetters } from './wal/deadLetters.ts';
import { orLater } from './wal/fileAccess.ts';
import { UNCHECKED } from './wal/format.ts';
import { UnreadableWalError, type WalContents } from './wal/readLogFile.ts';
import type { LogFile } from './wal/writeAheadLog.ts';
import { withoutStored } from './withoutStored.ts';

export interface ReplayOptions {
  insert(lines: EncodedRows, token: string): Promise<void>;
  /** Keys of the events that were stored lately, as decimal text. Asked for a file that may have some of them. Default: there are none. */
  storedKeys?: (() => Promise<readonly string[]>) | undefined;
  /** Resolves when refused rows may be tried for the second time. */
  pause(): Promise<void>;
  log: Logger;
}

/** What was found in a file whose good rows are in the engine. */
interface Inserted {
  damage: Pick<WalContents, 'damaged' | 'damagedLines'>;
  refused: Refused | undefined;
}

/** Line numbers in one line of the log. */
const LINES_SAID = 20;

/**
 * Resolves when the file is gone from the log, and its events are where they belong.
 * @throws {LogFileError} when the disk cannot do it now; everything else as `insert` does. It may be called again then.
 */
export type Replay = (file: LogFile, letters: Pick<DeadLetters, 'keepRefused' | 'keepDamaged'>) => Promise<void>;

export function createReplay({ insert, storedKeys, pause, log }: ReplayOptions): Replay {
  const done = new WeakMap<LogFile, Inserted>();
  /** Decided once: a second attempt must not find the rows of the first, and leave them out of the roll-ups. */
  const checked = new WeakMap<LogFile, EncodedRows>();

  async function check(file: LogFile, lines: EncodedRows): Promise<EncodedRows> {
    if (storedKeys === undefined || !file.token.startsWith(UNCHECKED)) return lines;
    const known = checked.get(file);
    if (known !== undefined) return known;
    const { left, ...fresh } = withoutStored(lines, new Set(await storedKeys()));
    if (left > 0) log.info({ file: file.name, events: left }, 'events that were stored before the start came again');
    checked.set(file, fresh);
    return fresh;
  }

  async function insertOnce(file: LogFile): Promise<Inserted> {
    const known = done.get(file);
    if (known !== undefined) return known;
    const { columns, text: found, damaged, damagedLines } = await file.read();
    const { text } = await check(file, { columns, text: found });
    const refused =
      text.length === 0 ? undefined : await insertInParts({ columns, text }, file.token, insert, { pause });
    const inserted = { damage: { damaged, damagedLines }, refused };
    done.set(file, inserted);
    return inserted;
  }

  return async (file, letters) => {
    let found: Inserted;
    try {
      found = await insertOnce(file);
    } catch (error) {
      // It is none of the log's files any more.
      if (error instanceof UnreadableWalError) return;
      throw error;
    }
    const { damage, refused } = found;
    if (refused !== undefined) {
      const kept = await orLater(file.name, letters.keepRefused(file.name, refused));
      log.error(
        { err: refused.cause, events: refused.events, file: kept },
        'rows the engine refused twice were set aside',
      );
    }
    if (damage.damaged > 0) {
      const kept = await orLater(file.name, letters.keepDamaged(file.name, damage));
      const lines = damage.damagedLines.slice(0, LINES_SAID).map(({ line }) => line);
      log.error(
        { of: file.name, lines, events: damage.damaged, file: kept },
        'rows of the write-ahead log are damaged: what is left of them was set aside',
      );
    }
    await file.remove();
  };
}
