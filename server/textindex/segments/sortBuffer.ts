// The terms of many posts, on their way into the main segment of an index: sorted by term some millions at a time,
// while they are near, and packed as lists are. To look a term up in a table of millions for every word of every post
// takes several times as long: each look waits for memory.
//
//   buffer.add(post, reader);                      the terms just read; sorts by itself when there is no room left
//   if (buffer.full) for (const _ of buffer.sort()) await yieldToEventLoop();        … or in steps, before that
//   buffer.take(shard)                             what was sorted of a shard, to be read by a `ListReader`

import { at } from '../../at.ts';
import { enlarged } from '../../enlarged.ts';
import { inOrder, ListWriter, packed } from '../postings.ts';
import { POST_TERMS } from '../settings.ts';
import type { TermCounts } from '../termCounts.ts';
import { TermNumbers } from '../termNumbers.ts';
import type { TermReader } from '../termReader.ts';
import { SHARDS, shardNumber } from '../termTable.ts';

/** Room for as many terms at most: 16 bytes each while they are sorted. */
const ROOM = 1 << 22;
/** … at first, and how much more there is each time. */
const FIRST_ROOM = 1 << 13;
const GROWTH = 8;
/** Terms looked at between two yields. */
const TERMS_A_STEP = 1 << 17;

export class SortBuffer {
  /** Posts that were added, those meanwhile removed included. */
  readonly posts = new Set<number>();
  /** By post: 1 where its terms are not counted yet. */
  uncounted = new Uint8Array(256);
  readonly room: number;
  /** Each a term and a posting. */
  private entries = new Uint32Array(FIRST_ROOM * 2);
  private used = 0;
  /** The same by shard, used again each time: to ask for so much anew makes the collector look at everything. */
  private byShard = new Uint32Array(0);
  private sorted = false;
  /** By shard: what was sorted, run after run. */
  private readonly runs: Uint8Array[][] = Array.from({ length: SHARDS }, () => []);

  /** @param room Terms sorted at once; one post's at least. */
  constructor(room = ROOM) {
    this.room = room;
  }

  /** Adds a post with the terms just read, and counts them while that is quick. */
  add(post: number, read: TermReader, counts: TermCounts): void {
    while (this.used + read.count > this.entries.length / 2) this.makeRoom();
    // Of few posts the table of all terms is small. What has no posting by now will have one: it is no orphan.
    if (this.sorted) this.mark(post);
    else counts.count(read, () => true);
    this.enter(post, read);
  }

  /** Adds a post, with the terms just read, that was counted before. */
  enter(post: number, { terms, frequencies, count }: TermReader): void {
    while (this.used + count > this.entries.length / 2) this.makeRoom();
    this.posts.add(post);
    const { entries } = this;
    for (let i = 0, at = this.used * 2; i < count; i++) {
      entries[at++] = terms[i]!;
      entries[at++] = packed(post, frequencies[i]!);
    }
    this.used += count;
  }

  /** false for a post that was added and whose terms are not counted yet. */
  isCounted(post: number): boolean {
    return this.uncounted[post] !== 1;
  }

  /** Whether the next post may not fit before it is sorted. */
  get full(): boolean {
    return this.used + POST_TERMS > this.room;
  }

  /** Sorts what came since the last time, in steps of about a millisecond. Nothing may be added meanwhile. */
  *sort(): Generator<void> {
    const { used } = this;
    const ends = new Uint32Array(SHARDS);
    for (let from = 0; from < used; from += TERMS_A_STEP) {
      this.countShards(ends, from);
      yield;
    }
    for (let shard = 1; shard < SHARDS; shard++) ends[shard]! += ends[shard - 1]!;
    const fill = new Uint32Array(SHARDS);
    fill.set(ends.subarray(0, SHARDS - 1), 1);
    if (this.byShard.length < used * 2) this.byShard = new Uint32Array(used * 2);
    const sorted = this.byShard;
    for (let from = 0; from < used; from += TERMS_A_STEP) {
      this.spread(sorted, fill, from);
      yield;
    }
    const packer = new Packer();
    let start = 0;
    let since = 0;
    for (let shard = 0; shard < SHARDS; shard++) {
      const end = at(ends, shard);
      if (end > start) at(this.runs, shard).push(packer.pack(sorted, start, end));
      since += end - start;
      start = end;
      if (since < TERMS_A_STEP / 4) continue;
      since = 0;
      yield;
    }
    this.used = 0;
    this.sorted = true;
  }

  /** Counts the terms of each shard from one place on, as many as a step has. */
  private countShards(counts: Uint32Array, from: number): void {
    const { entries } = this;
    const to = Math.min(this.used, from + TERMS_A_STEP);
    for (let i = from; i < to; i++) counts[shardNumber(entries[i * 2]!)]!++;
  }

  /** Puts as many terms as a step has where those of their shard stand. */
  private spread(sorted: Uint32Array, fill: Uint32Array, from: number): void {
    const { entries } = this;
    const to = Math.min(this.used, from + TERMS_A_STEP);
    for (let i = from; i < to; i++) {
      const term = entries[i * 2]!;
      const at = fill[shardNumber(term)]!++ * 2;
      sorted[at] = term;
      sorted[at + 1] = entries[i * 2 + 1]!;
    }
  }

  /** The runs of a shard, in the order they were made; the buffer drops them. Everything must have been sorted. */
  take(shard: number): Uint8Array[] {
    const taken = at(this.runs, shard);
    this.runs[shard] = [];
    return taken;
  }

  get bytes(): number {
    const runs = this.runs.flat().reduce((sum, { length }) => sum + length, 0);
    return runs + this.entries.byteLength + this.byShard.byteLength;
  }

  private mark(post: number): void {
    if (post >= this.uncounted.length) this.uncounted = enlarged(this.uncounted, new Uint8Array(post * 2));
    this.uncounted[post] = 1;
  }

  private makeRoom(): void {
    if (this.entries.length >= this.room * 2) {
      for (const _ of this.sort());
      return;
    }
    const size = Math.min(this.room * 2, this.entries.length * GROWTH);
    this.entries = enlarged(this.entries, new Uint32Array(size));
  }
}

/** Packs terms and postings of one shard: each term, and the list of its postings. */
class Packer {
  private readonly writer = new ListWriter();
  private readonly numbers = new TermNumbers();
  private numberOf = new Uint32Array(0);
  private grouped = new Uint32Array(0);
  private fill = new Uint32Array(0);

  /** @param sorted Terms and postings by turns; from `start` to `end` they are of one shard. */
  pack(sorted: Uint32Array, start: number, end: number): Uint8Array {
    const { writer, numbers } = this;
    const count = end - start;
    if (this.numberOf.length < count) {
      this.numberOf = new Uint32Array(count * 2);
      this.grouped = new Uint32Array(count * 2);
      this.fill = new Uint32Array(count * 2 + 1);
    }
    const { numberOf, grouped, fill } = this;
    numbers.clear();
    fill.fill(0, 0, count + 1);
    for (let i = 0; i < count; i++) {
      const number = numbers.of(sorted[(start + i) * 2]!);
      numberOf[i] = number;
      fill[number + 1]!++;
    }
    for (let number = 0; number < numbers.count; number++) fill[number + 1]! += fill[number]!;
    for (let i = 0; i < count; i++) grouped[fill[numberOf[i]!]!++] = sorted[(start + i) * 2 + 1]!;
    let from = 0;
    for (const [number, term] of numbers.terms.subarray(0, numbers.count).entries()) {
      const end = fill[number]!;
      inOrder(grouped, from, end);
      writer.label(term);
      writer.write(grouped, from, end);
      from = end;
    }
    return writer.take();
  }
}
