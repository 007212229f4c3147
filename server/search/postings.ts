// Which posts have a word, and how often: lists that grow at their end and are never rewritten.
//
//   postings.add(word, doc, 3);        docs come in ascending order
//   postings.read(word, into);         into.docs[0 … into.count), into.frequencies
//
// A list is a chain of slices in pages of a megabyte, each slice half as large again as the one before. A posting is
// the distance to the doc before and a bit that says "more than once" (a varint), then how often where that bit is set:
// one to three bytes. A byte of 0 where a posting would begin ends a slice. A word of one post has no list: it is kept
// in its place.

import { at } from '../at.ts';
import { enlarged } from '../enlarged.ts';
import { type SnapshotPart, snapshotPart } from '../textindex/snapshotPart.ts';
import { uint16At, uint32At } from '../textindex/typedReads.ts';

const PAGE_BITS = 20;
const PAGE = 1 << PAGE_BITS;
const OFFSET = PAGE - 1;
/** Each slice begins with the address of the next one. */
const LINK = 4;
const FIRST_SLICE = 20;
const LAST_SLICE = 8192;
/** Longest posting, and the 0 behind it. */
const ROOM = 7;
const MOST_OFTEN = 255;

/** A list, read. */
export interface PostingList {
  docs: Uint32Array;
  frequencies: Uint8Array;
  count: number;
  /** Which list it is: a list that was read last need not be read again until it has grown. */
  word: number;
  from: Postings | undefined;
}

export const emptyList = (): PostingList => ({
  docs: new Uint32Array(0),
  frequencies: new Uint8Array(0),
  count: 0,
  word: -1,
  from: undefined,
});

export class Postings {
  /** By word: posts that have it. */
  private counts = new Uint32Array(1024);
  /** By word: the only posting (doc and frequency) where there is one, else which chain. */
  private places = new Uint32Array(1024);
  /** By chain: first slice, where the next posting goes, end of the last slice, its size, last doc. */
  private heads = new Uint32Array(256);
  private tails = new Uint32Array(256);
  private ends = new Uint32Array(256);
  private sizes = new Uint16Array(256);
  private lasts = new Uint32Array(256);
  private chains = 0;
  private readonly pages: Uint8Array[] = [];
  private used = PAGE;

  /** Posts that have a word, those gone meanwhile included; 0 for a word that none has had, such as −1. */
  count(word: number): number {
    return this.counts[word] ?? 0;
  }

  /** @param doc Not below any doc added before. */
  add(word: number, doc: number, frequency: number): void {
    if (word >= this.counts.length) this.growWords(word);
    const often = Math.min(frequency, MOST_OFTEN);
    const before = uint32At(this.counts, word);
    this.counts[word] = before + 1;
    if (before === 0) {
      this.places[word] = (doc << 8) | often;
      return;
    }
    if (before === 1) {
      const only = uint32At(this.places, word);
      const chain = this.newChain();
      this.places[word] = chain;
      this.write(chain, only >>> 8, only & 255);
    }
    this.write(uint32At(this.places, word), doc, often);
  }

  read(word: number, into: PostingList): PostingList {
    const count = this.count(word);
    if (into.from === this && into.word === word && into.count === count) return into;
    into.from = this;
    into.word = word;
    if (into.docs.length < count) {
      into.docs = new Uint32Array(Math.ceil(count * 1.2));
      into.frequencies = new Uint8Array(into.docs.length);
    }
    into.count = count;
    if (count === 0) return into;
    const place = uint32At(this.places, word);
    if (count === 1) {
      into.docs[0] = place >>> 8;
      into.frequencies[0] = place & 255;
    } else this.readChain(uint32At(this.heads, place), into);
    return into;
  }

  /** All of it; nothing is added meanwhile. */
  *snapshot(): Generator<SnapshotPart> {
    const { counts, places, heads, tails, ends, sizes, lasts, chains, used } = this;
    yield snapshotPart('lists', 0, [counts, places, heads, tails, ends, sizes, lasts], { chains, used });
    for (const [at, page] of this.pages.entries()) yield snapshotPart('list page', at, [page]);
  }

  /** Restores a part of a snapshot. */
  restore({ name, at, arrays, facts }: SnapshotPart): void {
    if (name === 'list page') this.pages[at] = arrays[0] as Uint8Array;
    if (name !== 'lists') return;
    const [counts, places, heads, tails, ends, sizes, lasts] = arrays;
    Object.assign(this, { counts, places, heads, tails, ends, sizes, lasts }, facts);
  }

  get bytes(): number {
    return this.pages.length * PAGE + this.counts.byteLength * 2 + this.heads.byteLength * 4 + this.sizes.byteLength;
  }

  private readChain(head: number, { docs, frequencies, count }: PostingList): void {
    let page = this.pages[head >>> PAGE_BITS]!;
    let slice = head & OFFSET;
    let at = slice + LINK;
    let doc = -1;
    for (let i = 0; i < count; i++) {
      if (page[at] === 0) {
        const next = linkAt(page, slice);
        page = this.pages[next >>> PAGE_BITS]!;
        slice = next & OFFSET;
        at = slice + LINK;
      }
      let byte = page[at++]!;
      let step = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = page[at++]!;
        step |= (byte & 127) << shift;
      }
      doc += step >>> 1;
      docs[i] = doc;
      frequencies[i] = (step & 1) === 0 ? 1 : page[at++]!;
    }
  }

  private write(chain: number, doc: number, often: number): void {
    if (this.tails[chain]! + ROOM > this.ends[chain]!) this.extend(chain);
    const tail = this.tails[chain]!;
    const page = this.pages[tail >>> PAGE_BITS]!;
    let at = tail & OFFSET;
    // The first doc's distance is to −1, so that none is 0.
    const step = doc + 1 - this.lasts[chain]!;
    let rest = often === 1 ? step << 1 : (step << 1) | 1;
    for (; rest > 127; rest >>>= 7) page[at++] = (rest & 127) | 128;
    page[at++] = rest;
    if (often !== 1) page[at++] = often;
    this.tails[chain] = (tail & ~OFFSET) + at;
    this.lasts[chain] = doc + 1;
  }

  private newChain(): number {
    const chain = this.chains++;
    if (chain >= this.heads.length) this.growChains();
    const head = this.newSlice(FIRST_SLICE);
    this.sizes[chain] = FIRST_SLICE;
    this.heads[chain] = head;
    this.tails[chain] = head + LINK;
    this.ends[chain] = head + FIRST_SLICE;
    return chain;
  }

  private extend(chain: number): void {
    const last = uint16At(this.sizes, chain);
    const before = uint32At(this.ends, chain) - last;
    const size = Math.min(LAST_SLICE, Math.ceil(last * 1.5));
    const slice = this.newSlice(size);
    link(at(this.pages, before >>> PAGE_BITS), before & OFFSET, slice);
    this.sizes[chain] = size;
    this.tails[chain] = slice + LINK;
    this.ends[chain] = slice + size;
  }

  private newSlice(size: number): number {
    if (this.used + size > PAGE) {
      this.pages.push(new Uint8Array(PAGE));
      this.used = 0;
    }
    const address = (this.pages.length - 1) * PAGE + this.used;
    this.used += size;
    return address;
  }

  private growWords(word: number): void {
    const size = Math.ceil((word + 1) * 1.5);
    this.counts = enlarged(this.counts, new Uint32Array(size));
    this.places = enlarged(this.places, new Uint32Array(size));
  }

  private growChains(): void {
    const size = Math.ceil(this.heads.length * 1.5);
    this.heads = enlarged(this.heads, new Uint32Array(size));
    this.tails = enlarged(this.tails, new Uint32Array(size));
    this.ends = enlarged(this.ends, new Uint32Array(size));
    this.sizes = enlarged(this.sizes, new Uint16Array(size));
    this.lasts = enlarged(this.lasts, new Uint32Array(size));
  }
}

function linkAt(page: Uint8Array, at: number): number {
  return (page[at]! | (page[at + 1]! << 8) | (page[at + 2]! << 16) | (page[at + 3]! << 24)) >>> 0;
}

function link(page: Uint8Array, at: number, to: number): void {
  for (let byte = 0; byte < LINK; byte++) page[at + byte] = to >>> (8 * byte);
}
