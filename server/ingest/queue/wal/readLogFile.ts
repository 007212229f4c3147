// Reads a file of the write-ahead log: its undamaged rows, and the number of damaged ones. A damaged byte costs the row
// that it is in.
import { crc32 } from 'node:zlib';
import type { EncodedRows } from '../../../storage/engine.ts';
import { encodeHeader, hex, NEWLINE, readControl, readTail, seedOf, VERSION, type WalHeader } from './format.ts';
import { type Piece, salvage } from './salvage.ts';

/** Remains of a damaged row. */
export interface DamagedLine {
  /** In the file, from 1. */
  line: number;
  bytes: Buffer;
}

export interface WalContents extends EncodedRows {
  /** Rows in `text`. */
  events: number;
  /** Rows that were written, and are not in `text`: they were acknowledged, or may have been. */
  damaged: number;
  damagedLines: readonly DamagedLine[];
  /** Rows of a last group that was not written completely, so that none was acknowledged. */
  unfinished: number;
}

/** The file cannot be parsed: its header is damaged, or of a newer version of the program. */
export class UnreadableWalError extends Error {
  override name = 'UnreadableWalError';
}

/** For a file in the log's folder whose name is not that of a log file. */
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
 * @param found The whole file; its rows are moved together in place.
 * @param known Columns of this version: they replace a damaged header, and an unversioned file has no others.
 * @throws {UnreadableWalError} when the columns of its rows are unknown.
 */
export function readWal(found: Buffer, known: readonly string[]): WalContents {
  const { columns, start, versioned } = readHeader(found, known);
  if (!versioned) return readPlain(found, start, columns);
  return new FrameReader(found, { columns, seed: seedOf(columns) }).read(start);
}

/** Whether a file has no more than a part of its header: it holds no acknowledged event. */
export function isUnbegun(found: Buffer, known: readonly string[]): boolean {
  const zeros = found.indexOf(0);
  const written = zeros === -1 ? found : found.subarray(0, zeros);
  // After a crash, bytes that were not written may read as zeros.
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
  // Where the header is damaged, the checksums of the frames prove whether they have the columns of this version.
  if (firstFrame(found, 0, seedOf(known)) !== undefined) return { columns: known, start: 0, versioned: true };
  const columns = PLAIN.test(header) ? header.split('\t') : [];
  if (columns.length > 0 && columns.every((name) => known.includes(name)))
    return { columns, start: end + 1, versioned: false };
  throw new UnreadableWalError('Its header is damaged: what its rows are is not known.');
}

/** @returns Offset of the next undamaged head; undefined where there is none. */
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
  /** Rows that were written up to the current offset. */
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
      // Last, since it moves the contents.
      text: moveTogether(this.#found, this.#pieces),
    };
  }

  /** @returns Offset after the frame's undamaged part; undefined where no frame begins, or its rows are damaged. */
  #readFrame(at: number): number | undefined {
    const { seed } = this.#header;
    const head = readControl(this.#found, at, seed);
    if (!head?.isHead) return undefined;
    const start = at + head.length;
    const end = start + head.bytes;
    if (end > this.#found.length || crc32(this.#found.subarray(start, end)) !== head.crc) return undefined;
    // Frames between two undamaged ones may be lost without remains.
    this.#damaged += Math.max(0, head.first - this.#seen);
    this.#pieces.push([start, end - 1]);
    this.#events += head.rows;
    this.#seen = head.first + head.rows;
    return readTail(this.#found, end, head, seed) ?? end;
  }

  /** Salvages the rows up to the next undamaged frame. @returns The offset of that frame. */
  #readDamaged(at: number): number {
    const { seed, columns } = this.#header;
    const next = firstFrame(this.#found, at + 1, seed);
    const end = next ?? this.#found.length;
    const { rows, rest, controls, hasSums } = salvage(this.#found, [at, end], { seed, cells: columns.length });
    const totals = controls.map((control) => control.first + control.rows);
    if (next !== undefined) totals.push(readControl(this.#found, next, seed)!.first);
    const proven = this.#seen + rows.length;
    const total = Math.max(proven, ...(totals.length === 0 ? [proven + this.#countRows(rest)] : totals));
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

  /** Used where no head or end has the number of rows: the remains of those lines have no tabs. */
  #countRows(rest: readonly Piece[]): number {
    const hasTab = ([start, end]: Piece) => this.#found.subarray(start, end).includes(TAB);
    return rest.filter((piece) => this.#header.columns.length === 1 || hasTab(piece)).length;
  }
}

/** Moves rows together in place, each with its line feed; within a frame they are contiguous already. */
function moveTogether(found: Buffer, pieces: readonly Piece[]): Buffer {
  const [first] = pieces;
  if (first === undefined) return found.subarray(0, 0);
  // Where a line feed was lost, there is no room for one.
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

/** Without checksums a row is undamaged when it has its cells. After the last such row, none was acknowledged. */
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
    // After a crash, bytes that were not written may read as zeros; no row has one.
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

/** Calls `onRow` with each row, in order. */
export function eachRow(text: Buffer, onRow: (row: string) => void): void {
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf(NEWLINE, at);
    onRow(text.toString('utf8', at, end));
  }
}
