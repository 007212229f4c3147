// The term dictionary of a site: numbers its words, so that a post is a row of small numbers instead of text.
// A word is known by its two hashes (64 bits): no word is ever stored as a string.

import type { SnapshotPart } from './snapshotPart.ts';
import { uint32At } from './typedReads.ts';

/** How full the slots of the first table are before it doubles, and those of the last: they grow one after another. */
const LEAST_LOAD = 0.4;
const MOST_LOAD = 0.8;
/** Two to this power tables, each growing by itself: no growth holds up the event loop for long. */
const SHARD_BITS = 6;
/**
 * Two to this power words met lately, which most words of a text are: they are found without a look at a large table.
 */
const LATELY_BITS = 12;

interface Shard {
  high: Uint32Array;
  low: Uint32Array;
  /** Number of the word plus one; 0 where a slot is free. */
  ids: Uint32Array;
  used: number;
  load: number;
}

export class TermDictionary {
  /** Words so far; numbers run from 0. */
  size = 0;
  private readonly shards: Shard[] = Array.from({ length: 1 << SHARD_BITS }, (_, shard) =>
    newShard(64, LEAST_LOAD * (MOST_LOAD / LEAST_LOAD) ** (shard / (1 << SHARD_BITS))),
  );

  /** By some bits of the word: its hashes, and its number plus one. */
  private readonly lately = new Uint32Array(3 << LATELY_BITS);

  /** Number of a word, given to it when first met. The most frequent words are met first and so have the smallest. */
  number(high: number, low: number): number {
    const { lately } = this;
    const at = (Math.imul(low, 0x9e3779b1) >>> (32 - LATELY_BITS)) * 3;
    const known = uint32At(lately, at + 2);
    if (lately[at] === high && lately[at + 1] === low && known !== 0) return known - 1;
    const number = this.lookUp(high, low);
    lately[at] = high;
    lately[at + 1] = low;
    lately[at + 2] = number + 1;
    return number;
  }

  private lookUp(high: number, low: number): number {
    const shard = this.shardOf(high);
    const slot = findSlot(shard, high, low);
    const known = uint32At(shard.ids, slot);
    if (known !== 0) return known - 1;
    shard.high[slot] = high;
    shard.low[slot] = low;
    shard.ids[slot] = ++this.size;
    shard.used++;
    if (shard.used > shard.ids.length * shard.load) this.shards[high >>> (32 - SHARD_BITS)] = grown(shard);
    return this.size - 1;
  }

  /** Number of a word met before, or -1. */
  find(high: number, low: number): number {
    const shard = this.shardOf(high);
    return uint32At(shard.ids, findSlot(shard, high, low)) - 1;
  }

  private shardOf(high: number): Shard {
    const shard = this.shards[high >>> (32 - SHARD_BITS)];
    if (shard === undefined) throw new RangeError(`No shard has the words of ${high}.`);
    return shard;
  }

  *snapshot(): Generator<SnapshotPart> {
    for (const [at, { high, low, ids, used }] of this.shards.entries()) {
      yield { name: 'words', at, arrays: [high, low, ids], facts: { used, size: this.size } };
    }
  }

  restore({ at, arrays, facts }: SnapshotPart): void {
    const [high, low, ids] = arrays as Uint32Array[];
    const { used, size } = facts as { used: number; size: number };
    Object.assign(this.shards[at]!, { high, low, ids, used });
    // Words may be added while the parts are written; the last part covers all of them.
    this.size = Math.max(this.size, size);
  }

  /** Bytes held. */
  get bytes(): number {
    return this.shards.reduce((sum, shard) => sum + shard.ids.length * 12, this.lately.byteLength);
  }
}

function newShard(size: number, load: number): Shard {
  const words = () => new Uint32Array(size);
  return { high: words(), low: words(), ids: words(), used: 0, load };
}

function findSlot(shard: Shard, high: number, low: number): number {
  const { high: highs, low: lows, ids } = shard;
  const mask = ids.length - 1;
  let slot = Math.imul(low, 0x9e3779b1) >>> 7;
  for (;;) {
    slot &= mask;
    if (ids[slot] === 0 || (lows[slot] === low && highs[slot] === high)) return slot;
    slot++;
  }
}

function grown(shard: Shard): Shard {
  const larger = newShard(shard.ids.length * 2, shard.load);
  larger.used = shard.used;
  for (let from = 0; from < shard.ids.length; from++) {
    const id = uint32At(shard.ids, from);
    if (id === 0) continue;
    const high = uint32At(shard.high, from);
    const low = uint32At(shard.low, from);
    const to = findSlot(larger, high, low);
    larger.high[to] = high;
    larger.low[to] = low;
    larger.ids[to] = id;
  }
  return larger;
}
