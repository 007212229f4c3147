// The time of an event: as sent where it is plausible, else the arrival. Never later than the arrival.
import { LRUCache } from 'lru-cache';
import { MAX_EVENT_AGE_MS } from '../../contract/limits.ts';
import { QUARTER } from '../../durations.ts';
import { parseIsoDate } from '../../posts/parseIsoDate.ts';

/**
 * @param sent `ts` or `date` of the event: epoch milliseconds (number or digits), ISO 8601, or JavaScript's Date text.
 * @param arrival Epoch milliseconds.
 * @param maxAge Milliseconds before the arrival that are accepted. Default: a day.
 */
export function eventTime(sent: string | number | undefined, arrival: number, maxAge = MAX_EVENT_AGE_MS): number {
  const time = typeof sent === 'string' ? parse(sent) : (sent ?? Number.NaN);
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

/**
 * Days in time zones (IANA names the runtime knows), by quarters of an hour: every zone changes its offset, and starts
 * its day, at one.
 */
export class Calendar {
  readonly #days = new LRUCache<string, string>({ max: 5000 });
  readonly #formats = new Map<string, Intl.DateTimeFormat>();
  /** Most events are of now. */
  #last = { quarter: Number.NaN, timezone: '', day: '' };

  /** @returns `YYYY-MM-DD`. */
  dayIn(timezone: string, time: number): string {
    const quarter = Math.floor(time / QUARTER);
    const last = this.#last;
    if (quarter === last.quarter && timezone === last.timezone) return last.day;
    const key = `${quarter} ${timezone}`;
    const day = this.#days.get(key) ?? this.#format(timezone).format(time);
    this.#days.set(key, day);
    this.#last = { quarter, timezone, day };
    return day;
  }

  #format(timezone: string): Intl.DateTimeFormat {
    const known = this.#formats.get(timezone);
    if (known) return known;
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    this.#formats.set(timezone, format);
    return format;
  }
}
