// Which interval of a series a row of traffic is in, as SQL: a place, from 0. Intervals of one length that follow one
// another are a division; mostly all of them are, since few periods have a change of clocks.
import type { Bindings } from './bindings.ts';
import { isWithinDays, type Span } from './intervals.ts';
import type { Period } from './period.ts';
import { dayOf } from './zone.ts';

/** SQL that gives the place of a row. */
export interface Placing {
  /** @param instant SQL of epoch milliseconds. */
  ofTime(instant: string): string;
  ofEvent: string;
  /** Of a roll-up by day. Absent where intervals are shorter. */
  ofDay?: string;
}

/** Of a UInt16, which holds MAX_INTERVALS, the engine groups by an array and not by a hash table. */
const asPlace = (sql: string | number): string => `toUInt16(${sql})`;

/** Place of everything in a series of one interval. */
export const FIRST_PLACE = asPlace(0);

/** @param intervals Not empty. */
export function placingOf(
  { intervals, interval, zone }: { intervals: readonly Period[]; interval: Span; zone: string },
  bind: Bindings,
): Placing {
  if (interval === 'period') return { ofTime: () => FIRST_PLACE, ofEvent: FIRST_PLACE, ofDay: FIRST_PLACE };
  const runs = runsOf(intervals);
  const ofTime = (instant: string) => divide(runs, instant, bind);
  if (isWithinDays(interval)) return { ofTime, ofEvent: ofTime('time') };
  // By the day that is stored with an event, as roll-ups have it, also after a change of the site's zone.
  const first = bind.add(dayOf(intervals[0]!.start, zone), 'Date');
  const unit = interval === 'month' ? 'month' : 'day';
  const since = asPlace(`dateDiff('${unit}', ${first}, day)`);
  const ofDay = interval === 'week' ? `intDiv(${since}, 7)` : since;
  return { ofTime, ofEvent: ofDay, ofDay };
}

/** Intervals of one length, one after the other. */
interface Run {
  start: number;
  /** Of each interval, in milliseconds. */
  length: number;
  /** Of the first one. */
  place: number;
}

function runsOf(intervals: readonly Period[]): Run[] {
  const runs: Run[] = [];
  intervals.forEach(({ start, end }, place) => {
    const length = end - start + 1;
    if (runs.at(-1)?.length !== length) runs.push({ start, length, place });
  });
  return runs;
}

function divide(runs: readonly Run[], instant: string, bind: Bindings): string {
  const places = runs.map(({ start, length, place }) => {
    const from = bind.add(start, 'Int64');
    return { from, place: asPlace(`${place} + intDiv(toInt64(${instant}) - ${from}, ${length})`) };
  });
  const [first, ...later] = places;
  if (later.length === 0) return first!.place;
  const branches = later.reverse().map(({ from, place }) => `${instant} >= ${from}, ${place}`);
  return `multiIf(${branches.join(', ')}, ${first!.place})`;
}
