// Remembers of every document which words stand side by side in it, in four bits each. It may take two words for neighbours
// that are none (one pair in eight), never the other way round: it spares the reading of most texts that have the words of a
// phrase somewhere, not the reading of those that have the phrase.

import { pairTerm } from '../recommend/termReader.ts';

const BITS_A_PAIR = 4;
const PAGE_BITS = 18;
/** Fields of 32 bits. */
const PAGE = 1 << PAGE_BITS;
const OFFSET = PAGE - 1;

/** Pairs of words, as hashes; reused. */
export class Pairs {
  hashes = new Uint32Array(1024);
  count = 0;

  add(first: number, second: number): void {
    if (this.count === this.hashes.length) {
      const larger = new Uint32Array(this.count * 2);
      larger.set(this.hashes);
      this.hashes = larger;
    }
    this.hashes[this.count++] = pairTerm(first, second);
  }

  clear(): void {
    this.count = 0;
  }
}

export class Neighbours {
  private readonly pages: Uint32Array[] = [];
  private used = PAGE;
  private starts = new Uint32Array(256);
  /** Fields of each document. */
  private sizes = new Uint16Array(256);

  add(document: number, { hashes, count }: Pairs): void {
    if (document >= this.starts.length) this.grow(document);
    const size = Math.ceil((count * BITS_A_PAIR) / 32);
    this.sizes[document] = size;
    if (size === 0) return;
    if (this.used + size > PAGE) {
      this.pages.push(new Uint32Array(PAGE));
      this.used = 0;
    }
    const start = this.used;
    this.starts[document] = (this.pages.length - 1) * PAGE + start;
    this.used += size;
    const page = this.pages.at(-1)!;
    for (let i = 0; i < count; i++) {
      const one = bitOf(hashes[i]!, size);
      const other = bitOf(otherHash(hashes[i]!), size);
      page[start + (one >>> 5)]! |= 1 << (one & 31);
      page[start + (other >>> 5)]! |= 1 << (other & 31);
    }
  }

  /** false: not every pair is in the document. */
  mayHave(document: number, { hashes, count }: Pairs): boolean {
    const size = this.sizes[document]!;
    if (size === 0) return false;
    const page = this.pages[this.starts[document]! >>> PAGE_BITS]!;
    const start = this.starts[document]! & OFFSET;
    for (let i = 0; i < count; i++) {
      const one = bitOf(hashes[i]!, size);
      if ((page[start + (one >>> 5)]! & (1 << (one & 31))) === 0) return false;
      const other = bitOf(otherHash(hashes[i]!), size);
      if ((page[start + (other >>> 5)]! & (1 << (other & 31))) === 0) return false;
    }
    return true;
  }

  get bytes(): number {
    return this.pages.length * PAGE * 4 + this.starts.byteLength + this.sizes.byteLength;
  }

  private grow(document: number): void {
    const starts = new Uint32Array(document * 2);
    starts.set(this.starts);
    this.starts = starts;
    const sizes = new Uint16Array(document * 2);
    sizes.set(this.sizes);
    this.sizes = sizes;
  }
}

/** Which of a document's bits a hash means: hashes spread evenly over any number of them. */
const bitOf = (hash: number, size: number): number => Math.floor((hash / 0x100000000) * size * 32);

const otherHash = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
