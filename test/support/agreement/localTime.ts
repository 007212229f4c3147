// Days and clocks of a time zone by looking at what they show, instant after instant: a second opinion on the server's own arithmetic.

const HOUR = 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** What a zone's calendar and clock show: `YYYY-MM-DD hh:mm:ss`. */
export function shown(time: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    // Swedes write dates as the interface does.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
  }
  return format.format(time);
}

export const localDay = (time: number, zone: string): string => shown(time, zone).slice(0, 10);

/** The first millisecond at which a zone's calendar shows this day or a later one. */
export function dayBegins(day: string, zone: string): number {
  let before = Date.parse(day) - 16 * HOUR;
  let after = Date.parse(day) + 16 * HOUR;
  while (after - before > 1) {
    const between = Math.floor((before + after) / 2);
    if (localDay(between, zone) >= day) after = between;
    else before = between;
  }
  return after;
}

/** The day after a day, by the calendar. */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + 24 * HOUR).toISOString().slice(0, 10);

/** So many days before a day, by the calendar. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 24 * HOUR).toISOString().slice(0, 10);

/** The first instant at which a zone's clock shows `YYYY-MM-DD hh:mm:ss`; it must show it some time. */
export function whenShown(local: string, zone: string): number {
  const asUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  for (let quarters = -60; quarters <= 60; quarters++) {
    const time = asUtc + (quarters * HOUR) / 4;
    if (shown(time, zone) === local) return time;
  }
  throw new Error(`No clock of ${zone} ever shows ${local}.`);
}
