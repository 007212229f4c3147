// A log of who read what when, as it comes in files: a record a line, with the names people give the three fields.
import type { Reading } from '../readers/behaviour/behaviour.ts';

const TIMES = ['time', 'date', 'timestamp', 'click_timestamp', 'ts'];
const VISITORS = ['visitor', 'visitor_hash', 'session', 'session_id', 'user', 'user_id', 'uuid'];
const POSTS = ['post', 'url', 'article', 'article_id', 'click_article_id', 'item', 'item_id'];
/** Epoch times below this are seconds. */
const SECONDS_BELOW = 1e11;

/** @returns undefined for what is no page view: no time, no post, or another action (`action` other than pageview). */
export function toReading(value: unknown): Reading | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const record = value as Record<string, unknown>;
  const time = toTime(first(record, TIMES));
  const post = first(record, POSTS);
  const action = first(record, ['action']);
  if (Number.isNaN(time) || post === '' || (action !== '' && action !== 'pageview')) return undefined;
  return { time, visitor: first(record, VISITORS), post };
}

/** In order of time, as a server would have met them. */
export const inOrder = (readings: Reading[]): Reading[] => readings.sort((a, b) => a.time - b.time);

function first(record: Record<string, unknown>, names: readonly string[]): string {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}

function toTime(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) return Date.parse(text);
  const number = Number(text);
  return number < SECONDS_BELOW ? number * 1000 : number;
}
