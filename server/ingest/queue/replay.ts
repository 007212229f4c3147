// Replays one file of the write-ahead log into the engine: its undamaged rows are inserted under its token, rows that
// cannot be inserted become dead letters, and the file is removed. Each step may fail and is then repeated, except for
// an insert that succeeded: the engine does not remember tokens for ever.
import type { Logger } from 'pino';
import type { EncodedRows } from '../../storage/engine.ts';
import { insertInParts, type Refused } from './insertInParts.ts';
import { orLater } from './wal/fileAccess.ts';
import { UNCHECKED } from './wal/format.ts';
import type { LogFile } from './wal/logFile.ts';
import { UnreadableWalError, type WalContents } from './wal/readLogFile.ts';
import type { WriteAheadLog } from './wal/writeAheadLog.ts';
import { withoutStored } from './withoutStored.ts';

export interface ReplayOptions {
  wal: Pick<WriteAheadLog, 'read' | 'remove' | 'letters'>;
  insert(lines: EncodedRows, token: string): Promise<void>;
  /** Keys of recently stored events, as decimal text; read for a file that may hold some of them. Default: none. */
  storedKeys?: (() => Promise<readonly string[]>) | undefined;
  /** Resolves when refused rows may be inserted for the second time. */
  pause(): Promise<void>;
  log: Logger;
}

/** Of a file whose undamaged rows are in the engine. */
interface Inserted {
  damage: Pick<WalContents, 'damaged' | 'damagedLines'>;
  refused: Refused | undefined;
}

/** Line numbers in one log line. */
const LOGGED_LINES = 20;

/**
 * Resolves when the file is removed, and each of its rows is in the engine or among the dead letters.
 * @throws {LogFileError} when the disk fails; everything else as `insert` does. It may be called again then.
 */
export type Replay = (file: LogFile) => Promise<void>;

export function createReplay({ wal, insert, storedKeys, pause, log }: ReplayOptions): Replay {
  const done = new WeakMap<LogFile, Inserted>();
  /** Once for each file: a second attempt would find the rows of the first, and leave them out of the roll-ups. */
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
    const { columns, text: found, damaged, damagedLines } = await wal.read(file);
    const { text } = await check(file, { columns, text: found });
    const refused =
      text.length === 0 ? undefined : await insertInParts({ columns, text }, file.token, insert, { pause });
    const inserted = { damage: { damaged, damagedLines }, refused };
    done.set(file, inserted);
    return inserted;
  }

  async function keepDeadLetters({ name }: LogFile, { refused, damage }: Inserted): Promise<void> {
    if (refused !== undefined) {
      const kept = await orLater(name, wal.letters.keepRefused(name, refused));
      const { cause: err, events } = refused;
      log.error({ err, events, file: kept }, 'rows the engine refused twice were set aside');
    }
    if (damage.damaged > 0) {
      const kept = await orLater(name, wal.letters.keepDamaged(name, damage));
      const lines = damage.damagedLines.slice(0, LOGGED_LINES).map(({ line }) => line);
      log.error(
        { of: name, lines, events: damage.damaged, file: kept },
        'rows of the write-ahead log are damaged: what is left of them was set aside',
      );
    }
  }

  return async (file) => {
    let inserted: Inserted;
    try {
      inserted = await insertOnce(file);
    } catch (error) {
      // The log does not list the file any more.
      if (error instanceof UnreadableWalError) return;
      throw error;
    }
    await keepDeadLetters(file, inserted);
    await wal.remove(file);
  };
}
