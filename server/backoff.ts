// Pauses, and work that is repeated after pauses that grow (exponential backoff). All pauses end early when the process
// ends, or when their owner says so.

export interface Pauses {
  /**
   * Resolves after so many milliseconds, or earlier: with `endAll`, or by the function that `begun` is called with.
   * Resolves at once after `close`.
   */
  pause(ms: number, begun?: (end: () => void) => void): Promise<void>;
  endAll(): void;
  /** Ends all pauses, and those to come. */
  close(): void;
  isClosed(): boolean;
}

export function createPauses(): Pauses {
  const ends = new Set<() => void>();
  let closed = false;

  function endAll(): void {
    for (const end of ends) end();
  }

  return {
    pause(ms, begun) {
      if (closed) return Promise.resolve();
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          ends.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        ends.add(end);
        begun?.(end);
      });
    },
    endAll,
    close() {
      closed = true;
      endAll();
    },
    isClosed: () => closed,
  };
}

export interface BackoffOptions {
  pauses: Pick<Pauses, 'pause' | 'isClosed'>;
  /** First and longest pause, in milliseconds; each is twice the one before. */
  retryMs: readonly [first: number, longest: number];
  /** Called after each failure. */
  onFailure?: () => void;
}

/**
 * Repeats work with exponential backoff. Resolves when it succeeds.
 * @throws what it throws last, when the pauses are closed.
 */
export async function retryWithBackoff<T>(
  work: () => Promise<T>,
  { pauses, retryMs: [first, longest], onFailure }: BackoffOptions,
): Promise<T> {
  for (let pause = first; ; pause = Math.min(pause * 2, longest)) {
    try {
      return await work();
    } catch (error) {
      onFailure?.();
      if (pauses.isClosed()) throw error;
      await pauses.pause(pause);
      if (pauses.isClosed()) throw error;
    }
  }
}
