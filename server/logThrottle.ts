// Bounds how often the log repeats a line about a lasting state, such as a full disk or a database that is away.

export interface LogThrottle {
  /**
   * @param reason A line with another reason than the last one of its key is always written. Default: none.
   * @returns How many lines were left out since the last one of this key and reason; undefined: leave this one out.
   */
  pass(key: string, reason?: string): number | undefined;
}

/**
 * @param pauseMs Shortest time between two lines of a key, in milliseconds.
 * @param clock Monotonic milliseconds.
 */
export function createLogThrottle(pauseMs: number, clock: () => number): LogThrottle {
  const last = new Map<string, { reason: string; at: number; more: number }>();
  return {
    pass(key, reason = '') {
      const before = last.get(key);
      const isRepeated = before?.reason === reason;
      if (isRepeated && clock() - before.at < pauseMs) {
        before.more++;
        return undefined;
      }
      last.set(key, { reason, at: clock(), more: 0 });
      return isRepeated ? before.more : 0;
    },
  };
}
