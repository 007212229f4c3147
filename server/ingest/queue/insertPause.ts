// The rule of the pauses between inserts. An insert costs the engine nearly as much for a thousand events as for ten
// thousand, and more small inserts a second would leave it too many parts to merge.
//
// - Inserts start `intervalMs` apart at least; before and after a large one no pause is due.
// - While the traffic is busy the engine rests as long as the insert took, at least `busyRestMs`: the processor is left
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
  return { ms: isLarge ? 0 : Math.max(0, intervalMs - tookMs), endsEarly: true };
}
