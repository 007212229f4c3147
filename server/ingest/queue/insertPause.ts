// The rule of the pauses between inserts. An insert costs the engine nearly as much for a thousand events as for ten
// thousand: for small ones that follow one another at once it would be at work all the time.
//
// - Inserts start `intervalMs` apart at least; where they take long, the pause is as long as the insert took, at most
//   `intervalMs`. Before and after a large one no pause is due.
// - While the traffic is busy the pause is as long as the insert took, at least `busyRestMs`: the processor is left
//   to the doors and to readers, and the next insert takes more events at once.
// - With more than `waitingEvents` in the log there is no such rest.
import { INGEST_LIMITS } from '../limits.ts';

export interface InsertDone {
  events: number;
  tookMs: number;
  /** Of the next file; 0 where there is none. */
  nextEvents: number;
  /** Of all files. */
  waitingEvents: number;
  isBusy: boolean;
  /** Between the starts of two small inserts. */
  intervalMs: number;
}

export interface InsertPause {
  ms: number;
  /** Whether it ends when the next file becomes large. */
  endsEarly: boolean;
}

export function pauseAfter({ events, tookMs, nextEvents, waitingEvents, isBusy, intervalMs }: InsertDone): InsertPause {
  if (isBusy && waitingEvents <= INGEST_LIMITS.waitingEvents)
    return { ms: Math.max(INGEST_LIMITS.busyRestMs, tookMs), endsEarly: false };
  const isLarge = Math.max(events, nextEvents) >= INGEST_LIMITS.largeInsert;
  return { ms: isLarge ? 0 : Math.max(intervalMs - tookMs, Math.min(intervalMs, tookMs)), endsEarly: true };
}

/** Whether much traffic comes: more batches in a second than a limit. It lasts until a second has passed with fewer. */
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
