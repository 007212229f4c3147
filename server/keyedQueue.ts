// Runs work on the same key in sequence and on different keys in parallel: two concurrent writes to a post keep the
// fields of both.

export interface KeyedQueue {
  /** Runs after everything queued under this key before. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Runs after everything queued under any of these keys before; what is queued under one of them later waits. */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is queued any more. */
  idle(): Promise<void>;
}

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();

  function runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    // A failure before it is reported to its own caller.
    const mine = Promise.allSettled(keys.map((key) => last.get(key))).then(work);
    for (const key of keys) last.set(key, mine);
    const done = () => {
      for (const key of keys) if (last.get(key) === mine) last.delete(key);
    };
    mine.then(done, done);
    return mine;
  }

  return {
    run: (key, work) => runAll([key], work),
    runAll,
    async idle() {
      while (last.size > 0) await Promise.allSettled(last.values());
    },
  };
}
