// Damages bytes of files on the disk, as failing hardware does.
import { readFileSync, writeFileSync } from 'node:fs';
import { between, pick, type Random } from '../../../demo/world/random.ts';

const KINDS = ['flip', 'zero', 'cut', 'insert', 'overwrite'] as const;
const MOST_BYTES = 64;
/** Separators of the format, and bytes that are none. */
const ODD_BYTES = [...Buffer.from('\t\n\0 0x'), 0xff];

/**
 * Damages a file in one place: one bit flipped, or up to 64 bytes zeroed, cut out, put in or overwritten.
 * @returns Description of the damage.
 */
export function damageFile(path: string, random: Random): string {
  const before = readFileSync(path);
  const kind = pick(random, KINDS);
  const at = between(random, 0, Math.max(0, before.length - 1));
  const length = Math.min(between(random, 1, MOST_BYTES), before.length - at);
  const odd = Buffer.alloc(length, pick(random, ODD_BYTES));
  const flipped = Buffer.from(before);
  const bit = between(random, 0, 7);
  if (kind === 'flip') flipped[at]! ^= 1 << bit;
  const filling = { flip: flipped.subarray(at, at + length), zero: Buffer.alloc(length), cut: Buffer.alloc(0) };
  const middle = kind === 'insert' || kind === 'overwrite' ? odd : filling[kind];
  const end = kind === 'insert' ? at : at + length;
  writeFileSync(path, Buffer.concat([before.subarray(0, at), middle, before.subarray(end)]));
  const what = kind === 'flip' ? `bit ${bit}` : `${length} bytes (${odd[0]})`;
  return `${kind} ${what} at ${at} of ${before.length}`;
}

/** Rows of a file of the write-ahead log; lines that begin with a form feed or `#` are none. */
export function rowsIn(path: string): string[] {
  const lines = readFileSync(path, 'latin1').split('\n');
  return lines.slice(1).filter((line) => line !== '' && !/^[\f#]/.test(line));
}
