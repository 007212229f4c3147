// Parses outside data into an event whose fields have the declared types and lengths. A field that has not counts as
// absent; the pipeline decides what is dropped.
import type { IncomingEvent } from '../contract/wire.ts';
import { isRecord } from '../isRecord.ts';
import { INGEST_LIMITS } from './limits.ts';

/** As `IncomingEvent`, with an action that may be anything. */
export type ParsedEvent = Omit<IncomingEvent, 'action' | 'lists'> & {
  action: string;
  /** As it came: only an event about lists has it parsed. */
  lists: unknown;
};

/** Characters a field may have; a longer one counts as absent. */
export interface FieldLengths {
  /** Of a short text: ids, labels. */
  text: number;
  /** Of a URL, before tracking parameters are taken out. */
  url: number;
}

const { lengths: FIELD_LENGTHS, eventDepth: MAX_DEPTH } = INGEST_LIMITS;

/** @returns undefined when the value is not an object, or nests deeper than any event does. */
export function parseEvent(value: unknown, lengths: FieldLengths = FIELD_LENGTHS): ParsedEvent | undefined {
  if (!isRecord(value) || deeper(value.metadata, MAX_DEPTH)) return undefined;
  const { text: maxText, url: maxUrl } = lengths;
  const data = readData(value.data, maxText);
  if (data === null) return undefined;
  return {
    idsite: text(value.idsite, maxText) ?? '',
    action: text(value.action, maxText) ?? '',
    url: text(value.url, maxUrl) ?? '',
    urlref: text(value.urlref, maxUrl),
    date: typeof value.date === 'number' ? value.date : text(value.date, maxText),
    ts: number(value.ts),
    inc: number(value.inc),
    tt: number(value.tt),
    eid: text(value.eid, maxText),
    rand: text(value.rand, maxText),
    pvid: text(value.pvid, maxText),
    u: text(value.u, maxText),
    ampid: text(value.ampid, maxText),
    screen: text(value.screen, maxText),
    data,
    metadata: isRecord(value.metadata) ? value.metadata : undefined,
    lists: value.lists,
  };
}

/**
 * Stops at the limit: brackets alone must not fill the stack. All properties are own ones, since it comes from JSON.
 */
function deeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) {
    if (deeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}

/**
 * One pass for both rules, length and depth: most bytes of an event are in its data.
 * @returns undefined when it is no object, null when it nests too deep.
 */
function readData(data: unknown, maxText: number): Record<string, unknown> | undefined | null {
  if (!isRecord(data)) return deeper(data, MAX_DEPTH) ? null : undefined;
  let long = false;
  for (const name in data) {
    const value = data[name];
    if (isLong(name, value, maxText)) long = true;
    else if (deeper(value, MAX_DEPTH - 1)) return null;
  }
  return long
    ? Object.fromEntries(Object.entries(data).filter(([name, value]) => !isLong(name, value, maxText)))
    : data;
}

/** Segments may come as one long text of names: their own step bounds them. */
function isLong(name: string, value: unknown, max: number): boolean {
  return typeof value === 'string' && value.length > max && name !== 'segments';
}

/** A text as sent, or a number as text; undefined when it is neither, empty, or too long. */
export function text(value: unknown, max = Number.POSITIVE_INFINITY): string | undefined {
  const found = typeof value === 'number' ? String(value) : value;
  return typeof found === 'string' && found !== '' && found.length <= max ? found : undefined;
}

/** A name as it is stored: no parameter has a NUL, so it could not be asked for by one with it. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** The first `max` UTF-16 units of a name, without half a surrogate pair at the end: it would be stored as U+FFFD. */
export const cutName = (name: string, max: number): string => name.slice(0, max).replace(/[\ud800-\udbff]$/, '');

function number(value: unknown): number | undefined {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
