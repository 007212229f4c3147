// Cuts a period into whole days of the site, which roll-ups answer, and the edges around them, which only events can.
import type { Period } from './period.ts';
import { addDays, dayOf, startOfDay } from './zone.ts';

/** Days as `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  first: string;
  last: string;
}

/** A stretch of time with the days it touches: events are found by day, then told apart by time. */
export interface Edge extends DayRange, Period {}

export interface Cut {
  days: DayRange | undefined;
  edges: Edge[];
}

/** Days, then what is left: together exactly the period. A period that ends before it starts is nothing. */
export function cutPeriod({ start, end }: Period, zone: string): Cut {
  if (start > end) return { days: undefined, edges: [] };
  const firstDay = dayOf(start, zone);
  const lastDay = dayOf(end, zone);
  const first = startOfDay(firstDay, zone) >= start ? firstDay : addDays(firstDay, 1);
  const last = startOfDay(addDays(lastDay, 1), zone) - 1 <= end ? lastDay : addDays(lastDay, -1);
  if (first > last) return { days: undefined, edges: [{ first: firstDay, last: lastDay, start, end }] };

  const edges: Edge[] = [];
  if (first !== firstDay) {
    edges.push({ first: firstDay, last: firstDay, start, end: startOfDay(first, zone) - 1 });
  }
  if (last !== lastDay) {
    edges.push({ first: lastDay, last: lastDay, start: startOfDay(lastDay, zone), end });
  }
  return { days: { first, last }, edges };
}

/** The whole period as one edge: for what no roll-up knows. */
export function asEdge({ start, end }: Period, zone: string): Cut {
  if (start > end) return { days: undefined, edges: [] };
  return { days: undefined, edges: [{ first: dayOf(start, zone), last: dayOf(end, zone), start, end }] };
}
