// When people read: by the hour of the day, on working days and on weekends.
import { HOUR } from '../../server/durations.ts';
import type { Random } from './random.ts';

/** Share of a day's visits that begin in each hour, from midnight. Lunch and the evening commute stand out on working days. */
const WORKING_DAY = [9, 5, 3, 3, 4, 10, 24, 44, 58, 60, 56, 55, 66, 62, 55, 51, 50, 49, 42, 38, 39, 37, 29, 18];
/** Late to rise, long on the sofa. */
const WEEKEND = [14, 9, 6, 4, 4, 6, 13, 25, 40, 52, 57, 55, 50, 47, 45, 44, 44, 45, 46, 50, 54, 50, 38, 24];
/** Readers of a weekend day for each of a working day. */
export const WEEKEND_SHARE = 0.58;

/** Milliseconds after midnight at which a visit begins. */
export function drawMoment(random: Random, { weekend }: { weekend: boolean }): number {
  const hours = weekend ? WEEKEND : WORKING_DAY;
  let left = random() * hours.reduce((sum, share) => sum + share, 0);
  let hour = 0;
  while (hour < 23 && left >= hours[hour]!) left -= hours[hour++]!;
  return Math.floor((hour + random()) * HOUR);
}
