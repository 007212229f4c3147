// Work on the same thing one after another, on different things side by side: two writes to a post never lose a field.

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
      // Whether the one before failed is its own caller's matter.
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
