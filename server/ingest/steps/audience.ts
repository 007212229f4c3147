// Which channel a page was read in, and which segments its publisher put the visitor into.
import type { Channel } from '../eventRow.ts';
import { type ParsedEvent, text, withoutNul } from '../parseEvent.ts';

const CHANNELS: readonly string[] = ['website', 'amp', 'apln-rta', 'fbia'];
const MAX_SEGMENTS = 10;
const MAX_SEGMENT = 100;
const NONE: string[] = [];

/** `data._channel` (or `data.channel`) when it is one of the four; an AMP visitor id means AMP; else the website. */
export function channelOf(event: ParsedEvent): Channel {
  const channel = text(event.data?._channel) ?? text(event.data?.channel);
  if (channel !== undefined && CHANNELS.includes(channel)) return channel as Channel;
  return event.ampid === undefined ? 'website' : 'amp';
}

/**
 * `data.segments`, then the values of the keys that the site maps: a list, or names separated by commas. Each once, the
 * first ten.
 * @param keys Of the site. Default: none.
 */
export function segmentsOf({ data }: ParsedEvent, keys: readonly string[] = NONE): string[] {
  if (data === undefined || (data.segments === undefined && keys.length === 0)) return NONE;
  const found = new Set<string>();
  addNames(found, data.segments);
  for (const key of keys) {
    if (!Object.hasOwn(data, key)) continue;
    const value = data[key];
    // A yes puts the reader into a segment of the key's own name; a number is a name.
    addNames(found, value === true ? [key] : typeof value === 'number' ? String(value) : value);
  }
  return [...found];
}

function addNames(found: Set<string>, names: unknown): void {
  for (const name of namesIn(names)) {
    // A text may hold as many names as a body has bytes.
    if (found.size === MAX_SEGMENTS) return;
    const clean = typeof name === 'string' ? withoutNul(name).trim() : '';
    if (clean !== '' && clean.length <= MAX_SEGMENT) found.add(clean);
  }
}

function* namesIn(names: unknown): Iterable<unknown> {
  if (Array.isArray(names)) yield* names;
  if (typeof names !== 'string') return;
  for (let start = 0; start <= names.length; ) {
    const comma = names.indexOf(',', start);
    const end = comma === -1 ? names.length : comma;
    if (end > start) yield names.slice(start, end);
    start = end + 1;
  }
}
