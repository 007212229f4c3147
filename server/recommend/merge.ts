// Makes the main part of an index anew, in small steps, while questions are answered from the old one: for a site just loaded,
// and when it has grown by half since. In between, `absorb.ts` does.
//
// The terms of all posts come to be in a stock, sorted by shard. One shard after another their postings are brought together and
// written as lists, and those that were not are counted; then the shard is exchanged as a whole.

import type { Catalogue } from './catalogue.ts';
import type { Digests } from './digests.ts';
import { ListWriter } from './postings.ts';
import { ShardDraft } from './shardDraft.ts';
import type { Stock } from './stock.ts';
import type { TermCounts } from './termCounts.ts';
import type { TermReader } from './termReader.ts';
import { SHARDS, slotOf } from './termTable.ts';

export interface Merging {
  counts: TermCounts;
  /** Bytes of the main part, by shard; exchanged one by one. */
  lists: Uint8Array[];
  /** Terms of posts that were read already; the others are read from their digests. */
  stock: Stock;
  digests: Digests;
  reader: TermReader;
  /** Posts have numbers below this. */
  size: number;
  /** Posts that came since the merge began stay where they are. */
  isNew: (post: number) => boolean;
  /** Terms in more posts than this get no list. */
  common: number;
  rarity: (posts: number) => number;
  /** Told when a shard's new lists count. */
  exchanged: (shards: number) => void;
  /** Told the length of every merged post's vector at the end. */
  catalogue: Catalogue;
}

/** Posts read between two yields, and posts looked at or told their length. */
const POSTS_A_STEP = 8;
const LOOKED_AT_A_STEP = 2048;

export function* merge(merging: Merging): Generator<void> {
  yield* complete(merging);
  const squares = new Float64Array(merging.size);
  const draft = new ShardDraft(merging.digests);
  const writer = new ListWriter();
  const uncounted = new Uint8Array(merging.size);
  uncounted.set(merging.stock.uncounted.subarray(0, merging.size));
  for (let shard = 0; shard < SHARDS; shard++) {
    draft.gather(merging.stock.take(shard));
    yield;
    exchange(merging, shard, { draft, writer, squares, uncounted });
    yield;
  }
  const { catalogue, digests, isNew } = merging;
  for (let post = 0; post < merging.size; post++) {
    if (digests.has(post) && !isNew(post)) catalogue.weigh(post, Math.sqrt(squares[post]!));
    if (post % LOOKED_AT_A_STEP === LOOKED_AT_A_STEP - 1) yield;
  }
}

/** Reads the posts that are not in the stock yet, and sorts all. */
function* complete({ stock, digests, reader, size, isNew }: Merging): Generator<void> {
  let read = 0;
  for (let post = 0; post < size; post++) {
    if (post % LOOKED_AT_A_STEP === LOOKED_AT_A_STEP - 1) yield;
    if (!digests.has(post) || stock.posts.has(post) || isNew(post)) continue;
    stock.enter(post, reader.read(digests.place(post)));
    if (++read % POSTS_A_STEP === 0) yield;
    if (stock.full) yield* stock.sort();
  }
  yield* stock.sort();
}

/** Writes the lists of a shard, and exchanges it. */
function exchange(merging: Merging, number: number, { draft, writer, squares, uncounted }: Exchange): void {
  const { counts, lists, common, rarity, exchanged } = merging;
  counts.table.shards[number]!.heads.fill(0);
  for (let at = 0; at < draft.count; at++) {
    const term = draft.termOf(at);
    const { list, end, marked } = draft.collect(at, uncounted);
    if (marked > 0) counts.countMany(term, marked);
    const { keys, posts, heads } = counts.table.shards[number]!;
    const slot = slotOf({ keys }, term);
    const known = keys[slot] !== 0;
    addSquares(squares, draft.collected, rarity(known ? Math.max(1, posts[slot]!) : 1) ** 2);
    if (known && end > 0 && posts[slot]! <= common) heads[slot] = writer.write(list, 0, end);
  }
  lists[number] = writer.take();
  exchanged(number + 1);
}

/** Adds frequency × square for each posting. Of its own: what is called for every term is soon compiled. */
function addSquares(squares: Float64Array, { list, end }: ShardDraft['collected'], square: number): void {
  for (let i = 0; i < end; i++) squares[list[i]! >>> 8]! += (list[i]! & 255) * square;
}

interface Exchange {
  draft: ShardDraft;
  writer: ListWriter;
  /** By post: 1 where its terms are not counted yet. */
  uncounted: Uint8Array;
  /** By post: the square of its vector's length so far. */
  squares: Float64Array;
}
