// The file format of the write-ahead log, version 2. A file is a header, and a frame for each group of rows that was
// appended and synced at once:
//
//   #afterword-wal 2 <crc> <column>\t<column>…\n    header; crc is of the column names, seeded with the version
//   \f< <first> <rows> <bytes> <crc> <crc>\n         head: rows before this frame; its rows, bytes and their checksum
//   <cell>\t<cell>…\n                               the rows, as they are inserted
//   \f> <crc> <crc> …\n                             checksum of each row, without its line feed
//   \f= <first> <rows> <crc>\n                       end: the frame was written whole
//
// All checksums are CRC-32 in eight hexadecimal digits. The last one of a head or an end covers the line before it, and
// is seeded with the checksum of the columns: a file whose header is damaged still proves which columns it has. A row
// holds no form feed: it is escaped.
//
// There are two levels, for speed: a reader checks the one checksum of a frame's rows, and those of single rows only
// where that fails. So the text of a group goes to the disk, and from there to the engine, without being copied row by
// row. A checksum inside each row would make the line of checksums superfluous, but add a cell that the engine has to
// skip.
//
// Version 1 is a line of column names and then the rows, without checksums: it is read, and no longer written.
import { crc32 } from 'node:zlib';
import { crc32Between } from './crc32.ts';

export const VERSION = 2;

/** Prefix of the token of a file whose events may be stored already: the keys of stored events were not known yet. */
export const UNCHECKED = 'unchecked-';

/** Names of log files: a number that grows, and the token of the insert. */
export const LOG_FILE = /^(\d{12})-([\w-]{1,64})\.tsv$/;

/** Cells of a row, and the seed of the checksums of heads and ends. */
export interface WalHeader {
  columns: readonly string[];
  seed: number;
}

/** The first or the last line of a frame. */
export interface WalControl {
  isHead: boolean;
  /** Rows of the file before this frame. */
  first: number;
  rows: number;
  /** Of a head: length and checksum of the rows; else 0. */
  bytes: number;
  crc: number;
  /** Length of the line, its line feed included. */
  length: number;
}

export const NEWLINE = 0x0a;
export const FORM_FEED = 0x0c;
const SPACE = 0x20;
const DIGITS = Buffer.from('0123456789abcdef');
const CRC_DIGITS = 8;
const HEAD = /^\f< (\d+) (\d+) (\d+) ([0-9a-f]{8}) [0-9a-f]{8}$/;
const END = /^\f= (\d+) (\d+) [0-9a-f]{8}$/;
const SUMS = Buffer.from('\f>');

export const hex = (crc: number) => crc.toString(16).padStart(CRC_DIGITS, '0');

/** Seeded with the version, or the header line would be a row with a valid checksum. */
export const seedOf = (columns: readonly string[]) => crc32(columns.join('\t'), VERSION);

export const encodeHeader = (columns: readonly string[]) =>
  `#afterword-wal ${VERSION} ${hex(seedOf(columns))} ${columns.join('\t')}\n`;

/**
 * A group as a frame.
 * @param first Rows of the file before it.
 * @param text The rows, each with its line feed; not copied.
 */
export function encodeFrame(
  text: Buffer,
  { rows, first, seed }: { rows: number; first: number; seed: number },
): [head: Buffer, rows: Buffer, tail: Buffer] {
  const head = `\f< ${first} ${rows} ${text.length} ${hex(crc32(text))}`;
  const end = `\f= ${first} ${rows}`;
  const tail = Buffer.concat([rowSums(text, rows), Buffer.from(`${end} ${hex(crc32(end, seed))}\n`)]);
  return [Buffer.from(`${head} ${hex(crc32(head, seed))}\n`), text, tail];
}

const sumsLength = (rows: number) => SUMS.length + rows * (CRC_DIGITS + 1) + 1;

/** Digit by digit into one buffer: a string for each checksum would cost more than the checksums. */
function rowSums(text: Buffer, rows: number): Buffer {
  const sums = Buffer.allocUnsafe(sumsLength(rows));
  let to = SUMS.copy(sums);
  for (let row = 0, at = 0; row < rows; row++) {
    const end = text.indexOf(NEWLINE, at);
    const crc = crc32Between(text, at, end);
    sums[to++] = SPACE;
    for (let shift = 28; shift >= 0; shift -= 4) sums[to++] = DIGITS[(crc >>> shift) & 15]!;
    at = end + 1;
  }
  sums[to] = NEWLINE;
  return sums;
}

/** @returns The head or end at that offset; undefined where there is none, or it is damaged. */
export function readControl(found: Buffer, at: number, seed: number): WalControl | undefined {
  if (found[at] !== FORM_FEED || (found[at + 1] !== 0x3c && found[at + 1] !== 0x3d)) return undefined;
  const stop = found.indexOf(NEWLINE, at);
  if (stop === -1) return undefined;
  const line = found.toString('latin1', at, stop);
  const isHead = line[1] === '<';
  const [, first, rows, bytes = '0', crc = '0'] = (isHead ? HEAD : END).exec(line) ?? [];
  if (first === undefined) return undefined;
  if (line.slice(-CRC_DIGITS) !== hex(crc32(found.subarray(at, stop - CRC_DIGITS - 1), seed))) return undefined;
  return {
    isHead,
    first: Number(first),
    rows: Number(rows),
    bytes: Number(bytes),
    crc: Number.parseInt(crc, 16),
    length: stop + 1 - at,
  };
}

/** @returns Offset of the end of a frame whose rows end at `at`; undefined where its tail is damaged or missing. */
export function readTail(found: Buffer, at: number, { rows }: WalControl, seed: number): number | undefined {
  const end = at + sumsLength(rows);
  const control = readControl(found, end, seed);
  return control?.isHead === false ? end + control.length : undefined;
}
