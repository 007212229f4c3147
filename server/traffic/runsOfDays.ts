// Days of which something is kept under the number of a run: caused views and hours.
import type { Bindings } from './bindings.ts';

/** A day, and the run whose rows count of it. */
export interface RunOfDay {
  day: string;
  run: string;
}

/**
 * Conditions on `day` and `run`. Two days may have runs of the same number: the run of a row is compared with that of
 * its own day. By the other conditions the primary key is searched.
 */
export function ofRuns(days: readonly RunOfDay[], bind: Bindings): string[] {
  const dates = bind.add(
    days.map(({ day }) => day),
    'Array(Date)',
  );
  const runs = bind.add(
    days.map(({ run }) => BigInt(run)),
    'Array(UInt64)',
  );
  return [`day IN ${dates}`, `run IN ${runs}`, `run = arrayElement(${runs}, indexOf(${dates}, day))`];
}
