// One file of the write-ahead log: groups are appended and synced, and once it is sealed it becomes one insert.
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { syncPath } from '../../../durableFile.ts';
import { hasCode } from '../../../errors.ts';
import { lengthOf, orLater, readBytes, writeAll } from './fileAccess.ts';
import { eachRow, readWal, type WalContents } from './readLogFile.ts';

/**
 * open        groups are appended to it: the newest file at most
 * sealed      complete: its insert was begun or may begin, so it is never written to again
 * removed     its rows are in the engine or among the dead letters
 * unreadable  its header is damaged or of a newer version: it stays in the folder as it is, and no insert is made from
 * it
 */
export type LogFileState = 'open' | 'sealed' | 'removed' | 'unreadable';

/** Encoded frames of a group, and how many events they have. */
export interface EncodedGroup {
  parts: readonly Buffer[];
  events: number;
}

export interface LogFileOptions {
  path: string;
  /** Of its insert. */
  token: string;
  /** Events that were written, damaged ones included; 0 where the file could not be read at the start. */
  events: number;
  bytes: number;
  /** When its first events were written, in epoch milliseconds. */
  since: number;
  /** Of a file that this process writes; kept until it is removed, so that reading it back needs no descriptor. */
  handle?: FileHandle | undefined;
  columns: readonly string[];
  /** Called with each row when the file is read for the first time, after it could not be read at the start. */
  onRow(row: string): void;
}

export class LogFile {
  readonly name: string;
  readonly token: string;
  readonly since: number;
  state: LogFileState;
  readonly #path: string;
  readonly #columns: readonly string[];
  readonly #handle: FileHandle | undefined;
  readonly #onRow: (row: string) => void;
  #events: number;
  #bytes: number;
  #appending: Promise<void> = Promise.resolve();

  constructor({ path, token, events, bytes, since, handle, columns, onRow }: LogFileOptions) {
    this.name = basename(path);
    this.token = token;
    this.since = since;
    this.state = handle === undefined ? 'sealed' : 'open';
    this.#path = path;
    this.#columns = columns;
    this.#handle = handle;
    this.#onRow = onRow;
    this.#events = events;
    this.#bytes = bytes;
  }

  /** Events that were written, damaged ones included; 0 where the file could not be read at the start. */
  get events(): number {
    return this.#events;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when the group is synced. Nothing of it is read back when this rejects. */
  append(group: EncodedGroup): Promise<void> {
    const appended = this.#append(group);
    this.#appending = appended.catch(() => undefined);
    return appended;
  }

  async #append({ parts, events }: EncodedGroup): Promise<void> {
    const handle = this.#handle!;
    try {
      await writeAll(handle, parts);
    } catch (error) {
      // Where truncating fails too, the surplus is never read: a read ends after the bytes that were synced.
      await handle.truncate(this.#bytes).catch(() => {
        this.state = 'sealed';
      });
      throw error;
    }
    this.#events += events;
    this.#bytes += lengthOf(parts);
  }

  /** Resolves when no group is being appended, and none will be. */
  async seal(): Promise<void> {
    if (this.state === 'open') this.state = 'sealed';
    await this.#appending;
  }

  /**
   * Its rows. Where another process deleted the file, all its events count as damaged.
   * @throws {LogFileError} when it cannot be read now.
   * @throws {UnreadableWalError} when its header is damaged.
   */
  read(): Promise<WalContents> {
    return orLater(this.#path, this.#read());
  }

  async #read(): Promise<WalContents> {
    const events = this.#events;
    try {
      const found = await readBytes(this.#path, this.#handle, this.#handle && this.#bytes);
      const contents = readWal(found, this.#columns);
      // A file that was truncated after it was read, or written, has lost rows.
      const damaged = Math.max(contents.damaged, events - contents.events);
      if (events === 0) {
        this.#events = contents.events + damaged;
        eachRow(contents.text, this.#onRow);
      }
      return { ...contents, damaged };
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || (await readdir(dirname(this.#path))).includes(this.name)) throw error;
      const text = Buffer.alloc(0);
      return { columns: this.#columns, text, events: 0, damaged: events, damagedLines: [], unfinished: 0 };
    }
  }

  /** @throws {LogFileError} when it cannot be removed now. */
  async remove(): Promise<void> {
    await orLater(this.#path, rm(this.#path, { force: true }));
    this.state = 'removed';
    await this.close();
  }

  /** Closes its descriptor. */
  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

/**
 * Creates a file with its first group. After a power cut it exists with that group, or not at all.
 * @param header First line of the file.
 */
export async function createLogFile(
  { path, token, since, columns, onRow }: Omit<LogFileOptions, 'events' | 'bytes' | 'handle'>,
  header: Buffer,
  group: EncodedGroup,
): Promise<LogFile> {
  const handle = await open(path, 'ax+', 0o600);
  const parts = [header, ...group.parts];
  try {
    await writeAll(handle, parts);
    await syncPath(dirname(path));
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  }
  return new LogFile({ path, token, events: group.events, bytes: lengthOf(parts), since, handle, columns, onRow });
}
