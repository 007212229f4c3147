// The write-ahead log: events are synced to a sequence of files before they are inserted. Groups are appended to the
// newest file, several to a file; each file becomes one insert under its token. Once its insert may begin, a file is
// sealed and never written to again, so that after a crash the same insert is made from it. format.ts has the format.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { INGEST_LIMITS } from '../../limits.ts';
import { createDeadLetters, type DeadLetters } from './deadLetters.ts';
import { LogFileError, orLater, readBytes } from './fileAccess.ts';
import { encodeFrame, encodeHeader, LOG_FILE, seedOf, UNCHECKED } from './format.ts';
import { createLogFile, type EncodedGroup, LogFile } from './logFile.ts';
import { eachRow, isUnbegun, readWal, strangeName, UnreadableWalError, type WalContents } from './readLogFile.ts';

/** Events as encoded rows. */
export interface Group {
  /** In UTF-8. */
  text: Buffer;
  events: number;
}

/** A file in the log's folder that cannot be parsed: it stays as it is. */
export interface UnreadableFile {
  name: string;
  bytes: number;
  /** Sentence. */
  why: string;
}

export interface WriteAheadLogOptions {
  /** Created for its owner only where it is missing. */
  dir: string;
  /** Names of the cells of a row. */
  columns: readonly string[];
  /** Size of all files; more is refused. */
  maxBytes: number;
  /**
   * Whether events are appended that may be stored already, since the keys of stored events are not read yet. The token
   * of such a file says so, also to the next process. Default: no.
   */
  isUnchecked?: (() => boolean) | undefined;
  /** Events of one file, unless a single group has more; default 100,000. */
  fileEvents?: number;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
}

export class WriteAheadLog {
  /** Rows that cannot be inserted. */
  readonly letters: DeadLetters;
  readonly #options: Required<Omit<WriteAheadLogOptions, 'isUnchecked'>> & Pick<WriteAheadLogOptions, 'isUnchecked'>;
  readonly #onRow: (row: string) => void;
  readonly #header: Buffer;
  readonly #seed: number;
  #files: LogFile[] = [];
  readonly #unreadable: UnreadableFile[] = [];
  #lastNumber = 0;
  #unfinished = 0;

  /** @see openWriteAheadLog */
  constructor(options: WriteAheadLogOptions, onRow: (row: string) => void) {
    const { dir, columns } = options;
    this.#options = { fileEvents: INGEST_LIMITS.fileEvents, ...options };
    this.#onRow = onRow;
    this.#header = Buffer.from(encodeHeader(columns));
    this.#seed = seedOf(columns);
    this.letters = createDeadLetters(dir, columns);
  }

  /** Files that are not removed yet, oldest first. */
  files(): readonly LogFile[] {
    return this.#files;
  }

  unreadable(): readonly UnreadableFile[] {
    return this.#unreadable;
  }

  /** Events of groups cut short by a crash, found since the start: none of them was acknowledged. */
  unfinished(): number {
    return this.#unfinished;
  }

  bytes(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  events(): number {
    return this.#files.reduce((sum, { events }) => sum + events, 0);
  }

  /**
   * Appends one group at a time.
   * @param token Of a file that holds this group alone. Default: the group goes to the newest file where it has room.
   * @returns The file, once the group is synced.
   * @throws where the log is full or the disk fails; nothing of the group is left then.
   */
  async append({ text, events }: Group, token?: string): Promise<LogFile> {
    const { maxBytes, isUnchecked, fileEvents } = this.#options;
    const bytes = this.bytes();
    if (bytes + text.length > maxBytes) throw new Error(`The spool is full: ${bytes} of ${maxBytes} bytes are used.`);
    const newest = this.#files.at(-1);
    const hasRoom =
      newest?.state === 'open' &&
      newest.events + events <= fileEvents &&
      newest.bytes + text.length <= INGEST_LIMITS.fileBytes;
    if (hasRoom && token === undefined) {
      await newest.append(this.#encode(text, events, newest.events));
      return newest;
    }
    if (newest?.state === 'open') newest.state = 'sealed';
    const file = await this.#create(
      token ?? (isUnchecked?.() ? UNCHECKED : '') + randomUUID(),
      this.#encode(text, events, 0),
    );
    if (token !== undefined) file.state = 'sealed';
    return file;
  }

  #encode(text: Buffer, events: number, first: number): EncodedGroup {
    return { parts: encodeFrame(text, { rows: events, first, seed: this.#seed }), events };
  }

  async #create(token: string, group: EncodedGroup): Promise<LogFile> {
    const { dir, columns, now } = this.#options;
    this.#lastNumber += 1;
    const path = join(dir, `${String(this.#lastNumber).padStart(12, '0')}-${token}.tsv`);
    const of = { path, token, since: now(), columns, onRow: this.#onRow };
    const file = await createLogFile(of, this.#header, group);
    this.#files.push(file);
    return file;
  }

  /** As `LogFile.read`; a file that cannot be parsed leaves the log. */
  async read(file: LogFile): Promise<WalContents> {
    try {
      return await file.read();
    } catch (error) {
      if (error instanceof UnreadableWalError) {
        file.state = 'unreadable';
        this.#addUnreadable(file.name, file.bytes, error);
        this.#drop(file);
        await file.close();
      }
      throw error;
    }
  }

  /** As `LogFile.remove`. */
  async remove(file: LogFile): Promise<void> {
    await file.remove();
    this.#drop(file);
  }

  #drop(file: LogFile): void {
    this.#files = this.#files.filter((each) => each !== file);
  }

  /** Closes all descriptors. */
  async close(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.close()));
  }

  /**
   * Finds the files of an earlier process. A last group that a crash cut short was never acknowledged, and is dropped.
   */
  async recover(): Promise<void> {
    const { dir } = this.#options;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const found = await readdir(dir, { withFileTypes: true });
    for (const entry of found.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const { name } = entry;
      const [, number, token] = LOG_FILE.exec(name) ?? [];
      if (token !== undefined) {
        this.#lastNumber = Number(number);
        await this.#recoverFile(name, token);
      } else if (entry.isFile()) {
        this.#addUnreadable(name, (await stat(join(dir, name))).size, strangeName(name));
      }
    }
  }

  async #recoverFile(name: string, token: string): Promise<void> {
    const { dir, columns, log, now } = this.#options;
    const path = join(dir, name);
    const of = { path, token, columns, onRow: this.#onRow };
    try {
      const { birthtimeMs: since } = await orLater(path, stat(path));
      const found = await orLater(path, readBytes(path));
      const bytes = found.length;
      if (isUnbegun(found, columns)) return await this.#discard(path);
      const contents = readWal(found, columns);
      const events = contents.events + contents.damaged;
      if (contents.unfinished > 0) {
        this.#unfinished += contents.unfinished;
        log.warn(
          { file: path, events: contents.unfinished },
          'a group of events was cut short before it was acknowledged',
        );
      }
      if (events === 0) return await this.#discard(path);
      eachRow(contents.text, this.#onRow);
      this.#files.push(new LogFile({ ...of, events, bytes, since }));
    } catch (error) {
      if (error instanceof UnreadableWalError) return this.#addUnreadable(name, (await stat(path)).size, error);
      if (!(error instanceof LogFileError)) throw error;
      // It is tried again in its order.
      log.error({ err: error, file: path }, 'a file of the write-ahead log cannot be read at the start');
      this.#files.push(new LogFile({ ...of, events: 0, bytes: 0, since: now() }));
    }
  }

  /** Removes a file without acknowledged events. Where that fails, the next start tries again. */
  async #discard(path: string): Promise<void> {
    await rm(path, { force: true }).catch((err: unknown) =>
      this.#options.log.warn({ err }, 'an empty file stays in the write-ahead log'),
    );
  }

  #addUnreadable(name: string, bytes: number, error: UnreadableWalError): void {
    this.#options.log.error(
      { file: join(this.#options.dir, name), why: error.message },
      'a file of the write-ahead log is not understood: it stays as it is',
    );
    this.#unreadable.push({ name, bytes, why: error.message });
  }
}

/**
 * Opens a log, with the files that an earlier process left in it.
 * @param onRow Called with each row that is to be inserted, oldest first.
 */
export async function openWriteAheadLog(
  options: WriteAheadLogOptions,
  onRow: (row: string) => void = () => {},
): Promise<WriteAheadLog> {
  const log = new WriteAheadLog(options, onRow);
  await log.recover();
  return log;
}
