// A hash table of 64-bit keys, each with the number of its batch, in typed arrays: as strings in a map, half a million
// of them would cost the garbage collector more than all other work on events.
import { randomBytes } from 'node:crypto';
import type { EventKey } from './eventKey.ts';

export interface KeyTable {
  /** @returns undefined when it is not in the table. */
  get(key: EventKey): number | undefined;
  /** @param batch At least 0, and less than 2^31. */
  set(key: EventKey, batch: number): void;
  delete(key: EventKey): void;
  /** Deletes every key of a batch; scans the whole table. */
  deleteBatch(batch: number): void;
  size(): number;
}

const DELETED = -1;
/** Bits of a hash outside of its tag. The lowest bit of a tag is always set: 0 is an empty slot. */
const TAG_SHIFT = 24;

/**
 * Open addressing with linear probing. A search for a new key, as nearly every search is, reads only the tags, a byte a
 * place: they fit the processor's cache, and the keys do not.
 * @param capacity Keys it is made for; twice as many places are kept, so more still fit.
 */
export function createKeyTable(capacity: number): KeyTable {
  const bits = Math.ceil(Math.log2(capacity * 2));
  const places = 2 ** bits;
  const tags = new Uint8Array(places);
  /** Both halves of each key. */
  const keys = new Int32Array(places * 2);
  const batches = new Int32Array(places);
  // Random, so that a sender cannot choose keys that collide.
  const [add, multiply] = new Int32Array(new Uint8Array(randomBytes(8)).buffer) as unknown as [number, number];
  const odd = multiply | 1;
  let size = 0;

  const mix = (high: number, low: number) => Math.imul(Math.imul(high + add, odd) ^ low, odd);
  const tagOf = (mixed: number) => (mixed >>> TAG_SHIFT) | 1;

  /** @returns The place of the key; where it is not in the table, the complement of the place it would have. */
  function find(high: number, low: number): number {
    const mixed = mix(high, low);
    const tag = tagOf(mixed);
    let place = (mixed ^ (mixed >>> 15)) & (places - 1);
    for (;;) {
      const found = tags[place];
      if (found === 0) return ~place;
      if (found === tag && keys[place * 2] === high && keys[place * 2 + 1] === low) return place;
      place = (place + 1) & (places - 1);
    }
  }

  return {
    get({ high, low }) {
      const place = find(high, low);
      return place < 0 || batches[place] === DELETED ? undefined : batches[place];
    },
    set({ high, low }, batch) {
      const found = find(high, low);
      const place = found < 0 ? ~found : found;
      if (found < 0) {
        if (size >= places - 1) throw new RangeError('The table of keys is full.');
        tags[place] = tagOf(mix(high, low));
        keys[place * 2] = high;
        keys[place * 2 + 1] = low;
        size++;
      }
      batches[place] = batch;
    },
    delete({ high, low }) {
      const place = find(high, low);
      if (place >= 0) batches[place] = DELETED;
    },
    deleteBatch(batch) {
      for (let place = 0; place < places; place++) {
        if (batches[place] === batch && tags[place] !== 0) batches[place] = DELETED;
      }
    },
    size: () => size,
  };
}
