// The time of an event: as sent where it is plausible, else the arrival. Never later than the arrival.
import { LRUCache } from 'lru-cache';
import { MAX_EVENT_AGE_MS } from '../../contract/limits.ts';
import { parseIsoDate } from '../../posts/parseIsoDate.ts';

/**
 * @param said `ts` or `date` of the event: epoch milliseconds (number or digits), ISO 8601, or JavaScript's Date text.
 * @param arrival Epoch milliseconds.
 * @param maxAge Milliseconds before the arrival that are accepted. Default: a day.
 */
export function eventTime(said: string | number | undefined, arrival: number, maxAge = MAX_EVENT_AGE_MS): number {
  const time = typeof said === 'string' ? parse(said) : (said ?? Number.NaN);
  // NaN fails the comparison too.
  return time <= arrival && arrival - time <= maxAge ? Math.floor(time) : arrival;
}

/** A `+` that was not percent-encoded has become a space. */
const SPACED_OFFSET = /(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?|GMT) (\d{2}:?\d{2})\b/;

/** ISO 8601 without a zone is UTC, whatever zone this machine is in. */
function parse(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const written = text.replace(SPACED_OFFSET, '$1+$2');
  return parseIsoDate(written) ?? Date.parse(written);
}

/** Every zone changes its offset, and starts its day, at a multiple of this. */
const QUARTER_HOUR_MS = 15 * 60 * 1000;
const days = new LRUCache<string, string>({ max: 5000 });
const formats = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD` in a time zone (an IANA name the runtime knows). */
export function dayIn(timezone: string, time: number): string {
  const quarter = Math.floor(time / QUARTER_HOUR_MS);
  if (quarter === last.quarter && timezone === last.timezone) return last.day;
  const day = findDay(timezone, time, quarter);
  last = { quarter, timezone, day };
  return day;
}

/** Most events are of now. */
let last = { quarter: Number.NaN, timezone: '', day: '' };

function findDay(timezone: string, time: number, quarter: number): string {
  const key = `${quarter} ${timezone}`;
  const known = days.get(key);
  if (known !== undefined) return known;
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timezone, format);
  }
  const day = format.format(time);
  days.set(key, day);
  return day;
}
