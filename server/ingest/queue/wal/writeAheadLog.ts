// Events on their way to the engine, on the disk first: a row of files, each of which becomes one insert under one token. Groups are
// appended to the newest file and fsynced, several to a file; once its insert may begin a file is never written to again, so that
// after a crash the same insert can be made from it. walFormat.ts says what stands in a file.
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { syncPath } from '../../durableFile.ts';
import { createDeadLetters, type DeadLetters } from './deadLetters.ts';
import { isMissing, LogFileError, lengthOf, orLater, readBytes, writeAll } from './fileAccess.ts';
import { encodeFrame, encodeHeader, LOG_FILE, seedOf, UNCHECKED } from './format.ts';
import { eachRow, isUnbegun, readWal, strangeName, UnreadableWalError, type WalContents } from './readLogFile.ts';

/** Events as lines, ready to be written. */
export interface Group {
  /** In UTF-8. */
  text: Buffer;
  events: number;
}

export interface LogFile {
  /** In the folder of the journal. */
  readonly name: string;
  /** Of its insert. */
  readonly token: string;
  /** Those that were written, damaged ones included; 0 where the file could not be read at the start. */
  readonly events: number;
  readonly bytes: number;
  /** When its first events came, in epoch milliseconds. */
  readonly since: number;
  /** Some of what is in it was answered for before the engine had it. */
  owed: boolean;
  /**
   * What is in it. Where somebody took the file away, all its events are damaged.
   * @throws {LogFileError} when it cannot be read now.
   * @throws {UnreadableWalError} when its header is damaged: it stays where it is, and is no file of the journal any more.
   */
  read(): Promise<WalContents>;
  /**
   * All that is in it is somewhere else now.
   * @throws {LogFileError} when it cannot be removed now.
   */
  remove(): Promise<void>;
}

/** A file in the journal's folder that is not understood: it is left as it is. */
export interface UnreadableFile {
  name: string;
  bytes: number;
  /** Sentence. */
  why: string;
}

export interface WriteAheadLog {
  /**
   * Resolves when the group is on the disk, with the file it is in. One at a time. Nothing of the group is left behind when it rejects.
   * @param token The group gets a file of its own, under this token.
   */
  append(group: Group, token?: string): Promise<LogFile>;
  /** Not removed yet, oldest first. */
  files(): readonly LogFile[];
  unreadable(): readonly UnreadableFile[];
  /** What could not be inserted. */
  letters: DeadLetters;
  /** Events of groups that were cut short, found since the start: none of them was acknowledged. */
  unfinished(): number;
  /** Resolves when nothing is being appended to the file, and nothing will be. */
  seal(file: LogFile): Promise<void>;
  /** Lets go of the files that are open. */
  close(): Promise<void>;
}

export interface WriteAheadLogOptions {
  /** Made when it is not there, for its owner only. */
  dir: string;
  /** What stands in a line. */
  columns: readonly string[];
  /** More is refused. */
  maxBytes: number;
  /**
   * Whether events are appended that may be stored already, since what is stored is not known yet. Such a file has a token that says
   * so, also to the next process. Default: they are not.
   */
  isUnchecked?: (() => boolean) | undefined;
  /** Events of one file, unless a single group has more; default 100,000. */
  fileEvents?: number;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
}

interface Entry extends LogFile {
  events: number;
  bytes: number;
  /** Of a file this process writes: kept until it is removed, so that reading it back needs no descriptor. */
  handle: FileHandle | undefined;
  /** Groups may be appended. */
  isOpen: boolean;
  appending: Promise<void>;
}

/** Of one file: an insert has its text in memory, a few times. */
const FILE_BYTES = 32 * 1024 * 1024;

/**
 * Opens a journal, with what an earlier process left in it: a last group cut short by a crash was never answered for, and goes.
 * @param told Called with each row that waits, oldest first.
 */
export async function openWriteAheadLog(
  { dir, columns, maxBytes, isUnchecked = () => false, fileEvents = 100_000, log, now }: WriteAheadLogOptions,
  told: (row: string) => void = () => {},
): Promise<WriteAheadLog> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const header = Buffer.from(encodeHeader(columns));
  const seed = seedOf(columns);
  const entries: Entry[] = [];
  const unreadable: UnreadableFile[] = [];
  let last = 0;
  let total = 0;
  let unfinished = 0;

  function enter(of: Pick<Entry, 'name' | 'token' | 'events' | 'bytes' | 'since' | 'handle' | 'owed'>): Entry {
    const path = join(dir, of.name);
    const entry: Entry = {
      ...of,
      isOpen: of.handle !== undefined,
      appending: Promise.resolve(),
      read: () => orLater(path, read(entry)),
      async remove() {
        await orLater(path, rm(path, { force: true }));
        await leave(entry);
      },
    };
    entries.push(entry);
    total += entry.bytes;
    return entry;
  }

  async function read(entry: Entry): Promise<WalContents> {
    const { name, handle, events } = entry;
    const path = join(dir, name);
    try {
      const found = await readBytes(path, handle, handle && entry.bytes);
      const contents = readWal(found, columns);
      // A file that lost its end after it was read, or written, has lost what was in it.
      const damaged = Math.max(contents.damaged, events - contents.events);
      if (events === 0) {
        entry.events = contents.events + damaged;
        eachRow(contents.text, told);
      }
      return { ...contents, damaged };
    } catch (error) {
      if (error instanceof UnreadableWalError) {
        setUnread(name, entry.bytes, error);
        await leave(entry);
      }
      if (!isMissing(error) || (await readdir(dir)).includes(name)) throw error;
      return { columns, text: Buffer.alloc(0), events: 0, damaged: events, damagedLines: [], unfinished: 0 };
    }
  }

  function setUnread(name: string, bytes: number, error: UnreadableWalError): void {
    log.error(
      { file: join(dir, name), why: error.message },
      'a file of the write-ahead log is not understood: it stays as it is',
    );
    unreadable.push({ name, bytes, why: error.message });
  }

  async function leave(entry: Entry): Promise<void> {
    const at = entries.indexOf(entry);
    if (at === -1) return;
    entries.splice(at, 1);
    total -= entry.bytes;
    await entry.handle?.close();
  }

  async function recover(name: string, token: string): Promise<void> {
    const path = join(dir, name);
    try {
      const { birthtimeMs: since } = await orLater(path, stat(path));
      const found = await orLater(path, readBytes(path));
      const bytes = found.length;
      if (isUnbegun(found, columns)) return await discard(path);
      const contents = readWal(found, columns);
      const events = contents.events + contents.damaged;
      if (contents.unfinished > 0) {
        unfinished += contents.unfinished;
        log.warn(
          { file: path, events: contents.unfinished },
          'a group of events was cut short before it was acknowledged',
        );
      }
      if (events === 0) return await discard(path);
      eachRow(contents.text, told);
      enter({ name, token, events, bytes, since, handle: undefined, owed: true });
    } catch (error) {
      if (error instanceof UnreadableWalError) return setUnread(name, (await stat(path)).size, error);
      if (!(error instanceof LogFileError)) throw error;
      // Its turn comes like that of any other, and then it is tried again.
      log.error({ err: error, file: path }, 'a file of the write-ahead log cannot be read at the start');
      enter({ name, token, events: 0, bytes: 0, since: now(), handle: undefined, owed: true });
    }
  }

  /** There is nothing in it that was answered for. Where it cannot be removed the next start tries again. */
  async function discard(path: string): Promise<void> {
    await rm(path, { force: true }).catch((err: unknown) =>
      log.warn({ err }, 'an empty file stays in the write-ahead log'),
    );
  }

  /** A file is there with its first group or not at all, also when the power goes. */
  async function begin({ text, events }: Group, token: string): Promise<Entry> {
    last += 1;
    const name = `${String(last).padStart(12, '0')}-${token}.tsv`;
    const path = join(dir, name);
    const handle = await open(path, 'ax+', 0o600);
    const parts = [header, ...encodeFrame(text, { rows: events, first: 0, seed })];
    try {
      await writeAll(handle, parts);
      await syncPath(dir);
    } catch (error) {
      await handle.close();
      await rm(path, { force: true });
      throw error;
    }
    return enter({ name, token, events, bytes: lengthOf(parts), since: now(), handle, owed: false });
  }

  async function extend(entry: Entry, parts: readonly Buffer[], events: number): Promise<void> {
    try {
      await writeAll(entry.handle!, parts);
    } catch (error) {
      // Where not even this works, what is too much is never read.
      await entry.handle!.truncate(entry.bytes).catch(() => {
        entry.isOpen = false;
      });
      throw error;
    }
    entry.events += events;
    entry.bytes += lengthOf(parts);
    total += lengthOf(parts);
  }

  for (const found of (await readdir(dir, { withFileTypes: true })).sort(byName)) {
    const { name } = found;
    const [, number, token] = LOG_FILE.exec(name) ?? [];
    if (token !== undefined) {
      last = Number(number);
      await recover(name, token);
    } else if (found.isFile()) {
      setUnread(name, (await stat(join(dir, name))).size, strangeName(name));
    }
  }

  return {
    async append(group, token) {
      const { text, events } = group;
      if (total + text.length > maxBytes) throw new Error(`The spool is full: ${total} of ${maxBytes} bytes are used.`);
      const newest = entries.at(-1);
      const hasRoom =
        newest?.isOpen && newest.events + events <= fileEvents && newest.bytes + text.length <= FILE_BYTES;
      if (!hasRoom || token !== undefined) {
        if (newest) newest.isOpen = false;
        const begun = await begin(group, token ?? (isUnchecked() ? UNCHECKED : '') + randomUUID());
        if (token !== undefined) begun.isOpen = false;
        return begun;
      }
      const extended = extend(newest, encodeFrame(text, { rows: events, first: newest.events, seed }), events);
      newest.appending = extended.catch(() => undefined);
      await extended;
      return newest;
    },

    files: () => entries,
    unreadable: () => unreadable,
    letters: createDeadLetters(dir, columns),
    unfinished: () => unfinished,

    async seal(file) {
      const entry = entries.find((each) => each === file);
      if (!entry) return;
      entry.isOpen = false;
      await entry.appending;
    },

    async close() {
      await Promise.all(entries.map(({ handle }) => handle?.close()));
    },
  };
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
