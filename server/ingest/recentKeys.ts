// Which events came in lately, so that one sent again is not counted again. Bounded: the oldest half is forgotten at once.
import { InDoubtError } from './durableWriter.ts';

/** A promise: being written now. */
export type KeyState = 'durable' | 'in doubt' | Promise<void>;

export interface RecentKeys {
  get(key: string): KeyState | undefined;
  /** Remembers keys while they are written, and after; forgets them when the write fails, so that they may come again. */
  remember(keys: readonly string[], written: Promise<void>): void;
  /** A key known to be durable, at start. */
  know(key: string): void;
}

/** @param capacity Keys remembered at least; at most twice as many. About 100 bytes each. */
export function createRecentKeys(capacity: number): RecentKeys {
  let young = new Map<string, KeyState>();
  let old = new Map<string, KeyState>();

  function know(key: string, state: KeyState): void {
    if (young.size >= capacity) {
      old = young;
      young = new Map();
    }
    young.set(key, state);
  }

  function become(keys: readonly string[], state: KeyState): void {
    for (const key of keys) {
      if (young.has(key)) young.set(key, state);
      else if (old.has(key)) old.set(key, state);
    }
  }

  function forget(keys: readonly string[]): void {
    for (const key of keys) {
      young.delete(key);
      old.delete(key);
    }
  }

  return {
    get: (key) => young.get(key) ?? old.get(key),
    remember(keys, written) {
      for (const key of keys) know(key, written);
      written.then(
        () => become(keys, 'durable'),
        (error: unknown) => {
          if (!(error instanceof InDoubtError)) return forget(keys);
          become(keys, 'in doubt');
          // When it never settles this process is ending, and the next one asks the engine.
          error.settled.then(
            () => become(keys, 'durable'),
            () => undefined,
          );
        },
      );
    },
    know: (key) => know(key, 'durable'),
  };
}
