// A filter of the pairs of neighbouring words of each document, in a few bits a pair. About one pair in twenty is a
// false positive; there are no false negatives. So of the texts that have the words of a phrase, most of those that do
// not have the phrase need not be read.
//
// Documents of about the same length stand in blocks of 128. A pair of words means a few rows of its block, in each of
// which every document has a bit: all documents of a block are asked at once, and a question reads nothing but the rows
// it is about.

import { at } from '../at.ts';
import { enlarged } from '../enlarged.ts';
import { type SnapshotPart, snapshotPart } from '../textindex/snapshotPart.ts';
import { pairTerm } from '../textindex/termReader.ts';
import { uint32At } from '../textindex/typedReads.ts';

/** Rows for every pair of a document, and how many of them a pair means. */
const ROWS_A_PAIR = 5;
const MEANT = 3;
/** Documents of a block: four fields of 32 bits a row. */
const BLOCK_BITS = 7;
const FIELDS = 4;
/** Documents for each block up to which each is looked at by itself: all blocks at once are three reads in each. */
const FEW_A_BLOCK = 2;
/** Classes of length: each takes in documents this much longer than the one before, the first of so many pairs. */
const WIDER = 1.25;
const SHORTEST = 8;

/** Pairs of words, as hashes; reused. */
export class Pairs {
  hashes = new Uint32Array(1024);
  count = 0;

  add(first: number, second: number): void {
    if (this.count === this.hashes.length) this.hashes = enlarged(this.hashes, new Uint32Array(this.count * 2));
    this.hashes[this.count++] = pairTerm(first, second);
  }

  clear(): void {
    this.count = 0;
  }
}

/** Documents of about the same length. */
interface Class {
  rows: number;
  /** Row by row: a bit for each document of the block. */
  blocks: Uint32Array[];
  size: number;
}

/** Tests whether a document may contain the pair. */
export type MayHave = (document: number) => boolean;

export class Neighbours {
  private readonly classes: Class[] = [];
  /** By document: its class plus one, 0 where it has no pairs; and which of its class it is. */
  private classOf = new Uint8Array(256);
  private places = new Uint32Array(256);

  add(document: number, { hashes, count }: Pairs): void {
    if (document >= this.places.length) this.grow(document);
    this.classOf[document] = 0;
    if (count === 0) return;
    const number = classFor(count);
    const one = this.classAt(number);
    const { rows, blocks } = one;
    const size = one.size++;
    this.classOf[document] = number + 1;
    this.places[document] = size;
    const block = blocks[size >>> BLOCK_BITS] ?? new Uint32Array(rows * FIELDS);
    blocks[size >>> BLOCK_BITS] = block;
    const field = (size >>> 5) & (FIELDS - 1);
    const bit = 1 << (size & 31);
    for (const pair of hashes.subarray(0, count)) {
      let hash = pair;
      for (let n = 0; n < MEANT; n++, hash = another(hash)) {
        const place = rowOf(hash, rows) * FIELDS + field;
        block[place] = uint32At(block, place) | bit;
      }
    }
  }

  /**
   * Looks for documents that have all of some pairs: in all of them at once, or in each when it is asked about.
   * @param asked Documents that will be asked about, at most. @returns It is good until a document is added.
   */
  lookFor(pairs: Pairs, asked: number): MayHave {
    const { classes, classOf, places } = this;
    const blocks = classes.reduce((sum, one) => sum + one.blocks.length, 0);
    const isFew = asked < blocks * FEW_A_BLOCK;
    const found = isFew ? [] : classes.map((one) => lookIn(one, pairs));
    // Thousands of documents: reads are not checked.
    return (document) => {
      const number = classOf[document]!;
      if (number === 0) return pairs.count === 0;
      const place = places[document]!;
      if (isFew) return hasPairs(classes[number - 1]!, place, pairs);
      return (found[number - 1]![place >>> 5]! & (1 << (place & 31))) !== 0;
    };
  }

  /** All of it; nothing is added meanwhile. */
  *snapshot(): Generator<SnapshotPart> {
    yield snapshotPart('neighbours', 0, [this.classOf, this.places]);
    for (const [at, { blocks, size }] of this.classes.entries())
      yield snapshotPart('neighbour blocks', at, blocks, size);
  }

  /** Restores a part of a snapshot. */
  restore({ name, at, arrays, facts }: SnapshotPart): void {
    if (name === 'neighbours') Object.assign(this, { classOf: arrays[0], places: arrays[1] });
    if (name !== 'neighbour blocks') return;
    const one = this.classAt(at);
    one.blocks = arrays as Uint32Array[];
    one.size = facts as number;
  }

  get bytes(): number {
    const blocks = this.classes.reduce((sum, { blocks, rows }) => sum + blocks.length * rows * FIELDS * 4, 0);
    return blocks + this.places.byteLength + this.classOf.byteLength;
  }

  private classAt(number: number): Class {
    for (let next = this.classes.length; next <= number; next++) {
      const rows = Math.ceil(SHORTEST * WIDER ** next) * ROWS_A_PAIR;
      this.classes.push({ rows, blocks: [], size: 0 });
    }
    return at(this.classes, number);
  }

  private grow(document: number): void {
    const places = new Uint32Array(document * 2);
    places.set(this.places);
    this.places = places;
    const classOf = new Uint8Array(document * 2);
    classOf.set(this.classOf);
    this.classOf = classOf;
  }
}

/** The documents of a class that may have all pairs: a bit each. */
function lookIn({ rows, blocks }: Class, { hashes, count }: Pairs): Uint32Array {
  const found = new Uint32Array(blocks.length * FIELDS).fill(0xffffffff);
  for (const pair of hashes.subarray(0, count)) {
    let hash = pair;
    for (let n = 0; n < MEANT; n++, hash = another(hash)) {
      const row = rowOf(hash, rows) * FIELDS;
      let at = 0;
      for (const block of blocks) {
        for (let field = 0; field < FIELDS; field++, at++) found[at]! &= uint32At(block, row + field);
      }
    }
  }
  return found;
}

/** Whether one document of a class may have all pairs. */
function hasPairs({ rows, blocks }: Class, place: number, { hashes, count }: Pairs): boolean {
  const block = blocks[place >>> BLOCK_BITS]!;
  const field = (place >>> 5) & (FIELDS - 1);
  const bit = 1 << (place & 31);
  for (let pair = 0; pair < count; pair++) {
    let hash = hashes[pair]!;
    for (let n = 0; n < MEANT; n++, hash = another(hash))
      if ((block[rowOf(hash, rows) * FIELDS + field]! & bit) === 0) return false;
  }
  return true;
}

/** The class of documents of this many pairs. */
const classFor = (count: number): number => Math.max(0, Math.ceil(Math.log(count / SHORTEST) / Math.log(WIDER)));

/** Hashes spread evenly over any number of rows. */
const rowOf = (hash: number, rows: number): number => Math.imul(hash >>> 16, rows) >>> 16;

/** The hash of the next row that a pair means. */
const another = (hash: number): number => {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};
