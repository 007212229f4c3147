// Files of thumbnails within a bound of bytes: a LRU cache on the disk. A file is written under another name and
// renamed, and begins with the checksum of the rest, so that one that was cut off by a power failure is made again,
// never served.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { DAY } from '../durations.ts';
import { hasCode, undefinedIfMissing } from '../errors.ts';
import { createFailureLog, type FailureLog } from '../failureLog.ts';
import { hashOf } from '../http/etag.ts';

export interface Thumbnail {
  bytes: Buffer;
  /** SHA-256, cut to 22 characters: its entity tag, without quotes. */
  checksum: string;
}

export interface DiskCache {
  /**
   * @param key Letters, digits, `-` and `_`.
   * @returns undefined where there is none, or its file is damaged or cannot be read, which is logged.
   */
  get(key: string): Promise<Thumbnail | undefined>;
  /**
   * Resolves when it is kept, or when that failed, which is logged: a thumbnail that cannot be kept is shown all the
   * same.
   */
  put(key: string, thumbnail: Thumbnail): Promise<void>;
  /** Of all files. */
  bytes(): number;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface DiskCacheOptions {
  folder: string;
  maxBytes: number;
  /** Epoch milliseconds: files carry the day they were last used on. */
  now(): number;
  /** Monotonic milliseconds, for the pauses of the log. Default: `now`. */
  clock?(): number;
  log: Logger;
}

interface Entry {
  bytes: number;
  /** Epoch milliseconds; the file's modification time. */
  usedAt: number;
}

/** Bytes of thumbnails held in memory: those of the lists that are read most. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
const CHECKSUM_LENGTH = 22;
/** The order of use outlives a restart to the day: one write a day for a file that is used. */
const TOUCH_MS = DAY;
const UNFINISHED = '.part';

export function openDiskCache({ folder, maxBytes, now, clock = now, log }: DiskCacheOptions): DiskCache {
  const under = new Set<Promise<unknown>>();
  // A full disk refuses every thumbnail.
  const failures = createFailureLog(log.child({ folder }), clock);
  const held = new LRUCache<string, Thumbnail>({
    maxSize: MAX_HELD_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 200,
  });
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: (_, key, reason) => {
      if (reason !== 'evict' && reason !== 'delete') return;
      held.delete(key);
      background(rm(fileOf(key), { force: true }), 'removed');
    },
  });
  const fileOf = (key: string): string => join(folder, key.slice(0, 2), key);

  function background(work: Promise<unknown>, action: string): void {
    const done = work
      .catch((err: unknown) => failures.add(action, err, `a thumbnail could not be ${action}`))
      .finally(() => under.delete(done));
    under.add(done);
  }

  function touch(key: string, entry: Entry): void {
    if (now() - entry.usedAt < TOUCH_MS) return;
    entry.usedAt = now();
    background(utimes(fileOf(key), entry.usedAt / 1000, entry.usedAt / 1000).catch(undefinedIfMissing), 'touched');
  }

  const scanned = scan(folder)
    .then((found) => {
      for (const { key, ...entry } of found) entries.set(key, entry);
    })
    .catch((err: unknown) => log.warn({ err, folder }, 'the thumbnails on the disk could not be listed'));

  async function read(key: string): Promise<Thumbnail | undefined> {
    const found = await readThumbnail(fileOf(key), failures);
    await scanned;
    // No descriptor is free, for example: the file may be there next time.
    if (found === 'unreadable') return undefined;
    if (found === undefined) entries.delete(key);
    else held.set(key, found);
    return found;
  }

  return {
    async get(key) {
      const thumbnail = held.get(key) ?? (await read(key));
      const entry = entries.get(key);
      if (entry !== undefined) touch(key, entry);
      return thumbnail;
    },

    async put(key, { bytes, checksum }) {
      await scanned;
      const usedAt = now();
      try {
        await writeWhole(fileOf(key), Buffer.concat([Buffer.from(checksum, 'latin1'), bytes]), usedAt);
        entries.set(key, { bytes: bytes.length + CHECKSUM_LENGTH, usedAt });
        held.set(key, { bytes, checksum });
      } catch (err) {
        failures.add('write', err, 'a thumbnail could not be written, and is made again when it is asked for');
      }
    },

    bytes: () => entries.calculatedSize,

    async close() {
      await scanned;
      await Promise.all(under);
    },
  };
}

/** @returns undefined where there is no file, or it is damaged. */
async function readThumbnail(file: string, failures: FailureLog): Promise<Thumbnail | 'unreadable' | undefined> {
  try {
    const kept = await readFile(file);
    const checksum = kept.toString('latin1', 0, CHECKSUM_LENGTH);
    const bytes = kept.subarray(CHECKSUM_LENGTH);
    return hashOf(bytes) === checksum ? { bytes, checksum } : undefined;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (hasCode(error, 'ENOENT')) return undefined;
    failures.add('read', error, 'a thumbnail could not be read, and is made again');
    return 'unreadable';
  }
}

/** Writes beside the file and renames, so that a file is complete or absent. */
async function writeWhole(file: string, content: Buffer, usedAt: number): Promise<void> {
  const unfinished = `${file}.${randomUUID()}${UNFINISHED}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(unfinished, content, { flag: 'wx', mode: 0o600 });
    await utimes(unfinished, usedAt / 1000, usedAt / 1000);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(undefinedIfMissing);
    throw error;
  }
}

/** What is there, used longest ago first. Files that a process or a power failure left unfinished are removed. */
async function scan(folder: string): Promise<(Entry & { key: string })[]> {
  const found: (Entry & { key: string })[] = [];
  for (const directory of (await readdir(folder, { withFileTypes: true }).catch(undefinedIfMissing)) ?? []) {
    if (!directory.isDirectory()) continue;
    for (const key of await readdir(join(folder, directory.name))) {
      const file = join(folder, directory.name, key);
      // One that was damaged is removed as soon as it is asked for.
      const stats = await stat(file).catch(undefinedIfMissing);
      if (stats === undefined) continue;
      if (key.endsWith(UNFINISHED) || stats.size <= CHECKSUM_LENGTH) await rm(file, { force: true });
      else found.push({ key, bytes: stats.size, usedAt: stats.mtimeMs });
    }
  }
  return found.sort((a, b) => a.usedAt - b.usedAt);
}
