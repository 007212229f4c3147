// Whether much traffic comes: more batches in a second than a limit. It lasts until a second has passed with fewer.

export interface TrafficMeter {
  /** Counts batches that came now. */
  count(batches: number): void;
  isBusy(): boolean;
}

const WINDOW_MS = 1_000;

/** @param perSecond Limit. @param clock Monotonic milliseconds. */
export function createTrafficMeter(perSecond: number, clock: () => number): TrafficMeter {
  let began = clock();
  let current = 0;
  let previous = 0;

  function advance(): void {
    const passed = clock() - began;
    if (passed < WINDOW_MS) return;
    previous = passed < 2 * WINDOW_MS ? current : 0;
    current = 0;
    began += passed - (passed % WINDOW_MS);
  }

  return {
    count(batches) {
      advance();
      current += batches;
    },
    isBusy() {
      advance();
      return current > perSecond || previous > perSecond;
    },
  };
}
