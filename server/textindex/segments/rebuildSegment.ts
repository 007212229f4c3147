// Makes the main segment of an index anew, in small steps, while questions are answered from the old one: for a site
// just loaded, and when it has grown by half since. In between, `mergeMemorySegment` does.
//
// The terms of all posts come to be in a sort buffer, sorted by shard. One shard after another their postings are
// brought together and written as lists; then those that were not are counted, and the shard is exchanged as a whole.

import { at } from '../../at.ts';
import type { Catalogue } from '../catalogue.ts';
import type { ForwardIndex } from '../forwardIndex.ts';
import { ListWriter } from '../postings.ts';
import type { TermCounts } from '../termCounts.ts';
import type { TermReader } from '../termReader.ts';
import { SHARDS } from '../termTable.ts';
import { ShardDraft } from './shardDraft.ts';
import type { SortBuffer } from './sortBuffer.ts';

export interface SegmentRebuild {
  counts: TermCounts;
  /** Bytes of the main segment, by shard; exchanged one by one. */
  lists: Uint8Array[];
  /** Terms of posts that were read already; the others are read from the forward index. */
  sortBuffer: SortBuffer;
  forwardIndex: ForwardIndex;
  reader: TermReader;
  /** Posts have numbers below this. */
  size: number;
  /** Posts that came since the merge began stay where they are. */
  isNew: (post: number) => boolean;
  /** Terms in more posts than this get no list. */
  common: number;
  rarity: (posts: number) => number;
  /** Called when a shard's new lists count. */
  exchanged: (shards: number) => void;
  /** Given the length of every merged post's vector at the end. */
  catalogue: Catalogue;
}

/** Posts read between two yields, and posts looked at or weighed. */
const POSTS_A_STEP = 8;
const LOOKED_AT_A_STEP = 2048;
/**
 * Of a shard, postings written between two yields: a part of those that are sorted at once; and what a term costs
 * beside its own.
 */
const STEPS_A_ROOM = 128;
const POSTINGS_A_TERM = 8;

export function* rebuildSegment(rebuild: SegmentRebuild): Generator<void> {
  yield* complete(rebuild);
  const work = new Exchange(rebuild);
  for (let shard = 0; shard < SHARDS; shard++) {
    work.draft.gather(rebuild.sortBuffer.take(shard));
    yield;
    yield* exchange(rebuild, shard, work);
    yield;
  }
  const { squares } = work;
  const { catalogue, forwardIndex, isNew } = rebuild;
  for (let post = 0; post < rebuild.size; post++) {
    if (forwardIndex.has(post) && !isNew(post)) catalogue.weigh(post, Math.sqrt(squares[post]!));
    if (post % LOOKED_AT_A_STEP === LOOKED_AT_A_STEP - 1) yield;
  }
}

/** Reads the posts that are not in the sort buffer yet, and sorts all. */
function* complete({ sortBuffer, forwardIndex, reader, size, isNew }: SegmentRebuild): Generator<void> {
  let read = 0;
  for (let post = 0; post < size; post++) {
    if (post % LOOKED_AT_A_STEP === LOOKED_AT_A_STEP - 1) yield;
    if (!forwardIndex.has(post) || sortBuffer.posts.has(post) || isNew(post)) continue;
    sortBuffer.enter(post, reader.read(forwardIndex.place(post)));
    if (++read % POSTS_A_STEP === 0) yield;
    if (sortBuffer.full) yield* sortBuffer.sort();
  }
  yield* sortBuffer.sort();
}

/**
 * Writes the lists of a shard in steps, then exchanges it at once. What changed meanwhile would be missing: then it is
 * all done at once.
 */
function* exchange(rebuild: SegmentRebuild, number: number, work: Exchange): Generator<void> {
  const { forwardIndex } = rebuild;
  const { changes } = forwardIndex;
  work.squaresBefore.set(work.squares);
  yield* writeLists(rebuild, work);
  if (forwardIndex.changes !== changes) {
    work.writer.take();
    work.squares.set(work.squaresBefore);
    for (const _ of writeLists(rebuild, work));
  }
  takeOver(rebuild, number, work);
}

function* writeLists(rebuild: SegmentRebuild, work: Exchange): Generator<void> {
  const { counts, common, rarity, sortBuffer } = rebuild;
  const { draft, writer, squares, uncounted } = work;
  work.reserve(draft.count);
  let since = 0;
  for (let at = 0; at < draft.count; at++) {
    const term = draft.termOf(at);
    const { list, end, marked } = draft.collect(at, uncounted);
    const posts = counts.withMore(term, marked);
    addSquares(squares, draft.collected, rarity(Math.max(1, posts)) ** 2);
    work.marked[at] = marked;
    work.heads[at] = posts >= 0 && end > 0 && posts <= common ? writer.write(list, 0, end) : 0;
    since += end + POSTINGS_A_TERM;
    if (since < sortBuffer.room / STEPS_A_ROOM) continue;
    since = 0;
    yield;
  }
}

function takeOver(
  { counts, lists, exchanged }: SegmentRebuild,
  number: number,
  { draft, writer, heads, marked }: Exchange,
): void {
  at(counts.table.shards, number).heads.fill(0);
  for (let i = 0; i < draft.count; i++) {
    const term = draft.termOf(i);
    const posts = marked[i]!;
    const head = heads[i]!;
    if (posts > 0) counts.countMany(term, posts);
    if (head > 0) counts.table.place(term, head);
  }
  lists[number] = writer.take();
  exchanged(number + 1);
}

/** Adds frequency × square for each posting. Of its own: what is called for every term is soon compiled. */
function addSquares(squares: Float64Array, { list, end }: ShardDraft['collected'], square: number): void {
  for (let i = 0; i < end; i++) squares[list[i]! >>> 8]! += (list[i]! & 255) * square;
}

class Exchange {
  readonly draft: ShardDraft;
  readonly writer = new ListWriter();
  /** By post: 1 where its terms are not counted yet. */
  readonly uncounted: Uint8Array;
  /** By post: the square of its vector's length so far; and so far as the shards before have it. */
  readonly squares: Float64Array;
  readonly squaresBefore: Float64Array;
  /** By number of the shard's term: where its list begins (0: it gets none), and posts that are counted with it. */
  heads = new Uint32Array(0);
  marked = new Uint32Array(0);

  constructor({ forwardIndex, size, sortBuffer }: SegmentRebuild) {
    this.draft = new ShardDraft(forwardIndex);
    this.squares = new Float64Array(size);
    this.squaresBefore = new Float64Array(size);
    this.uncounted = new Uint8Array(size);
    this.uncounted.set(sortBuffer.uncounted.subarray(0, size));
  }

  reserve(terms: number): void {
    if (this.heads.length >= terms) return;
    this.heads = new Uint32Array(terms * 2);
    this.marked = new Uint32Array(terms * 2);
  }
}
