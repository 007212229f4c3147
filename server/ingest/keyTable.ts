// A set of 64-bit keys, each with the number of the batch it came in, in flat memory: as strings in a map, half a million of them would
// keep the garbage collector busier than everything else that is done with an event.
import { randomBytes } from 'node:crypto';
import type { EventKey } from './eventKey.ts';

export interface KeyTable {
  /** @returns undefined when it is not in the table. */
  get(key: EventKey): number | undefined;
  /** @param batch At least 0, and less than 2^31. */
  set(key: EventKey, batch: number): void;
  delete(key: EventKey): void;
  /** Takes every key of a batch out; looks at the whole table. */
  deleteBatch(batch: number): void;
  size(): number;
}

/** Both halves of a key, its batch, and nothing: a place lies in one line of the processor's cache. */
const WIDTH = 4;
const BATCH = 2;
const DELETED = -1;

/** @param capacity Keys it is made for; twice as many places are kept, so more still fit. */
export function createKeyTable(capacity: number): KeyTable {
  const bits = Math.ceil(Math.log2(capacity * 2));
  const places = 2 ** bits;
  const table = new Int32Array(places * WIDTH);
  // Whoever makes up events must not know which of them meet in one place.
  const [add, multiply] = new Int32Array(new Uint8Array(randomBytes(8)).buffer) as unknown as [number, number];
  const odd = multiply | 1;
  let size = 0;

  /** Where the key is, or would be. */
  function find(high: number, low: number): number {
    const mixed = Math.imul(Math.imul(high + add, odd) ^ low, odd);
    let place = (mixed ^ (mixed >>> 15)) & (places - 1);
    for (;;) {
      const at = place * WIDTH;
      if ((table[at] === high && table[at + 1] === low) || isEmpty(at)) return at;
      place = (place + 1) & (places - 1);
    }
  }

  const isEmpty = (at: number) => table[at] === 0 && table[at + 1] === 0;

  return {
    get({ high, low }) {
      const at = find(high, low);
      return isEmpty(at) || table[at + BATCH] === DELETED ? undefined : table[at + BATCH];
    },
    set({ high, low }, batch) {
      const at = find(high, low);
      if (isEmpty(at)) {
        if (size >= places - 1) throw new RangeError('The table of keys is full.');
        table[at] = high;
        table[at + 1] = low;
        size++;
      }
      table[at + BATCH] = batch;
    },
    delete({ high, low }) {
      const at = find(high, low);
      if (!isEmpty(at)) table[at + BATCH] = DELETED;
    },
    deleteBatch(batch) {
      for (let at = 0; at < table.length; at += WIDTH) {
        if (table[at + BATCH] === batch && !isEmpty(at)) table[at + BATCH] = DELETED;
      }
    },
    size: () => size,
  };
}
