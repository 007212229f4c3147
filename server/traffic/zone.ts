// Days and clock times of a time zone, by the runtime's own tables. Pure: the instant is always an argument.
import { DAY, SECOND } from '../durations.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format costs a hundred times as much as using it; there are only so many zones. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, made);
  return made;
}

/** Wall clock of a zone at an instant, as the epoch milliseconds at which UTC shows the same. */
function wallClock(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const fraction = ((instant % SECOND) + SECOND) % SECOND;
  return Date.UTC(year, month - 1, day, hour, minute, second) + fraction;
}

/** Milliseconds that a zone's clock is ahead of UTC at an instant. */
export const offsetAt = (instant: number, zone: string): number => wallClock(instant, zone) - instant;

/**
 * The instant at which a zone's wall clock shows `local` (given as if it were UTC). Where the clock shows it twice,
 * the first time; where it is skipped, the same distance after the gap begins.
 */
export function instantOf(local: number, zone: string): number {
  const before = offsetAt(local - DAY, zone);
  const after = offsetAt(local + DAY, zone);
  const candidates = [local - before, local - after].sort((a, b) => a - b);
  return candidates.find((instant) => wallClock(instant, zone) === local) ?? local - before;
}

/** `YYYY-MM-DD` of an instant in a zone. */
export function dayOf(instant: number, zone: string): string {
  return new Date(wallClock(instant, zone)).toISOString().slice(0, 10);
}

/** First instant of a day, `YYYY-MM-DD`, in a zone. */
export function startOfDay(day: string, zone: string): number {
  return instantOf(Date.parse(`${day}T00:00:00Z`), zone);
}

/** Last millisecond of a day, `YYYY-MM-DD`, in a zone. */
export const endOfDay = (day: string, zone: string): number => startOfDay(addDays(day, 1), zone) - 1;

/** The calendar day so many days after another (before it, when negative). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** How many calendar days lie between two days. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY;
}
