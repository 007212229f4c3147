// Events on their way to the engine, on the disk first: a row of files, each of which becomes one insert under one token. Groups are
// appended to the newest file and fsynced, several to a file; once its insert may begin a file is never written to again, so that
// after a crash the same insert can be made from it.
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncodedRows } from '../storage/engine.ts';
import { readLines, readWhole } from './journalFile.ts';
import { UnwritableRowsError } from './unwritable.ts';

/** Events as lines, ready to be written. */
export interface Group {
  /** In UTF-8. */
  text: Buffer;
  events: number;
}

export interface JournalFile {
  /** Of its insert. */
  readonly token: string;
  readonly events: number;
  readonly bytes: number;
  /** When its first events came, in epoch milliseconds. */
  readonly since: number;
  /** Some of what is in it was answered for before the engine had it. */
  owed: boolean;
  /** @throws {UnwritableRowsError} when the file is gone or damaged. */
  read(): Promise<EncodedRows>;
  /** It is in the engine now. */
  remove(): Promise<void>;
  /**
   * The engine will never take it, or some of it: put aside, for a person to look at.
   * @param lines What is put aside; default: all there is. The rest is in the engine.
   * @returns The file it is in now.
   */
  setAside(lines?: EncodedRows): Promise<string>;
}

export interface Journal {
  /**
   * Resolves when the group is on the disk, with the file it is in. One at a time. Nothing of the group is left behind when it rejects.
   * @param token The group gets a file of its own, under this token.
   */
  append(group: Group, token?: string): Promise<JournalFile>;
  /** Not removed yet, oldest first. */
  files(): readonly JournalFile[];
  /** Resolves when nothing is being appended to the file, and nothing will be. */
  seal(file: JournalFile): Promise<void>;
  /** Lets go of the file that is open. */
  close(): Promise<void>;
}

export interface JournalOptions {
  /** Made when it is not there, for its owner only. */
  dir: string;
  /** What stands in a line. */
  columns: readonly string[];
  /** More is refused. */
  maxBytes: number;
  /** Events of one file, unless a single group has more; default 100,000. */
  fileEvents?: number;
  /** Epoch milliseconds. */
  now: () => number;
}

interface Entry extends JournalFile {
  name: string;
  events: number;
  bytes: number;
  /** While groups may be appended. */
  handle: FileHandle | undefined;
  appending: Promise<void>;
}

const NAME = /^(\d{12})-([\w-]{1,64})\.tsv$/;
/** Of one file: an insert has its text in memory, a few times. */
const FILE_BYTES = 32 * 1024 * 1024;

/**
 * Opens a journal, with what an earlier process left in it: a last line cut short by a crash was never answered for, and goes.
 * @param told Called with each line that waits, oldest first.
 */
export async function openJournal(
  { dir, columns, maxBytes, fileEvents = 100_000, now }: JournalOptions,
  told: (line: string) => void = () => {},
): Promise<Journal> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const header = headerOf(columns);
  const entries: Entry[] = [];
  let last = 0;
  let total = 0;

  function enter(name: string, of: Pick<Entry, 'token' | 'events' | 'bytes' | 'since' | 'handle' | 'owed'>): Entry {
    const path = join(dir, name);
    const entry: Entry = {
      ...of,
      name,
      appending: Promise.resolve(),
      read: () => readWhole(path, entry.bytes),
      async remove() {
        await rm(path, { force: true });
        forget(entry);
      },
      async setAside(lines) {
        const aside = join(dir, 'refused');
        await mkdir(aside, { recursive: true, mode: 0o700 });
        if (lines === undefined) {
          await rename(path, join(aside, name)).catch(missing);
        } else {
          const text = Buffer.concat([Buffer.from(headerOf(lines.columns)), lines.text]);
          await writeFile(join(aside, name), text, { mode: 0o600, flush: true });
          await rm(path, { force: true });
        }
        forget(entry);
        return join(aside, name);
      },
    };
    entries.push(entry);
    total += entry.bytes;
    return entry;
  }

  function forget(entry: Entry): void {
    const at = entries.indexOf(entry);
    if (at === -1) return;
    entries.splice(at, 1);
    total -= entry.bytes;
  }

  async function recover(name: string, token: string): Promise<void> {
    const path = join(dir, name);
    let events = 0;
    const bytes = await readLines(path, (line) => {
      events++;
      told(line);
    }).catch(unreadable);
    // What cannot be read is set aside when its turn comes; where there is no line nobody was answered.
    if (bytes !== undefined && events === 0) await rm(path);
    else {
      const { birthtimeMs: since } = await stat(path);
      enter(name, { token, events, bytes: bytes ?? 0, since, handle: undefined, owed: true });
    }
  }

  /** A file is there with its first group or not at all, also when the power goes. */
  async function begin(body: Buffer, events: number, token: string): Promise<Entry> {
    last += 1;
    const name = `${String(last).padStart(12, '0')}-${token}.tsv`;
    const path = join(dir, name);
    const handle = await open(path, 'ax', 0o600);
    try {
      await handle.appendFile(header);
      await handle.appendFile(body);
      await handle.datasync();
      await syncFolder(dir);
    } catch (error) {
      await handle.close();
      await rm(path, { force: true });
      throw error;
    }
    const bytes = Buffer.byteLength(header) + body.length;
    return enter(name, { token, events, bytes, since: now(), handle, owed: false });
  }

  async function extend(entry: Entry, body: Buffer, events: number): Promise<void> {
    const { handle } = entry;
    try {
      await handle!.appendFile(body);
      await handle!.datasync();
    } catch (error) {
      // Where not even this works, what is too much is never read.
      await handle!.truncate(entry.bytes).catch(() => letGo(entry));
      throw error;
    }
    entry.events += events;
    entry.bytes += body.length;
    total += body.length;
  }

  async function letGo(entry: Entry): Promise<void> {
    const { handle } = entry;
    entry.handle = undefined;
    await handle?.close();
  }

  for (const name of (await readdir(dir)).sort()) {
    const [, number, token] = NAME.exec(name) ?? [];
    if (token === undefined) continue;
    last = Number(number);
    await recover(name, token);
  }

  return {
    async append({ text: body, events }, token) {
      if (total + body.length > maxBytes) throw new Error(`The spool is full: ${total} of ${maxBytes} bytes are used.`);
      const newest = entries.at(-1);
      const open =
        newest?.handle !== undefined &&
        newest.events + events <= fileEvents &&
        newest.bytes + body.length <= FILE_BYTES;
      if (!open || token !== undefined) {
        if (newest?.handle !== undefined) await letGo(newest);
        const begun = await begin(body, events, token ?? randomUUID());
        if (token !== undefined) await letGo(begun);
        return begun;
      }
      const extended = extend(newest, body, events);
      newest.appending = extended.catch(() => undefined);
      await extended;
      return newest;
    },

    files: () => entries,

    async seal(file) {
      const entry = entries.find((each) => each === file);
      if (entry?.handle === undefined) return;
      const { handle } = entry;
      entry.handle = undefined;
      await entry.appending;
      await handle.close();
    },

    async close() {
      for (const entry of entries) await letGo(entry);
    },
  };
}

const headerOf = (columns: readonly string[]) => `${columns.join('\t')}\n`;

/** Told, and set aside, when its turn comes. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof UnwritableRowsError)) throw error;
}

async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A file somebody took away is no reason to stop. */
function missing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
