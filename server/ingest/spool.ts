// Groups of rows that wait on disk while the engine is away: one file a group, fsynced before anybody is answered.
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UnwritableRowsError } from './unwritable.ts';

export interface SpooledGroup<Row> {
  /** @throws {UnwritableRowsError} when the file is gone or damaged. */
  read(): Promise<Row[]>;
  /** The token it was first meant to be written under. */
  token: string;
  /** It is in the engine now. */
  remove(): Promise<void>;
  /** The engine will never take it: moved aside, for a person to look at. */
  setAside(): Promise<string>;
}

export interface Spool<Row> {
  /** Resolves when the group is on the disk; nothing of it is left behind when it rejects. */
  add(rows: readonly Row[], token: string): Promise<void>;
  oldest(): SpooledGroup<Row> | undefined;
  /** Every row that waits, oldest first. */
  rows(): AsyncIterable<Row>;
  size(): { groups: number; bytes: number };
}

interface Entry {
  name: string;
  token: string;
  bytes: number;
}

const NAME = /^(\d{12})-([\w-]{1,64})\.ndjson$/;

/**
 * Opens a spool, with what an earlier process left in it. Files cut short by a crash were never answered for: they go.
 * @param dir Made when it is not there, for its owner only.
 * @param maxBytes More is refused.
 */
export async function openSpool<Row>(dir: string, maxBytes: number): Promise<Spool<Row>> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const entries: Entry[] = [];
  for (const name of (await readdir(dir)).sort()) {
    const token = NAME.exec(name)?.[2];
    if (token) entries.push({ name, token, bytes: (await stat(join(dir, name))).size });
    else if (name.endsWith('.part')) await rm(join(dir, name));
  }
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  let last = Number(entries.at(-1)?.name.slice(0, 12) ?? 0);

  async function read(entry: Entry): Promise<Row[]> {
    try {
      const lines = (await readFile(join(dir, entry.name), 'utf8')).split('\n');
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
    } catch (error) {
      throw new UnwritableRowsError(`${join(dir, entry.name)} cannot be read.`, { cause: error });
    }
  }

  function forget(entry: Entry): void {
    const at = entries.indexOf(entry);
    if (at === -1) return;
    entries.splice(at, 1);
    bytes -= entry.bytes;
  }

  return {
    async add(rows, token) {
      const body = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      if (bytes + body.length > maxBytes) throw new Error(`The spool is full: ${bytes} of ${maxBytes} bytes are used.`);
      last += 1;
      const name = `${String(last).padStart(12, '0')}-${token}.ndjson`;
      await writeDurably(dir, name, body);
      entries.push({ name, token, bytes: body.length });
      bytes += body.length;
    },

    oldest() {
      const entry = entries[0];
      if (!entry) return undefined;
      return {
        read: () => read(entry),
        token: entry.token,
        async remove() {
          await rm(join(dir, entry.name), { force: true });
          forget(entry);
        },
        async setAside() {
          const aside = join(dir, 'refused');
          await mkdir(aside, { recursive: true, mode: 0o700 });
          const file = join(aside, entry.name);
          await rename(join(dir, entry.name), file).catch(missing);
          forget(entry);
          return file;
        },
      };
    },

    async *rows() {
      for (const entry of [...entries]) yield* await read(entry).catch(unreadable);
    },

    size: () => ({ groups: entries.length, bytes }),
  };
}

/** Told, and set aside, when its turn comes. */
function unreadable(error: unknown): never[] {
  if (error instanceof UnwritableRowsError) return [];
  throw error;
}

/** A file is there whole or not at all, also when the power goes. */
async function writeDurably(dir: string, name: string, body: Buffer): Promise<void> {
  const part = join(dir, `${name}.part`);
  const whole = join(dir, name);
  try {
    await use(await open(part, 'w', 0o600), async (file) => {
      await file.writeFile(body);
      await file.sync();
    });
    await rename(part, whole);
    await use(await open(dir, 'r'), (folder) => folder.sync());
  } catch (error) {
    await rm(part, { force: true });
    await rm(whole, { force: true });
    throw error;
  }
}

/** A file somebody took away is no reason to stop. */
function missing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function use(file: FileHandle, work: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(file);
  } finally {
    await file.close();
  }
}
