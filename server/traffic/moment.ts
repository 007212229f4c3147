// Dates and times as callers write them, before a time zone and the current time resolve them.
import { DAY, HOUR, MINUTE, SECOND } from '../durations.ts';
import { instantOf, startOfDay } from './zone.ts';

export type Moment =
  | { kind: 'instant'; at: number }
  /** Wall-clock time of the site, as if it were UTC. */
  | { kind: 'clock'; local: number }
  /** A whole day of the site, `YYYY-MM-DD`. */
  | { kind: 'day'; day: string }
  /** A whole day by another clock: its first millisecond. */
  | { kind: 'foreign-day'; start: number }
  | { kind: 'ago'; milliseconds: number };

/** What the forms are, for the sentence that refuses another. */
export const MOMENT_FORMS =
  'Give a date such as 2026-01-31, a time such as 2026-01-31T09:30 with or without seconds and an offset (Z, +02 or +02:00), or a time ago such as 15m, 24h, 3d or 2w, not of zero.';

const RELATIVE = /^(\d{1,6})(m|min|mins|minutes|h|d|w)$/i;
const UNITS: Record<string, number> = {
  m: MINUTE,
  min: MINUTE,
  mins: MINUTE,
  minutes: MINUTE,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
};
// A `+` that was not percent-encoded has become a space.
const ABSOLUTE =
  /^([1-9]\d{3})-(\d{1,2})-(\d{1,2})(?:T(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?:(Z)|([ +-])(\d{2})(?::?(\d{2}))?)?$/;

/** @returns undefined for any other form and for dates no calendar has. */
export function parseMoment(text: string): Moment | undefined {
  const relative = RELATIVE.exec(text);
  if (relative) {
    const milliseconds = Number(relative[1]) * UNITS[relative[2]!.toLowerCase()]!;
    return milliseconds > 0 ? { kind: 'ago', milliseconds } : undefined;
  }

  const found = ABSOLUTE.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, fraction, utc, sign, offsetHours, offsetMinutes] = found;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const read = new Date(date);
  if (read.getUTCMonth() !== Number(month) - 1 || read.getUTCDate() !== Number(day)) return undefined;
  if (Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;

  const time = Number(hour ?? 0) * HOUR + Number(minute ?? 0) * MINUTE + Number(second ?? 0) * SECOND;
  const timeOfDay = time + Math.floor(Number(`0.${fraction ?? 0}`) * SECOND);
  // 24:00 is the end of the day (ISO 8601), and nothing comes after it.
  if (timeOfDay > DAY) return undefined;
  const local = date + timeOfDay;
  if (utc || sign !== undefined) {
    if (Number(offsetHours ?? 0) > 14 || Number(offsetMinutes ?? 0) > 59) return undefined;
    const offset = Number(offsetHours ?? 0) * HOUR + Number(offsetMinutes ?? 0) * MINUTE;
    const at = sign === '-' ? local + offset : local - offset;
    return hour === undefined ? { kind: 'foreign-day', start: at } : { kind: 'instant', at };
  }
  return hour === undefined ? { kind: 'day', day: read.toISOString().slice(0, 10) } : { kind: 'clock', local };
}

/**
 * The first millisecond of a period that starts there, or the last one of a period that ends there. A day is whole; a
 * time as an end is left out, so that periods that follow one another count nothing twice.
 */
export function instantFor(moment: Moment, edge: 'start' | 'end', clock: { now: number; zone: string }): number {
  const leftOut = edge === 'end' ? 1 : 0;
  switch (moment.kind) {
    case 'instant':
      return moment.at - leftOut;
    case 'clock':
      return instantOf(moment.local, clock.zone) - leftOut;
    case 'ago':
      return clock.now - moment.milliseconds - leftOut;
    case 'foreign-day':
      return edge === 'start' ? moment.start : moment.start + DAY - 1;
    case 'day':
      // By numbers, not by names: the day after 9999-12-31 has none.
      return edge === 'start'
        ? startOfDay(moment.day, clock.zone)
        : instantOf(Date.parse(moment.day) + DAY, clock.zone) - 1;
  }
}

/** Whether a whole day was named, not a time. */
export const isDay = (moment: Moment | undefined): boolean => moment?.kind === 'day' || moment?.kind === 'foreign-day';
