// Terms with two numbers each, in open-addressed typed arrays: no object and no string per term.
// Split in shards by the term's first bits; each grows by itself, so growing never holds up the event loop.

export const SHARD_BITS = 7;
export const SHARDS = 1 << SHARD_BITS;
/** Slots are at most this full; a shard that is grows by half. */
const LOAD = 0.75;
const GROWTH = 1.5;

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
  readonly shards: TermShard[] = Array.from({ length: SHARDS }, () => newShard(8));

  shardOf(term: number): TermShard {
    return this.shards[shardNumber(term)]!;
  }

  /** Slot of a term in its shard, made when there is none. Look the shard up again afterwards: it may have grown. */
  claim(term: number): number {
    const index = shardNumber(term);
    let shard = this.shards[index]!;
    let slot = slotOf(shard, term);
    if (shard.keys[slot] !== 0) return slot;
    if (shard.used + 1 > shard.keys.length * LOAD) {
      shard = grown(shard);
      this.shards[index] = shard;
      slot = slotOf(shard, term);
    }
    shard.keys[slot] = term || 1;
    shard.used++;
    return slot;
  }

  get bytes(): number {
    return this.shards.reduce((sum, shard) => sum + shard.keys.length * 12, 0);
  }
}

/** Where a term stands in its shard, or the free slot where it would: `keys[slot]` is 0 then. */
export function slotOf({ keys }: Pick<TermShard, 'keys'>, term: number): number {
  const { length } = keys;
  const key = term || 1;
  let slot = Math.floor(((Math.imul(key, 0x9e3779b1) >>> 0) / 0x100000000) * length);
  while (keys[slot] !== 0 && keys[slot] !== key) if (++slot === length) slot = 0;
  return slot;
}

function newShard(size: number): TermShard {
  return { keys: new Uint32Array(size), posts: new Uint32Array(size), heads: new Uint32Array(size), used: 0 };
}

function grown(shard: TermShard): TermShard {
  const larger = newShard(Math.ceil(shard.keys.length * GROWTH));
  larger.used = shard.used;
  for (let from = 0; from < shard.keys.length; from++) {
    const key = shard.keys[from]!;
    if (key === 0) continue;
    const to = slotOf(larger, key);
    larger.keys[to] = key;
    larger.posts[to] = shard.posts[from]!;
    larger.heads[to] = shard.heads[from]!;
  }
  return larger;
}
