// Terms with two numbers each, in open-addressed typed arrays: no object and no string per term. Split in shards by the
// term's first bits; each grows by itself, and not all at the same time, so growing never holds up the event loop.

import { uint32At } from './typedReads.ts';

const SHARD_BITS = 9;
export const SHARDS = 1 << SHARD_BITS;
/** Slots are at most this full; a shard that is grows by half. */
const LOAD = 0.6;
const GROWTH = 1.5;
const FIRST_SLOTS = 8;

export interface TermShard {
  /** Term of each slot; 0 where it is free (term 0 is kept as 1). */
  keys: Uint32Array;
  /** In how many posts the term stands. */
  posts: Uint32Array;
  /** Where its postings begin; 0: it has none here. */
  heads: Uint32Array;
  used: number;
}

export const shardNumber = (term: number): number => term >>> (32 - SHARD_BITS);

export class TermTable {
  readonly shards: TermShard[] = Array.from({ length: SHARDS }, (_, shard) => newShard(firstSize(shard)));

  shardOf(term: number): TermShard {
    const number = shardNumber(term);
    const shard = this.shards[number];
    if (shard === undefined) throw new RangeError(`There is no shard ${number}.`);
    return shard;
  }

  /** Slot of a term in its shard, made when there is none. Look the shard up again afterwards: it may have grown. */
  claim(term: number): number {
    let shard = this.shardOf(term);
    let slot = slotOf(shard, term);
    if (shard.keys[slot] !== 0) return slot;
    if (shard.used + 1 > shard.keys.length * LOAD) {
      shard = grown(shard);
      this.shards[shardNumber(term)] = shard;
      slot = slotOf(shard, term);
    }
    shard.keys[slot] = term || 1;
    shard.used++;
    return slot;
  }

  /** Sets the start of the postings of a term that has a slot. */
  place(term: number, head: number): void {
    const shard = this.shardOf(term);
    shard.heads[slotOf(shard, term)] = head;
  }

  /** Takes a shard back, with the terms that are kept only. */
  restore(at: number, shard: Pick<TermShard, 'keys' | 'posts' | 'heads'>, kept: (slot: number) => boolean): void {
    this.shards[at] = copied(shard, { size: shard.keys.length, kept });
  }

  has(term: number): boolean {
    const shard = this.shardOf(term);
    return shard.keys[slotOf(shard, term)] !== 0;
  }

  get bytes(): number {
    return this.shards.reduce((sum, shard) => sum + shard.keys.length * 12, 0);
  }
}

/** Where a term stands in its shard, or the free slot where it would: `keys[slot]` is 0 then. */
export function slotOf({ keys }: Pick<TermShard, 'keys'>, term: number): number {
  const { length } = keys;
  const key = term || 1;
  let slot = homeOf(key, length);
  while (keys[slot] !== 0 && keys[slot] !== key) if (++slot === length) slot = 0;
  return slot;
}

/** The first slot of a key's probe sequence. */
export const homeOf = (key: number, slots: number): number =>
  Math.floor(((Math.imul(key, 0x9e3779b1) >>> 0) / 0x100000000) * slots);

/** Shards fill alike: of different sizes, they are full one after another. */
const firstSize = (shard: number): number => Math.ceil(FIRST_SLOTS * GROWTH ** (shard / SHARDS));

function newShard(size: number): TermShard {
  return { keys: new Uint32Array(size), posts: new Uint32Array(size), heads: new Uint32Array(size), used: 0 };
}

const grown = (shard: TermShard): TermShard =>
  copied(shard, { size: Math.ceil(shard.keys.length * GROWTH), kept: () => true });

function copied(
  shard: Pick<TermShard, 'keys' | 'posts' | 'heads'>,
  { size, kept }: { size: number; kept: (slot: number) => boolean },
): TermShard {
  const copy = newShard(size);
  for (let from = 0; from < shard.keys.length; from++) {
    const key = uint32At(shard.keys, from);
    if (key === 0 || !kept(from)) continue;
    const to = slotOf(copy, key);
    copy.keys[to] = key;
    copy.posts[to] = uint32At(shard.posts, from);
    copy.heads[to] = uint32At(shard.heads, from);
    copy.used++;
  }
  return copy;
}
