// Pauses of the writer. All of them end early when the process ends, or when events are to be kept in the log alone.

export interface Rests {
  /**
   * Resolves after so many milliseconds, or earlier: with `endAll`, or by the function that `begun` is called with.
   * Resolves at once after `close`.
   */
  rest(ms: number, begun?: (end: () => void) => void): Promise<void>;
  endAll(): void;
  /** Ends all pauses, and those to come. */
  close(): void;
  isClosed(): boolean;
}

export function createRests(): Rests {
  const ends = new Set<() => void>();
  let closed = false;

  function endAll(): void {
    for (const end of ends) end();
  }

  return {
    rest(ms, begun) {
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
