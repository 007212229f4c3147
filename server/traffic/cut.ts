// Cuts a period into whole days of the site, which roll-ups answer, and the edges around them, which only events can.
import { QUARTER } from '../durations.ts';
import type { Period } from './period.ts';
import { addDays, dayOf, endOfDay, startOfDay } from './zone.ts';

/** Days as `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  first: string;
  last: string;
}

/** A stretch of time with the days it touches: events are found by day, then distinguished by time. */
export interface Edge extends DayRange, Period {}

export interface Cut {
  days: DayRange | undefined;
  edges: Edge[];
}

/** For sums: days that may reach beyond the period, and what they hold too much. */
export interface SumCut extends Cut {
  surplus: Edge[];
}

/** Whole weeks of a stretch of days, by their Mondays, and the days around them. */
export interface WeekCut {
  weeks: DayRange | undefined;
  days: DayRange[];
}

/** What the engine's dates can hold, a day in from either end; nothing was ever viewed outside. */
const FIRST = Date.UTC(1970, 0, 2);
const LAST = Date.UTC(2149, 5, 5);

/** The part of a period in which something may have been viewed. */
export const bounded = ({ start, end, ...rest }: Period): Period => ({
  start: Math.max(start, FIRST),
  end: Math.min(end, LAST),
  ...rest,
});

/**
 * The time that is read for a period. One that ends now is read to the end of today: no event is later, and roll-ups
 * have whole days.
 */
export function readOf(period: Period, zone: string): Period {
  const { start, end, untilNow } = bounded(period);
  if (!untilNow || start > end) return { start, end };
  return { start, end: endOfDay(dayOf(end, zone), zone) };
}

/** Days, then what is left: together exactly the period. A period that ends before it starts is nothing. */
export function cutPeriod(period: Period, zone: string): Cut {
  const { start, end } = readOf(period, zone);
  if (start > end) return { days: undefined, edges: [] };
  const firstDay = dayOf(start, zone);
  const lastDay = dayOf(end, zone);
  const first = startOfDay(firstDay, zone) >= start ? firstDay : addDays(firstDay, 1);
  const last = endOfDay(lastDay, zone) <= end ? lastDay : addDays(lastDay, -1);
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

/**
 * The same for sums, which can be taken off again. The last day is counted whole, less what came after the period. Of
 * the first day the shorter part is read: what belongs to the period, or what does not.
 */
export function cutForSums(period: Period, zone: string): SumCut {
  const { days, edges } = cutPeriod(period, zone);
  const cut: SumCut = { days, edges: [], surplus: [] };
  for (const edge of edges.flatMap((stretch) => splitAtMidnight(stretch, zone))) {
    const { first: day, start, end } = edge;
    const opens = startOfDay(day, zone);
    const closes = endOfDay(day, zone);
    if (start === opens) cut.surplus.push({ first: day, last: day, start: end + 1, end: closes });
    else if (end === closes && end - start > start - opens) {
      cut.surplus.push({ first: day, last: day, start: opens, end: start - 1 });
    } else {
      cut.edges.push(edge);
      continue;
    }
    const { first = day, last = day } = cut.days ?? {};
    cut.days = { first: first < day ? first : day, last: last > day ? last : day };
  }
  return cut;
}

function splitAtMidnight(edge: Edge, zone: string): Edge[] {
  const { first, last, start, end } = edge;
  if (first === last) return [edge];
  const midnight = startOfDay(last, zone);
  return [
    { first, last: first, start, end: midnight - 1 },
    { first: last, last, start: midnight, end },
  ];
}

/** The whole period as one edge: for measures that no roll-up has. */
export function asEdge(period: Period, zone: string): SumCut {
  const { start, end } = readOf(period, zone);
  if (start > end) return { days: undefined, edges: [], surplus: [] };
  return { days: undefined, edges: [{ first: dayOf(start, zone), last: dayOf(end, zone), start, end }], surplus: [] };
}

/** Weeks, then what is left: together exactly the days. */
export function cutDays({ first, last }: DayRange): WeekCut {
  const monday = addDays(first, (8 - weekday(first)) % 7);
  const sunday = addDays(last, -(weekday(last) % 7));
  if (monday > sunday) return { weeks: undefined, days: [{ first, last }] };
  const days = [
    { first, last: addDays(monday, -1) },
    { first: addDays(sunday, 1), last },
  ];
  return {
    weeks: { first: monday, last: addDays(sunday, -6) },
    days: days.filter((range) => range.first <= range.last),
  };
}

/** 1 is Monday, 7 is Sunday. */
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** The first day of the week of a day. */
export const mondayOf = (day: string): string => addDays(day, 1 - weekday(day));

export interface QuarterCut {
  /** Quarters of an hour since 1970, both inclusive; none where the last is before the first. */
  first: number;
  last: number;
  /** What is not in them. */
  edges: Edge[];
  /** What they hold too much. */
  surplus: Edge[];
}

/** Whole quarters of an hour of an edge, and what is left of it. */
export function cutQuarters(edge: Edge, zone: string): QuarterCut {
  const { start, end } = edge;
  const first = Math.ceil(start / QUARTER);
  const last = Math.floor(end / QUARTER);
  if (first > last) return { first, last, edges: [edge], surplus: [] };
  /** A day before and after: an event keeps the day of an earlier time zone of the site. */
  const within = (from: number, until: number): Edge[] => {
    if (from > until) return [];
    const [before, after] = [addDays(dayOf(from, zone), -1), addDays(dayOf(until, zone), 1)];
    const days = { first: before > edge.first ? before : edge.first, last: after < edge.last ? after : edge.last };
    return [{ ...days, start: from, end: until }];
  };
  return {
    first,
    last,
    edges: within(start, first * QUARTER - 1),
    surplus: within(end + 1, (last + 1) * QUARTER - 1),
  };
}
