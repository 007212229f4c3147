// Finds the undamaged rows in a damaged stretch of the write-ahead log. The checksums of its rows are in the stretch
// too, and either may have moved: bytes were changed, lost or inserted. A row is undamaged when its checksum is among
// those that can be read.
import { crc32 } from 'node:zlib';
import { FORM_FEED, NEWLINE, readControl, type WalControl } from './format.ts';

/** A part of the file, without the line feed after it. */
export type Piece = readonly [start: number, end: number];

export interface Salvaged {
  rows: Piece[];
  /** Neither undamaged rows nor parts of the frame around them. */
  rest: Piece[];
  /** Undamaged heads and ends. */
  controls: WalControl[];
  /** There are checksums of rows: the group had been written up to them. */
  hasSums: boolean;
}

const TAB = 0x09;
const SPACE = 0x20;
const SUMS_MARK = 0x3e;
const DIGITS = /^[0-9a-f]{8}/;

/** @param cells Of a row. */
export function salvage(found: Buffer, [from, to]: Piece, { seed, cells }: { seed: number; cells: number }): Salvaged {
  const salvaged: Salvaged = { rows: [], rest: [], controls: [], hasSums: false };
  const unproven: Piece[] = [];
  for (const piece of piecesOf(found, from, to)) {
    const [start] = piece;
    const control = readControl(found, start, seed);
    if (control !== undefined) salvaged.controls.push(control);
    else if (found[start] === FORM_FEED && found[start + 1] === SUMS_MARK) salvaged.hasSums = true;
    else unproven.push(piece);
  }
  const sums = sumsIn(found.subarray(from, to));
  const isGood = (start: number, end: number) => sums.has(crc32(found.subarray(start, end)));

  /** Rows are separated also where the line feed between them is lost. */
  function sort(start: number, end: number): void {
    if (start >= end) return;
    const tabs = tabsIn(found, start, end);
    const last = tabs.length - cells + 1;
    if (last < 0) {
      if (hasContent(found, start, end)) salvaged.rest.push([start, end]);
      return;
    }
    // The first row of the piece ends before its first surplus tab.
    for (let stop = tabs[cells - 1] ?? end, least = (tabs[cells - 2] ?? start - 1) + 1; stop >= least; stop--) {
      if (!isGood(start, stop)) continue;
      salvaged.rows.push([start, stop]);
      sort(stop, end);
      return;
    }
    // The last one begins after the last surplus tab.
    const most = tabs[last] ?? end;
    for (let begin = last === 0 ? start : tabs[last - 1]! + 1; begin <= most; begin++) {
      if (!isGood(begin, end)) continue;
      sort(start, begin);
      salvaged.rows.push([begin, end]);
      return;
    }
    salvaged.rest.push([start, end]);
  }

  for (const [start, end] of unproven) sort(start, end);
  return salvaged;
}

/** Lines, and control lines that begin within a line. */
function* piecesOf(found: Buffer, from: number, to: number): Generator<Piece> {
  let start = from;
  for (let at = from; at < to; at++) {
    const isBreak = found[at] === NEWLINE;
    if (!isBreak && found[at] !== FORM_FEED) continue;
    if (at > start) yield [start, at];
    start = isBreak ? at + 1 : at;
  }
  if (to > start) yield [start, to];
}

/** Remains of a head or an end are no rows, nor are zeros, which a disk may return. */
function hasContent(found: Buffer, start: number, end: number): boolean {
  return found[start] !== FORM_FEED && found.subarray(start, end).some((byte) => byte !== 0);
}

/** Every eight digits after a space: where one was lost or inserted, the others are still found. */
function sumsIn(bytes: Buffer): Set<number> {
  const sums = new Set<number>();
  for (let at = bytes.indexOf(SPACE); at !== -1; at = bytes.indexOf(SPACE, at + 1)) {
    const digits = bytes.toString('latin1', at + 1, at + 9);
    if (DIGITS.test(digits)) sums.add(Number.parseInt(digits, 16));
  }
  return sums;
}

function tabsIn(found: Buffer, start: number, end: number): number[] {
  const tabs: number[] = [];
  for (let at = found.indexOf(TAB, start); at !== -1 && at < end; at = found.indexOf(TAB, at + 1)) tabs.push(at);
  return tabs;
}
