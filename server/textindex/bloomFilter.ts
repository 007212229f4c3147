// A growing Bloom filter (about 5 % false positives) of the terms of a site, a few bits each: most bigrams occur in one
// post only, and until a second post has them they need no place in the index.

import { at } from '../at.ts';
import type { SnapshotPart } from './snapshotPart.ts';
import { uint32At } from './typedReads.ts';

/** Bits a term on average; two are set. */
const BITS_A_TERM = 8;
const FIRST_BITS = 1 << 20;
const LAST_BITS = 2 ** 29;

interface Generation {
  bits: Uint32Array;
  mask: number;
  room: number;
}

export class BloomFilter {
  /** A filter that is full stays as it is, and a larger one takes the terms that follow. */
  private readonly generations: Generation[] = [newGeneration(FIRST_BITS)];

  /** @returns whether the term was met before; it has been met after this. */
  meet(term: number): boolean {
    if (this.met(term)) return true;
    const other = secondHash(term);
    let newest = at(this.generations, this.generations.length - 1);
    if (newest.room === 0) {
      newest = newGeneration(Math.min(LAST_BITS, (newest.mask + 1) * 8));
      this.generations.push(newest);
    }
    newest.room--;
    set(newest, term);
    set(newest, other);
    return false;
  }

  /** As `meet`, without adding the term. */
  met(term: number): boolean {
    const other = secondHash(term);
    for (const generation of this.generations) if (has(generation, term, other)) return true;
    return false;
  }

  *snapshot(): Generator<SnapshotPart> {
    for (const [at, { bits, room }] of this.generations.entries())
      yield { name: 'seen', at, arrays: [bits], facts: room };
  }

  restore({ at, arrays, facts }: SnapshotPart): void {
    const bits = arrays[0] as Uint32Array;
    this.generations[at] = { bits, mask: bits.length * 32 - 1, room: facts as number };
  }

  get bytes(): number {
    return this.generations.reduce((sum, { bits }) => sum + bits.byteLength, 0);
  }
}

const secondHash = (term: number): number => Math.imul(term ^ (term >>> 15), 0x2c1b3c6d) >>> 0;

function newGeneration(size: number): Generation {
  return { bits: new Uint32Array(size / 32), mask: size - 1, room: Math.floor(size / BITS_A_TERM) };
}

function has({ bits, mask }: Generation, one: number, other: number): boolean {
  const first = one & mask;
  const second = other & mask;
  return (bits[first >>> 5]! & (1 << (first & 31))) !== 0 && (bits[second >>> 5]! & (1 << (second & 31))) !== 0;
}

function set({ bits, mask }: Generation, hash: number): void {
  const bit = hash & mask;
  bits[bit >>> 5] = uint32At(bits, bit >>> 5) | (1 << (bit & 31));
}
