// Takes the memory segment of an index into its main segment, list by list, and drops the postings of posts that are
// gone: a few seconds' work at a hundred thousand posts, in steps of a millisecond or two.
//
// A term of one post only has no list. When a second post brings it, the first one's posting is missing: such orphaned
// terms are looked for in the forward index entries of the older posts first. So are those that were common, which have
// no list, and are so no longer because the site has grown.

import { at } from '../../at.ts';
import type { ForwardIndex } from '../forwardIndex.ts';
import { ListWriter, unpackList } from '../postings.ts';
import type { TermReader } from '../termReader.ts';
import { SHARDS, type TermTable } from '../termTable.ts';
import type { MemorySegment } from './memorySegment.ts';

export interface MemorySegmentMerge {
  table: TermTable;
  /** Bytes of the main segment, by shard; exchanged one by one. */
  lists: Uint8Array[];
  /** What is taken in; questions are answered from it until a shard is exchanged. */
  memorySegment: MemorySegment;
  /** Terms a post of the memory segment has in common with one older post at least, which has no posting of it. */
  orphans: TermTable;
  /** Numbers of the posts that are gone. */
  leaving: readonly number[];
  forwardIndex: ForwardIndex;
  reader: TermReader;
  /** Posts have numbers below this. */
  size: number;
  /** Posts that came since this began stay where they are. */
  isNew: (post: number) => boolean;
  /** Terms in more posts than this get no list. */
  common: number;
  /** Called when a shard's new lists count. */
  exchanged: (shards: number) => void;
}

/** Posts read between two yields. */
const POSTS_A_STEP = 8;

export function* mergeMemorySegment(merge: MemorySegmentMerge): Generator<void> {
  yield* findWithoutList(merge);
  yield* adopt(merge);
  const gone = new Uint8Array(merge.size);
  for (const post of merge.leaving) gone[post] = 1;
  const writer = new ListWriter();
  for (let shard = 0; shard < SHARDS; shard++) {
    exchange(merge, shard, { gone, writer });
    yield;
  }
}

/** Adds the terms to the orphans that are to have a list and have none, where older posts have them as well. */
function* findWithoutList({
  table,
  orphans,
  memorySegment,
  forwardIndex,
  common,
}: MemorySegmentMerge): Generator<void> {
  const has = (post: number) => forwardIndex.has(post);
  for (const { keys, posts, heads } of table.shards) {
    for (let slot = 0; slot < keys.length; slot++) {
      const inPosts = posts[slot]!;
      if (heads[slot] !== 0 || inPosts < 2 || inPosts > common) continue;
      if (memorySegment.count(keys[slot]!, has) < inPosts) orphans.claim(keys[slot]!);
    }
    yield;
  }
}

/** Gives the older posts their postings of orphaned terms. */
function* adopt({ orphans, memorySegment, forwardIndex, reader, size, isNew }: MemorySegmentMerge): Generator<void> {
  for (let post = 0; post < size; post++) {
    if (post % POSTS_A_STEP === POSTS_A_STEP - 1) yield;
    if (!forwardIndex.has(post) || memorySegment.posts.has(post) || isNew(post)) continue;
    const { terms, frequencies, count } = reader.read(forwardIndex.place(post));
    for (let i = 0; i < count; i++) if (orphans.has(terms[i]!)) memorySegment.add(terms[i]!, post, frequencies[i]!);
  }
}

function exchange(
  { table, lists, memorySegment, common, exchanged }: MemorySegmentMerge,
  number: number,
  { gone, writer }: { gone: Uint8Array; writer: ListWriter },
): void {
  const { keys, posts, heads } = at(table.shards, number);
  const written = at(lists, number);
  const list: number[] = [];
  for (let slot = 0; slot < keys.length; slot++) {
    const term = keys[slot]!;
    if (term === 0) continue;
    list.length = 0;
    if (posts[slot]! <= common) {
      if (heads[slot] !== 0) unpackList(written, heads[slot]!, list);
      const older = list.length;
      memorySegment.unpack(term, list);
      // Numbers are given again, so that a newer post may stand before an older one.
      if (list.length > older) list.sort((a, b) => a - b);
      keepLiving(list, gone);
    }
    heads[slot] = list.length > 0 ? writer.write(list, 0, list.length) : 0;
  }
  lists[number] = writer.take();
  exchanged(number + 1);
}

/** Drops removed posts and duplicates: posts found both by a merge and among the orphans. */
function keepLiving(list: number[], gone: Uint8Array): void {
  let kept = 0;
  let before = -1;
  for (const posting of list) {
    const post = posting >>> 8;
    if (gone[post] === 1 || post === before) continue;
    list[kept++] = posting;
    before = post;
  }
  list.length = kept;
}
