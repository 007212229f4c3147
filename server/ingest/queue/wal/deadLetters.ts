// Dead letters: rows of the write-ahead log that cannot be inserted, kept in folders beside it for an operator.
//
//   refused/<file>.tsv       rows the engine refused twice, in the log's own format: they can be tried again
//   damaged/<file>.damaged   remains of damaged rows, after a line of JSON with their number
//
// Both are written completely before their log file is removed, under a name derived from its name: after a crash in
// between the same file is written again.
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PART, writeDurably } from '../../../durableFile.ts';
import { undefinedIfMissing } from '../../../errors.ts';
import type { EncodedRows } from '../../../storage/engine.ts';
import { encodeFrame, encodeHeader, seedOf } from './format.ts';
import { readWal, UnreadableWalError, type WalContents } from './readLogFile.ts';

export interface DeadLetter {
  /** Below the folder of the log, `refused/000000000001-….tsv` for example. */
  file: string;
  kind: 'refused' | 'damaged';
  /** Undefined where the file cannot be read, or has no number. */
  events: number | undefined;
  bytes: number;
  /** When it was written, in epoch milliseconds. */
  since: number;
}

export interface DeadLetters {
  /** @returns The file that was written. */
  keepRefused(name: string, rows: EncodedRows & { events: number }): Promise<string>;
  /** @returns The file that was written. */
  keepDamaged(name: string, damage: Pick<WalContents, 'damaged' | 'damagedLines'>): Promise<string>;
  /** Oldest first. */
  list(): Promise<DeadLetter[]>;
}

const DAMAGED = /^\{"events":(\d+),/;
const SUFFIX = '.damaged';
const LINE_FEED = Buffer.from('\n');

/**
 * @param dir Folder of the log; folders in it are created on first use.
 * @param columns Names of the cells of a row of this version.
 */
export function createDeadLetters(dir: string, columns: readonly string[]): DeadLetters {
  /** By file, size and time: a folder is listed often, and its files do not change. */
  const counted = new Map<string, number | undefined>();

  async function keep(kind: DeadLetter['kind'], name: string, parts: readonly Buffer[]): Promise<string> {
    const folder = join(dir, kind);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, name);
    await writeDurably(path, parts);
    return path;
  }

  async function describe(kind: DeadLetter['kind'], name: string): Promise<DeadLetter[]> {
    const file = join(kind, name);
    const path = join(dir, file);
    const stats = await stat(path).catch(undefinedIfMissing);
    if (!stats?.isFile()) return [];
    const { size: bytes, mtimeMs: since } = stats;
    const key = `${file} ${bytes} ${since}`;
    if (!counted.has(key)) counted.set(key, await countEvents(kind, path, columns));
    return [{ file, kind, events: counted.get(key), bytes, since }];
  }

  return {
    keepRefused(name, { columns: names, text, events }) {
      const seed = seedOf(names);
      return keep('refused', name, [
        Buffer.from(encodeHeader(names)),
        ...encodeFrame(text, { rows: events, first: 0, seed }),
      ]);
    },
    keepDamaged(name, { damaged: events, damagedLines }) {
      const says = { events, of: name, lines: damagedLines.map(({ line }) => line) };
      const bytes = damagedLines.flatMap((line) => [line.bytes, LINE_FEED]);
      return keep('damaged', `${basename(name, '.tsv')}${SUFFIX}`, [
        Buffer.from(`${JSON.stringify(says)}\n`),
        ...bytes,
      ]);
    },
    async list() {
      const all: DeadLetter[] = [];
      for (const kind of ['refused', 'damaged'] as const) {
        const names = (await readdir(join(dir, kind)).catch(undefinedIfMissing)) ?? [];
        for (const name of names.sort()) if (!name.endsWith(PART)) all.push(...(await describe(kind, name)));
      }
      return all.sort((one, other) => one.since - other.since);
    },
  };
}

async function countEvents(
  kind: DeadLetter['kind'],
  path: string,
  columns: readonly string[],
): Promise<number | undefined> {
  const found = await readFile(path);
  if (kind === 'damaged') {
    const events = DAMAGED.exec(found.toString('latin1', 0, 64))?.[1];
    return events === undefined ? undefined : Number(events);
  }
  try {
    const { events, damaged } = readWal(found, columns);
    return events + damaged;
  } catch (error) {
    if (error instanceof UnreadableWalError) return undefined;
    throw error;
  }
}
