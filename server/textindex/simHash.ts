// A 64-bit signature of a post for near-copies, as SimHash gives: two copies of an article agree in nearly all bits. A
// cheap test before the exact comparison.

import type { TermReader } from './termReader.ts';
import { uint32At } from './typedReads.ts';

const BINS = 64;
const EMPTY = 0xffffffff;
const least = new Uint32Array(BINS);

/**
 * One-permutation min-hash, one bit a bin: terms fall into 64 bins by their lowest bits, and the smallest of each bin
 * gives a bit. Two posts that share a part j of their terms agree in about ½ + j⁄2 of the bits.
 * Writes two numbers to `simHashes` at `at`.
 */
export function simHash({ terms, count }: TermReader, simHashes: Uint32Array, at: number): void {
  least.fill(EMPTY);
  for (const term of terms.subarray(0, count)) {
    const bin = term & (BINS - 1);
    const rest = term >>> 6;
    if (rest < uint32At(least, bin)) least[bin] = rest;
  }
  for (let half = 0; half < 2; half++) {
    let bits = 0;
    for (let bin = 0; bin < 32; bin++) bits |= (uint32At(least, half * 32 + bin) & 1) << bin;
    simHashes[at + half] = bits;
  }
}

/** Bits (of 64) in which two posts agree; unrelated ones agree in about 32 to 36. */
export function agreeingBits(simHashes: Uint32Array, a: number, b: number): number {
  return 64 - ones(simHashes[a * 2]! ^ simHashes[b * 2]!) - ones(simHashes[a * 2 + 1]! ^ simHashes[b * 2 + 1]!);
}

function ones(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
