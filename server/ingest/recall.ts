// A bounded memory of answers. Unlike a list of what was used last it does nothing when something is found, which is nearly always:
// the older half is forgotten at once, but for what was asked for since.

export interface Recall<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** @param capacity Answers remembered at most; null is one, too. */
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
