// What is usual for a weekday and a time of day: the median and the middle half of the last eight weeks. Pure.
import { DAY } from '../durations.ts';
import { instantOf, offsetAt } from '../traffic/zone.ts';

/** Weeks of the past that are compared. */
export const WEEKS = 8;

export interface Usual {
  median: number;
  /** A quarter of the weeks had less. */
  low: number;
  /** A quarter of the weeks had more. */
  high: number;
}

/** @returns undefined for no values. */
export function usualOf(values: readonly number[]): Usual | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((one, other) => one - other);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** Between two values, on the line from one to the other. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const [low, high] = [sorted[below]!, sorted[Math.ceil(place)]!];
  return low + (high - low) * (place - below);
}

/**
 * The instants at which the clock of a zone showed the same weekday and time, one for each of the weeks before, the
 * latest first. A time that a change of the clock skipped is as far behind the gap.
 */
export function sameTimesBefore(instant: number, zone: string, weeks = WEEKS): number[] {
  const local = instant + offsetAt(instant, zone);
  return Array.from({ length: weeks }, (_, week) => instantOf(local - (week + 1) * 7 * DAY, zone));
}
