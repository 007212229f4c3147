// A date or time as callers write it, before anyone asks in which zone or how long ago.
import { DAY, dayOf, HOUR, instantOf, MINUTE, SECOND, startOfDay } from './zone.ts';

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
  'Give a date such as 2026-01-31, a time such as 2026-01-31T09:30 with or without seconds and an offset (Z or +02:00), or a time ago such as 15m, 24h, 3d or 2w.';

const RELATIVE = /^(\d{1,6})(m|min|mins|minutes|h|d|w)$/;
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
  /^([1-9]\d{3})-(\d{1,2})-(\d{1,2})(?:T(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?:(Z)|([ +-])(\d{2}):?(\d{2}))?$/;

/** @returns undefined for any other form and for dates no calendar has. */
export function parseMoment(text: string): Moment | undefined {
  const relative = RELATIVE.exec(text);
  if (relative) return { kind: 'ago', milliseconds: Number(relative[1]) * UNITS[relative[2]!]! };

  const found = ABSOLUTE.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, fraction, utc, sign, offsetHours, offsetMinutes] = found;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const read = new Date(date);
  if (read.getUTCMonth() !== Number(month) - 1 || read.getUTCDate() !== Number(day)) return undefined;
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;

  const time = Number(hour ?? 0) * HOUR + Number(minute ?? 0) * MINUTE + Number(second ?? 0) * SECOND;
  const local = date + time + Math.floor(Number(`0.${fraction ?? 0}`) * SECOND);
  if (utc || sign !== undefined) {
    if (Number(offsetHours ?? 0) > 14 || Number(offsetMinutes ?? 0) > 59) return undefined;
    const offset = Number(offsetHours ?? 0) * HOUR + Number(offsetMinutes ?? 0) * MINUTE;
    const at = sign === '-' ? local + offset : local - offset;
    return hour === undefined ? { kind: 'foreign-day', start: at } : { kind: 'instant', at };
  }
  return hour === undefined ? { kind: 'day', day: read.toISOString().slice(0, 10) } : { kind: 'clock', local };
}

/** The instant meant. A day means its first millisecond as a start and its last one as an end. */
export function instantFor(moment: Moment, edge: 'start' | 'end', at: { now: number; zone: string }): number {
  switch (moment.kind) {
    case 'instant':
      return moment.at;
    case 'clock':
      return instantOf(moment.local, at.zone);
    case 'ago':
      return at.now - moment.milliseconds;
    case 'foreign-day':
      return edge === 'start' ? moment.start : moment.start + DAY - 1;
    case 'day':
      // By numbers, not by names: the day after 9999-12-31 has none.
      return edge === 'start' ? startOfDay(moment.day, at.zone) : instantOf(Date.parse(moment.day) + DAY, at.zone) - 1;
  }
}

/** Whether a whole day was named, not a time. */
export const isDay = (moment: Moment | undefined): boolean => moment?.kind === 'day' || moment?.kind === 'foreign-day';

/** The site's day in which a start or end lies. */
export function dayFor(moment: Moment, edge: 'start' | 'end', at: { now: number; zone: string }): string {
  return moment.kind === 'day' ? moment.day : dayOf(instantFor(moment, edge, at), at.zone);
}
