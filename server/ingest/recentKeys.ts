// Which events came in lately, so that one sent again is not counted again. Bounded: the oldest half is forgotten at once.
import { InDoubtError } from './durableWriter.ts';
import { createKeyTable } from './keyTable.ts';

/** A promise: being written now. */
export type KeyState = 'durable' | 'in doubt' | Promise<void>;

/** The batch of what was durable before this process. */
const DURABLE = 0;
/** Numbers come round again; by then the keys of the first batches are long forgotten. */
const MOST_BATCHES = 2 ** 31;

export interface RecentKeys {
  get(key: string): KeyState | undefined;
  /** Remembers keys while they are written, and after; forgets them when the write fails, so that they may come again. */
  remember(keys: readonly string[], written: Promise<void>): void;
  /** A key known to be durable, at start. */
  know(key: string): void;
}

/** @param capacity Keys remembered at least; at most twice as many. About 60 bytes each, taken at once. */
export function createRecentKeys(capacity: number): RecentKeys {
  let young = createKeyTable(capacity);
  let old = createKeyTable(capacity);
  /** Batches that are not durable yet, by number. */
  const underWay = new Map<number, KeyState>();
  let last = 0;

  function know(key: string, batch: number): void {
    if (young.size() >= capacity) {
      old = young;
      young = createKeyTable(capacity);
    }
    young.set(key, batch);
  }

  function forget(keys: readonly string[]): void {
    for (const key of keys) {
      young.delete(key);
      old.delete(key);
    }
  }

  return {
    get(key) {
      const batch = young.get(key) ?? old.get(key);
      return batch === undefined ? undefined : (underWay.get(batch) ?? 'durable');
    },
    remember(keys, written) {
      if (keys.length === 0) return;
      last = (last % MOST_BATCHES) + 1;
      const batch = last;
      underWay.set(batch, written);
      for (const key of keys) know(key, batch);
      const durable = () => {
        underWay.delete(batch);
      };
      written.then(durable, (error: unknown) => {
        if (!(error instanceof InDoubtError)) {
          underWay.delete(batch);
          return forget(keys);
        }
        underWay.set(batch, 'in doubt');
        // When it never settles this process is ending, and the next one asks the engine.
        error.settled.then(durable, () => undefined);
      });
    },
    know: (key) => know(key, DURABLE),
  };
}
