// An LRU cache of two generations: a hit in the younger one, which nearly every look-up is, changes nothing, where a
// linked list would be reordered. When the younger one is full, it becomes the older one, and what was not read since
// is dropped.

export interface Recall<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** @param capacity Values at most; null is a value, too. */
export function createRecall<Value extends object | null>(capacity: number): Recall<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  function set(key: string, value: Value): void {
    if (young.size >= capacity / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get(key) {
      const known = young.get(key);
      if (known !== undefined) return known;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
  };
}
