// Runs work on the same key in sequence and on different keys in parallel: two writes to a post never lose a field.

export interface KeyedQueue {
  /** Runs after everything queued under this key before. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is queued any more. */
  idle(): Promise<void>;
}

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      // A failure before it is reported to its own caller.
      const mine = before.then(work, work);
      last.set(key, mine);
      const done = () => {
        if (last.get(key) === mine) last.delete(key);
      };
      mine.then(done, done);
      return mine;
    },
    async idle() {
      while (last.size > 0) await Promise.allSettled(last.values());
    },
  };
}
