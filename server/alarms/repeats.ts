// An alarm is raised once: not again while what it said continues, and not for what follows from it. Pure.
import { DAY, HOUR } from '../durations.ts';
import type { Finding, TrafficAlarm } from './judge.ts';

/** An alarm that was raised. */
export interface Raised {
  kind: TrafficAlarm;
  /** Epoch milliseconds. */
  at: number;
}

/** Traffic that returns after a silence, or falls after a spike, is the end of the same event. */
const REST_MS = 3 * HOUR;

/** How long another alarm has to be surer. */
const SECOND_MS = 7 * DAY;

/** Whether the next alarm is another one of the same week. */
export const isSecond = (now: number, earlier: readonly Raised[]): boolean =>
  earlier.some(({ at }) => at > now - SECOND_MS);

/**
 * Whether a finding is news.
 * @param earlier Alarms of the site that were raised, those of the last week at least.
 */
export function isNews({ kind, start, end }: Finding, earlier: readonly Raised[]): boolean {
  const resting = earlier.filter(({ at }) => at > end - REST_MS && at <= end + REST_MS);
  if (kind !== 'silent') return resting.length === 0;
  // Of one silence the last view stays the same.
  return !earlier.some((one) => one.kind === 'silent' && (one.at >= start || one.at > end - REST_MS));
}
