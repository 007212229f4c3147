// Outside data → an event in our own words, every field of the type and length we said. Nothing is refused here but
// what is no event at all: the pipeline names the reasons.
import type { IncomingEvent } from '../contract/wire.ts';

/** As `IncomingEvent`, with an action that may be anything. */
export type ParsedEvent = Omit<IncomingEvent, 'action'> & { action: string };

/** Characters a field may have; a longer one says nothing. */
export interface FieldLengths {
  /** Of a short text: ids, labels. */
  text: number;
  /** Of a URL, before tracking parameters are taken out. */
  url: number;
}

export const FIELD_LENGTHS: FieldLengths = { text: 512, url: 8192 };

/** Levels of objects and lists within `data` and `metadata`: trackers need three. */
const MAX_DEPTH = 10;

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
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Walks no further than it has to: a text of brackets only must not fill the stack. Names are all its own: it comes from JSON. */
function deeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) {
    if (deeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}

/**
 * One look at each value, for both of its rules: it is what most events say most in.
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

function number(value: unknown): number | undefined {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
