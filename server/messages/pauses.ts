// Notices when this process did not run for a while: the machine slept, its virtual machine was paused, or the wall
// clock was set. Which views came meanwhile is not known.
import { MINUTE } from '../durations.ts';

/** `look` is to be called this often. */
export const NOTICE_MS = 10_000;
/** A loaded machine is late by less. */
const PAUSE_MS = MINUTE;

export interface Pauses {
  /** Notices a pause that has just ended. */
  look(): void;
  /**
   * End of the last pause since the first `look`, in epoch milliseconds; -Infinity where there was none. It looks
   * itself: what is due after a pause may come before the next look.
   */
  lastEnd(): number;
}

/** @param now Epoch milliseconds: the monotonic clock stands still while a machine sleeps. */
export function createPauses(now: () => number): Pauses {
  let looked: number | undefined;
  let end = Number.NEGATIVE_INFINITY;

  function look(): void {
    const time = now();
    if (looked !== undefined && Math.abs(time - looked) > PAUSE_MS) end = time;
    looked = time;
  }

  return {
    look,
    lastEnd() {
      if (looked !== undefined) look();
      return end;
    },
  };
}
