// A set of 64-bit keys, each with the number of the batch it came in, in flat memory: as strings in a map, half a million of them would
// keep the garbage collector busier than everything else that is done with an event.

export interface KeyTable {
  /** @returns undefined when it is not in the table. */
  get(key: string): number | undefined;
  /** @param batch At least 0, and less than 2^32 - 1. */
  set(key: string, batch: number): void;
  delete(key: string): void;
  size(): number;
}

/** Decimal digits a number holds exactly; the (at most five) before them stand apart. */
const DIGITS = 15;
const DELETED = 0xffff_ffff;

/** @param capacity Keys it is made for; twice as many places are kept, so more still fit. A key is the decimal text of 64 bits, never "0". */
export function createKeyTable(capacity: number): KeyTable {
  const places = 2 ** Math.ceil(Math.log2(capacity * 2));
  const heads = new Uint16Array(places);
  const tails = new Float64Array(places);
  const batches = new Uint32Array(places);
  let size = 0;

  /** Where the key is, or would be. */
  function find(head: number, tail: number): number {
    let at = (tail >>> 0) & (places - 1);
    while ((tails[at] !== tail || heads[at] !== head) && (tails[at] !== 0 || heads[at] !== 0))
      at = (at + 1) & (places - 1);
    return at;
  }

  const placeOf = (key: string) => find(Number(key.slice(0, -DIGITS)), Number(key.slice(-DIGITS)));
  const isEmpty = (at: number) => tails[at] === 0 && heads[at] === 0;

  return {
    get(key) {
      const at = placeOf(key);
      return isEmpty(at) || batches[at] === DELETED ? undefined : batches[at];
    },
    set(key, batch) {
      const at = placeOf(key);
      if (isEmpty(at)) {
        if (size >= places - 1) throw new RangeError('The table of keys is full.');
        heads[at] = Number(key.slice(0, -DIGITS));
        tails[at] = Number(key.slice(-DIGITS));
        size++;
      }
      batches[at] = batch;
    },
    delete(key) {
      const at = placeOf(key);
      if (!isEmpty(at)) batches[at] = DELETED;
    },
    size: () => size,
  };
}
