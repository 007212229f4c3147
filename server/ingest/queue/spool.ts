// Reports what the write-ahead log holds besides events that wait for their insert: dead letters, unreadable files,
// files that are retried. Refused rows are inserted again on request.
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { syncPath } from '../../durableFile.ts';
import { hasCode } from '../../errors.ts';
import { pathExists } from '../../pathExists.ts';
import type { EncodedRows } from '../../storage/engine.ts';
import { insertInParts } from './insertInParts.ts';
import { createDeadLetters, type DeadLetter } from './wal/deadLetters.ts';
import { readBytes } from './wal/fileAccess.ts';
import { LOG_FILE } from './wal/format.ts';
import { isUnbegun, readWal, strangeName, UnreadableWalError, type WalContents } from './wal/readLogFile.ts';
import type { UnreadableFile } from './wal/writeAheadLog.ts';

export interface SpoolFile extends Omit<DeadLetter, 'kind'> {
  kind: 'refused' | 'damaged' | 'unreadable';
  /** Of a file that is not understood. */
  why?: string;
}

export interface SpoolReport {
  /** Where the files are. */
  folder: string;
  /** Events in them are acknowledged, and not counted. */
  files: SpoolFile[];
  /** Files of the log that wait for their insert, by a server. */
  waiting: { files: number; events: number };
  /** Files of the log that cannot be used now, and are retried. */
  retrying: { files: number; events: number; why: string | undefined };
  /** Events of groups that were cut short, found since the start: none of them was acknowledged. */
  unfinished: number;
}

export interface RetriedFile {
  file: string;
  /** Rows that are in the tables now. */
  stored: number;
  /** Rows the engine refused again: they stay in the file. */
  refused: number;
  /** Damaged rows: their remains are kept among the damaged ones. */
  damaged: number;
  /** Why nothing was done; the file is as it was. */
  problem?: string;
}

export interface Spool {
  report(): Promise<SpoolReport>;
  /**
   * Inserts refused rows. Each file has tokens of its own, so that a second try of the same rows changes nothing.
   * @param files As `report` names them; default: all that were refused.
   * @returns One entry for each file, with a problem where it is unknown.
   */
  retry(files?: readonly string[]): Promise<RetriedFile[]>;
}

/** State of the log in a running server. */
export interface LiveLog {
  unreadable(): readonly UnreadableFile[];
  waiting(): SpoolReport['waiting'];
  retrying(): SpoolReport['retrying'];
  unfinished(): number;
}

export interface SpoolOptions {
  /** Of the log. */
  dir: string;
  /** Names of the cells of a row of this version. */
  columns: readonly string[];
  /** As `EventStore.appendLines`. */
  insert(lines: EncodedRows, token: string): Promise<void>;
  /** Absent where no server runs: the files are read then. */
  live?: LiveLog;
}

const NO_RETRIES = { files: 0, events: 0, why: undefined };
/** Hexadecimal digits of a hash of contents. */
const HASH_DIGITS = 16;

export function createSpool({ dir, columns, insert, live }: SpoolOptions): Spool {
  const letters = createDeadLetters(dir, columns);
  let last: Promise<unknown> = Promise.resolve();

  const toSpoolFile = ({ name, bytes, why }: UnreadableFile): SpoolFile => ({
    file: name,
    kind: 'unreadable',
    events: undefined,
    bytes,
    since: 0,
    why,
  });

  async function retryFile(file: string): Promise<RetriedFile> {
    const name = basename(file);
    const nothing = { file, stored: 0, refused: 0, damaged: 0 };
    // After a crash between the two: the log file is replayed first, and writes this file again.
    if (await pathExists(join(dir, name)))
      return { ...nothing, problem: 'The spool still has the file these rows are from: start the server first.' };
    const path = join(dir, file);
    try {
      const contents = readWal(await readBytes(path), columns);
      return { file, ...(await insertAgain(path, name, contents)) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { ...nothing, problem: error.message };
    }
  }

  async function insertAgain(path: string, name: string, { damaged, damagedLines, events, ...lines }: WalContents) {
    // The file's own token was refused as a whole, or never used. Halves of the rest differ each time, so their tokens
    // do.
    const token = LOG_FILE.exec(name)?.[2] ?? basename(name, '.tsv');
    const hash = createHash('sha256').update(lines.text).digest('hex').slice(0, HASH_DIGITS);
    const options = { partsToken: `${token}.${hash}`, pause: () => Promise.resolve() };
    const refused = lines.text.length === 0 ? undefined : await insertInParts(lines, token, insert, options);
    if (damaged > 0) await letters.keepDamaged(`refused-${name}`, { damaged, damagedLines });
    if (refused === undefined) {
      await rm(path, { force: true });
      await syncPath(join(dir, 'refused'));
    } else {
      await letters.keepRefused(name, refused);
    }
    const left = refused?.events ?? 0;
    return { stored: events - left, refused: left, damaged };
  }

  async function retryAll(wanted: readonly string[] | undefined): Promise<RetriedFile[]> {
    const there = (await letters.list()).filter(({ kind }) => kind === 'refused').map(({ file }) => file);
    const results: RetriedFile[] = [];
    for (const file of wanted ?? there) {
      const known = there.find((each) => each === file || basename(each) === file);
      const problem = 'No refused rows are in a file of this name.';
      results.push(known ? await retryFile(known) : { file, stored: 0, refused: 0, damaged: 0, problem });
    }
    return results;
  }

  return {
    async report() {
      const { unreadable, waiting } =
        live === undefined
          ? await readFolder(dir, columns)
          : { unreadable: live.unreadable(), waiting: live.waiting() };
      return {
        folder: dir,
        files: [...(await letters.list()), ...unreadable.map(toSpoolFile)],
        waiting,
        retrying: live?.retrying() ?? NO_RETRIES,
        unfinished: live?.unfinished() ?? 0,
      };
    },
    retry(files) {
      // One at a time: two retries of the same file would each write back what the other has inserted.
      const result = last.then(() => retryAll(files));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

/** Used where no server runs. */
async function readFolder(dir: string, columns: readonly string[]) {
  const unreadable: UnreadableFile[] = [];
  const waiting = { files: 0, events: 0 };
  const files = await readdir(dir, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  for (const { name } of files.filter((each) => each.isFile())) {
    const bytes = await readBytes(join(dir, name));
    const { length } = bytes;
    try {
      if (!LOG_FILE.test(name)) throw strangeName(name);
      if (isUnbegun(bytes, columns)) continue;
      const { events } = readWal(bytes, columns);
      if (events === 0) continue;
      waiting.files += 1;
      waiting.events += events;
    } catch (error) {
      if (!(error instanceof UnreadableWalError)) throw error;
      unreadable.push({ name, bytes: length, why: error.message });
    }
  }
  return { unreadable, waiting };
}
