// Days of a time zone: when each begins, what day of the week it is.
import { HOUR } from '../../server/durations.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD` of a moment (epoch milliseconds) on the clocks of a zone (IANA name). */
export function dayOf(time: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(zone, format);
  }
  return format.format(time);
}

/** The moment a day begins, epoch milliseconds. Found from noon UTC by stepping back in quarter hours, the grain of all zones. */
export function startOfDay(day: string, zone: string): number {
  let time = Date.parse(`${day}T12:00:00Z`) - 28 * HOUR;
  while (dayOf(time, zone) < day) time += HOUR / 4;
  return time;
}

/** The day so many days later, or earlier where `count` is negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 24 * HOUR).toISOString().slice(0, 10);
}

/** Whether a day is a Saturday or Sunday. */
export function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6;
}
