// Terms of a site with two numbers each, in open-addressed typed arrays: no object and no string per term.
// Split in shards that grow by themselves, so growing never holds up the event loop.

const SHARD_BITS = 7;
/** Slots are at most this full. */
const LOAD = 0.7;

export interface TermShard {
  /** Term of each slot; 0 where it is free (term 0 is kept as 1). */
  keys: Uint32Array;
  /** In how many posts the term stands. */
  posts: Uint32Array;
  /** Where its postings begin. */
  heads: Uint32Array;
  used: number;
}

export class TermTable {
  private readonly shards: TermShard[] = Array.from({ length: 1 << SHARD_BITS }, () => newShard(16));

  /** The shard a term belongs to; ask it for the slot with `slotOf`. */
  shardOf(term: number): TermShard {
    return this.shards[term >>> (32 - SHARD_BITS)]!;
  }

  /** Slot of a term in its shard, made when there is none. Look the shard up again afterwards: it may have grown. */
  claim(term: number): number {
    const index = term >>> (32 - SHARD_BITS);
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

  /** In how many posts a term stands. */
  postsWith(term: number): number {
    const shard = this.shardOf(term);
    return shard.posts[slotOf(shard, term)]!;
  }

  get bytes(): number {
    return this.shards.reduce((sum, shard) => sum + shard.keys.length * 12, 0);
  }
}

/** Where a term stands in its shard, or the free slot where it would: `keys[slot]` is 0 then. */
export function slotOf(shard: TermShard, term: number): number {
  const { keys } = shard;
  const mask = keys.length - 1;
  const key = term || 1;
  let slot = key & mask;
  while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
  return slot;
}

function newShard(size: number): TermShard {
  return { keys: new Uint32Array(size), posts: new Uint32Array(size), heads: new Uint32Array(size), used: 0 };
}

function grown(shard: TermShard): TermShard {
  const larger = newShard(shard.keys.length * 2);
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
