// Makes the main part of an index anew from the digests, in small steps, while questions are answered from the old one:
// for a site just loaded, and when it has grown by half since. In between, `absorb.ts` does.
//
// It goes over the posts once for each group of shards: room is laid out for every term's postings, the posts fill it
// in ascending order, and the lists are written as bytes. A shard is exchanged as a whole when it is done.

import type { Digests } from './digests.ts';
import { ListWriter, packed } from './postings.ts';
import type { TermReader } from './termReader.ts';
import { SHARDS, shardNumber, slotOf, type TermShard, type TermTable } from './termTable.ts';

export interface Merging {
  table: TermTable;
  /** Bytes of the main part, by shard; exchanged one by one. */
  lists: Uint8Array[];
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
  weighed: (post: number, norm: number) => void;
}

/** Postings gathered at once at most: 4 bytes each. */
const GROUP_POSTINGS = 24_000_000;
/** Posts read between two yields, and posts told their length. */
const POSTS_A_STEP = 8;
const WEIGHED_A_STEP = 2048;

/** The room of one shard's lists while they are filled. */
interface Draft {
  keys: Uint32Array;
  posts: Uint32Array;
  /** Where the room of all begins; each slot's begins where the one before ends. */
  start: number;
  /** By slot: where the next posting goes, and where the room ends. */
  fill: Uint32Array;
  end: Uint32Array;
}

export function* merge(merging: Merging): Generator<void> {
  const squares = new Float32Array(merging.size);
  const writer = new ListWriter();
  for (let first = 0; first < SHARDS; ) {
    const drafts: Draft[] = [];
    let room = 0;
    let last = first;
    while (last < SHARDS && room < GROUP_POSTINGS) {
      const draft = draftOf(merging.table.shards[last++]!, room, merging.common);
      drafts.push(draft);
      room = draft.end.at(-1)!;
      yield;
    }
    const gathered = new Uint32Array(room);
    yield* gather(merging, { first, last, drafts, gathered, squares });
    for (let shard = first; shard < last; shard++) {
      exchange(merging, shard, { draft: drafts[shard - first]!, gathered, writer });
      yield;
    }
    first = last;
  }
  for (let post = 0; post < merging.size; post++) {
    if (merging.digests.has(post) && !merging.isNew(post)) merging.weighed(post, Math.sqrt(squares[post]!));
    if (post % WEIGHED_A_STEP === WEIGHED_A_STEP - 1) yield;
  }
}

function draftOf(shard: TermShard, start: number, common: number): Draft {
  const { keys, posts } = shard;
  const fill = new Uint32Array(keys.length);
  const end = new Uint32Array(keys.length);
  let room = start;
  for (let slot = 0; slot < keys.length; slot++) {
    fill[slot] = room;
    if (keys[slot] !== 0 && posts[slot]! <= common) room += posts[slot]!;
    end[slot] = room;
  }
  return { keys, posts, start, fill, end };
}

interface Group {
  first: number;
  last: number;
  drafts: Draft[];
  gathered: Uint32Array;
  squares: Float32Array;
}

function* gather(merging: Merging, { first, last, drafts, gathered, squares }: Group): Generator<void> {
  const { digests, reader, rarity } = merging;
  for (let post = 0; post < merging.size; post++) {
    if (post % POSTS_A_STEP === POSTS_A_STEP - 1) yield;
    if (!digests.has(post) || merging.isNew(post)) continue;
    const { terms, frequencies, count } = reader.readBetween({ first, last }, digests.place(post));
    for (let i = 0; i < count; i++) {
      const { keys, posts, fill, end } = drafts[shardNumber(terms[i]!) - first]!;
      const slot = slotOf({ keys }, terms[i]!);
      const known = keys[slot] !== 0;
      squares[post]! += frequencies[i]! * rarity(known ? Math.max(1, posts[slot]!) : 1) ** 2;
      if (known && fill[slot]! < end[slot]!) gathered[fill[slot]!++] = packed(post, frequencies[i]!);
    }
  }
}

function exchange(
  { table, lists, exchanged }: Merging,
  number: number,
  { draft, gathered, writer }: { draft: Draft; gathered: Uint32Array; writer: ListWriter },
): void {
  const { keys, fill, end } = draft;
  const shard = table.shards[number]!;
  let { start } = draft;
  for (let slot = 0; slot < keys.length; slot++) {
    const key = keys[slot]!;
    // The shard may have grown since the draft was made.
    if (key !== 0) {
      shard.heads[slotOf(shard, key)] = fill[slot]! > start ? writer.write(gathered, start, fill[slot]!) : 0;
    }
    start = end[slot]!;
  }
  lists[number] = writer.take();
  exchanged(number + 1);
}
