// Reads a file of the write-ahead log: every row that is as it was written, and how many are not. A damaged byte costs the row it is in.
import { crc32 } from 'node:zlib';
import type { EncodedRows } from '../../../storage/engine.ts';
import { encodeHeader, hex, NEWLINE, readControl, readTail, seedOf, VERSION, type WalHeader } from './format.ts';
import { type Piece, salvage } from './salvage.ts';

/** Bytes that are no row any more. */
export interface DamagedLine {
  /** In the file, from 1. */
  line: number;
  bytes: Buffer;
}

export interface WalContents extends EncodedRows {
  /** Rows in `text`. */
  events: number;
  /** Rows that were written, and are not in `text`: each was acknowledged, or may have been. */
  damaged: number;
  damagedLines: readonly DamagedLine[];
  /** Rows of a last group that was never written to its end, so that none of it was acknowledged. */
  unfinished: number;
}

/** Nothing can be read of the file: its header is damaged, or of a newer version of the program. */
export class UnreadableWalError extends Error {
  override name = 'UnreadableWalError';
}

/** Why a file in the log's folder whose name is not that of a log file is left as it is. */
export const strangeName = (name: string): UnreadableWalError =>
  new UnreadableWalError(
    name.endsWith('.ndjson')
      ? 'Its format (.ndjson) is of a version before the first release: start that version on this data folder once, which inserts its events.'
      : 'Its name is not that of a log file.',
  );

const TAB = 0x09;
const LINE_FEED = Buffer.from('\n');
const FRAME = Buffer.from('\f<');
const VERSIONED = /^#afterword-wal (\d+) ([0-9a-f]{8}) ([a-z_]+(?:\t[a-z_]+)*)$/;
const PLAIN = /^[a-z_]+(?:\t[a-z_]+)*$/;
const OF_NEWER = /^#afterword-wal (\d+) /;
/** No header is longer. */
const HEADER_BYTES = 4096;

/**
 * @param found The whole file; its rows are moved together in it.
 * @param known The columns of today: they help where the header is damaged, and no others are taken from an unversioned file.
 * @throws {UnreadableWalError} when the header does not say what the rows are.
 */
export function readWal(found: Buffer, known: readonly string[]): WalContents {
  const { columns, start, versioned } = readHeader(found, known);
  if (!versioned) return readPlain(found, start, columns);
  return new FrameReader(found, { columns, seed: seedOf(columns) }).read(start);
}

/** Whether a file has no more than a part of its header: nothing in it was acknowledged. */
export function isUnbegun(found: Buffer, known: readonly string[]): boolean {
  const zeros = found.indexOf(0);
  const written = zeros === -1 ? found : found.subarray(0, zeros);
  // A disk may give back zeros where it never wrote.
  if (found.subarray(written.length).some((byte) => byte !== 0)) return false;
  return [encodeHeader(known), `${known.join('\t')}\n`].some((header) => {
    const bytes = Buffer.from(header);
    return written.length < bytes.length && bytes.subarray(0, written.length).equals(written);
  });
}

function readHeader(found: Buffer, known: readonly string[]) {
  const end = found.subarray(0, HEADER_BYTES).indexOf(NEWLINE);
  const header = end === -1 ? '' : found.toString('latin1', 0, end);
  const [, version, crc, names] = VERSIONED.exec(header) ?? [];
  if (version === String(VERSION) && crc === hex(seedOf(names!.split('\t'))))
    return { columns: names!.split('\t'), start: end + 1, versioned: true };
  const newer = Number(OF_NEWER.exec(header)?.[1]);
  if (newer > VERSION)
    throw new UnreadableWalError(`It has format ${newer} of a newer version of this program, which can read it.`);
  // Where a header is damaged, the frames tell whether they have the columns of today.
  if (firstFrame(found, 0, seedOf(known)) !== undefined) return { columns: known, start: 0, versioned: true };
  const columns = PLAIN.test(header) ? header.split('\t') : [];
  if (columns.length > 0 && columns.every((name) => known.includes(name)))
    return { columns, start: end + 1, versioned: false };
  throw new UnreadableWalError('Its header is damaged: what its rows are is not known.');
}

/** @returns Where the next undamaged head is; undefined when there is none. */
function firstFrame(found: Buffer, from: number, seed: number): number | undefined {
  for (let at = found.indexOf(FRAME, from); at !== -1; at = found.indexOf(FRAME, at + 1))
    if (readControl(found, at, seed) !== undefined) return at;
  return undefined;
}

class FrameReader {
  readonly #found: Buffer;
  readonly #header: WalHeader;
  readonly #pieces: Piece[] = [];
  readonly #rest: Piece[] = [];
  /** Rows that were written up to here. */
  #seen = 0;
  #events = 0;
  #damaged = 0;
  #unfinished = 0;

  constructor(found: Buffer, header: WalHeader) {
    this.#found = found;
    this.#header = header;
  }

  read(start: number): WalContents {
    for (let at = start; at < this.#found.length; ) at = this.#readFrame(at) ?? this.#readDamaged(at);
    return {
      columns: this.#header.columns,
      events: this.#events,
      damaged: this.#damaged,
      damagedLines: toDamagedLines(this.#found, this.#rest),
      unfinished: this.#unfinished,
      // The last, as it moves what is in the file.
      text: moveTogether(this.#found, this.#pieces),
    };
  }

  /** @returns Where the frame ends, or its damaged part begins; undefined when none begins there, or its rows are damaged. */
  #readFrame(at: number): number | undefined {
    const { seed } = this.#header;
    const head = readControl(this.#found, at, seed);
    if (!head?.isHead) return undefined;
    const start = at + head.length;
    const end = start + head.bytes;
    if (end > this.#found.length || crc32(this.#found.subarray(start, end)) !== head.crc) return undefined;
    // What stood between two whole frames may be gone without a trace.
    this.#damaged += Math.max(0, head.first - this.#seen);
    this.#pieces.push([start, end - 1]);
    this.#events += head.rows;
    this.#seen = head.first + head.rows;
    return readTail(this.#found, end, head, seed) ?? end;
  }

  /** Takes the rows up to the next frame whose own checksums say that they are good. @returns Where that frame is. */
  #readDamaged(at: number): number {
    const { seed, columns } = this.#header;
    const next = firstFrame(this.#found, at + 1, seed);
    const end = next ?? this.#found.length;
    const { rows, rest, controls, hasSums } = salvage(this.#found, [at, end], { seed, cells: columns.length });
    const told = controls.map((control) => control.first + control.rows);
    if (next !== undefined) told.push(readControl(this.#found, next, seed)!.first);
    const proven = this.#seen + rows.length;
    const total = Math.max(proven, ...(told.length === 0 ? [proven + this.#countRows(rest)] : told));
    const missing = total - proven;
    for (const row of rows) this.#pieces.push(row);
    this.#events += rows.length;
    this.#seen = total;
    const wasWhole = next !== undefined || rows.length > 0 || hasSums || controls.some(({ isHead }) => !isHead);
    if (wasWhole) this.#damaged += missing;
    else this.#unfinished += missing;
    if (wasWhole && missing > 0) for (const piece of rest) this.#rest.push(piece);
    return end;
  }

  /** Where no head and no end says how many rows there were: the remains of those lines have no tabs. */
  #countRows(rest: readonly Piece[]): number {
    const hasTab = ([start, end]: Piece) => this.#found.subarray(start, end).includes(TAB);
    return rest.filter((piece) => this.#header.columns.length === 1 || hasTab(piece)).length;
  }
}

/** One row behind the other, each with its line feed: mostly they stand so already, group by group. */
function moveTogether(found: Buffer, pieces: readonly Piece[]): Buffer {
  const [first] = pieces;
  if (first === undefined) return found.subarray(0, 0);
  // Where a line feed was lost there is no room for one.
  if (pieces.some(([, end], at) => end === (pieces[at + 1]?.[0] ?? found.length)))
    return Buffer.concat(pieces.flatMap(([start, end]) => [found.subarray(start, end), LINE_FEED]));
  const [begin] = first;
  let to = begin;
  for (const [start, end] of pieces) {
    if (to !== start) found.copyWithin(to, start, end);
    to += end - start;
    found[to++] = NEWLINE;
  }
  return found.subarray(begin, to);
}

/** A file without checksums: a row is good when it has its cells. What follows the last good one was never acknowledged. */
function readPlain(found: Buffer, start: number, columns: readonly string[]): WalContents {
  const pieces: Piece[] = [];
  const damaged: Piece[] = [];
  let odd: Piece[] = [];
  for (let at = start; at < found.length; ) {
    const newline = found.indexOf(NEWLINE, at);
    const end = newline === -1 ? found.length : newline;
    if (newline !== -1 && isRow(found.subarray(at, end), columns.length)) {
      for (const piece of odd) damaged.push(piece);
      odd = [];
      pieces.push([at, end]);
    } else {
      odd.push([at, end]);
    }
    at = end + 1;
  }
  return {
    columns,
    events: pieces.length,
    damaged: damaged.length,
    damagedLines: toDamagedLines(found, damaged),
    unfinished: odd.length,
    text: moveTogether(found, pieces),
  };
}

function isRow(line: Buffer, cells: number): boolean {
  let tabs = 0;
  for (const byte of line) {
    if (byte === TAB) tabs++;
    // A disk may give back zeros where it never wrote; no row has one.
    else if (byte === 0) return false;
  }
  return tabs === cells - 1;
}

/** @param pieces In their order. */
function toDamagedLines(found: Buffer, pieces: readonly Piece[]): DamagedLine[] {
  let line = 1;
  let newline = found.indexOf(NEWLINE);
  return pieces.map(([start, end]) => {
    for (; newline !== -1 && newline < start; newline = found.indexOf(NEWLINE, newline + 1)) line++;
    return { line, bytes: Buffer.from(found.subarray(start, end)) };
  });
}

/** Calls `told` with each row, in order. */
export function eachRow(text: Buffer, told: (row: string) => void): void {
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf(NEWLINE, at);
    told(text.toString('utf8', at, end));
  }
}
