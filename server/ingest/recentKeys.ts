// Which events came in lately, so that one sent again is not counted again. Bounded: the oldest half is forgotten at once.

/** `true`: durable; a promise: being written. */
type State = true | Promise<void>;

export interface RecentKeys {
  get(key: string): State | undefined;
  /** Remembers keys while they are written, and after; forgets them when the write fails, so that they may come again. */
  remember(keys: readonly string[], written: Promise<void>): void;
  /** Keys known to be durable, at start. */
  load(keys: readonly string[]): void;
}

/** @param capacity Keys remembered at least; at most twice as many. About 100 bytes each. */
export function createRecentKeys(capacity: number): RecentKeys {
  let young = new Map<string, State>();
  let old = new Map<string, State>();

  function set(key: string, state: State): void {
    if (young.size >= capacity) {
      old = young;
      young = new Map();
    }
    young.set(key, state);
  }

  return {
    get: (key) => young.get(key) ?? old.get(key),
    remember(keys, written) {
      for (const key of keys) set(key, written);
      written.then(
        () => {
          for (const key of keys) {
            if (young.has(key)) young.set(key, true);
            else if (old.has(key)) old.set(key, true);
          }
        },
        () => {
          for (const key of keys) {
            young.delete(key);
            old.delete(key);
          }
        },
      );
    },
    load(keys) {
      for (const key of keys) set(key, true);
    },
  };
}
