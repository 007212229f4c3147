// The forward index: for each post the words it has, in order. Entries lie side by side in pages of a megabyte.

import { enlarged } from '../enlarged.ts';
import type { SnapshotPart } from './snapshotPart.ts';
import { uint32At } from './typedReads.ts';

const PAGE_BITS = 20;
const PAGE = 1 << PAGE_BITS;
const OFFSET = PAGE - 1;

/** Where a forward index entry stands: valid until the next change. */
export interface ForwardEntry {
  page: Uint8Array;
  start: number;
  end: number;
}

/** Whether two entries have the same words in the same order. */
export function sameWords(one: ForwardEntry, other: ForwardEntry): boolean {
  const length = one.end - one.start;
  if (length !== other.end - other.start) return false;
  for (let at = 0; at < length; at++) if (one.page[one.start + at] !== other.page[other.start + at]) return false;
  return true;
}

export class ForwardIndex {
  private pages: Uint8Array[] = [];
  /** Page being written, and how much of it is. */
  private current = -1;
  private used = PAGE;
  private emptied: number[] = [];
  private starts = new Uint32Array(64);
  private lengths = new Uint32Array(64);
  private dead = 0;
  /** How often a post came, changed or went. */
  changes = 0;

  set(number: number, bytes: Uint8Array): void {
    if (number >= this.starts.length) this.grow(number);
    this.remove(number);
    let page = this.pages[this.current];
    if (page === undefined || this.used + bytes.length > PAGE) {
      page = new Uint8Array(PAGE);
      this.current = this.emptied.pop() ?? this.pages.length;
      this.pages[this.current] = page;
      this.used = 0;
    }
    page.set(bytes, this.used);
    this.starts[number] = this.current * PAGE + this.used;
    this.lengths[number] = bytes.length;
    this.used += bytes.length;
  }

  has(number: number): boolean {
    return number < this.lengths.length && this.lengths[number] !== 0;
  }

  /** Empty where no post has this number. */
  place(number: number): ForwardEntry {
    const at = this.starts[number];
    const length = this.lengths[number];
    if (at === undefined || length === undefined) return NOTHING;
    const page = this.pages[at >>> PAGE_BITS];
    const start = at & OFFSET;
    return page === undefined ? NOTHING : { page, start, end: start + length };
  }

  /** Whether a post's forward index entry is this, byte for byte. */
  is(number: number, bytes: Uint8Array): boolean {
    if (this.lengths[number] !== bytes.length) return false;
    const { page, start } = this.place(number);
    return bytes.every((byte, at) => byte === page[start + at]);
  }

  remove(number: number): void {
    this.changes++;
    this.dead += this.lengths[number] ?? 0;
    this.lengths[number] = 0;
  }

  /** Whether so many bytes of the pages are unused that compaction pays. */
  get sparse(): boolean {
    return this.dead > PAGE && this.dead > this.bytes / 4;
  }

  /** Where the forward index entries stand, then their pages. */
  *snapshot(isIncluded: (number: number) => boolean): Generator<SnapshotPart> {
    const lengths = this.lengths.map((length, number) => (isIncluded(number) ? length : 0));
    yield { name: 'forward', at: -1, arrays: [this.starts, lengths], facts: null };
    for (const [at, page] of this.pages.entries()) yield { name: 'forward', at, arrays: [page], facts: null };
  }

  /** Takes back a part; forward index entries set later go to pages of their own. */
  restore({ at, arrays }: SnapshotPart): void {
    if (at < 0) {
      [this.starts, this.lengths] = arrays as [Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>];
      return;
    }
    this.pages[at] = arrays[0] as Uint8Array;
    if (this.pages[at].length === 0) this.emptied.push(at);
  }

  /** Moves all forward index entries into fresh pages, some at a time. */
  *compact(): Generator<void> {
    const old = new Set(this.pages.keys());
    for (const page of this.emptied) old.delete(page);
    this.used = PAGE;
    for (let number = 0; number < this.starts.length; number++) {
      if (this.lengths[number] === 0 || !old.has(uint32At(this.starts, number) >>> PAGE_BITS)) continue;
      const { page, start, end } = this.place(number);
      this.set(number, page.subarray(start, end));
      if (number % 1000 === 999) yield;
    }
    for (const page of old) {
      this.pages[page] = EMPTY;
      this.emptied.push(page);
    }
    this.dead = 0;
  }

  get bytes(): number {
    return this.pages.reduce((sum, page) => sum + page.length, 0);
  }

  private grow(number: number): void {
    const size = Math.max(number + 1, this.starts.length * 2);
    this.starts = enlarged(this.starts, new Uint32Array(size));
    this.lengths = enlarged(this.lengths, new Uint32Array(size));
  }
}

const EMPTY = new Uint8Array(0);
const NOTHING: ForwardEntry = { page: EMPTY, start: 0, end: 0 };
