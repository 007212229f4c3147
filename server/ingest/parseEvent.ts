// Outside data → an event in our own words, every field of the type and length we said. Nothing is refused here but
// what is no event at all: the pipeline names the reasons.
import type { IncomingEvent } from '../contract/wire.ts';

/** As `IncomingEvent`, with an action that may be anything. */
export type ParsedEvent = Omit<IncomingEvent, 'action'> & { action: string };

/** Longest value of a short text (ids, labels), and of a URL before tracking parameters are taken out. */
const MAX_TEXT = 512;
const MAX_URL_TEXT = 8192;

/** @returns undefined when the value is not an object. */
export function parseEvent(value: unknown): ParsedEvent | undefined {
  if (!isRecord(value)) return undefined;
  return {
    idsite: text(value.idsite, MAX_TEXT) ?? '',
    action: text(value.action, MAX_TEXT) ?? '',
    url: text(value.url, MAX_URL_TEXT) ?? '',
    urlref: text(value.urlref, MAX_URL_TEXT),
    date: typeof value.date === 'number' ? value.date : text(value.date, MAX_TEXT),
    ts: number(value.ts),
    inc: number(value.inc),
    tt: number(value.tt),
    eid: text(value.eid, MAX_TEXT),
    rand: text(value.rand, MAX_TEXT),
    u: text(value.u, MAX_TEXT),
    ampid: text(value.ampid, MAX_TEXT),
    data: isRecord(value.data) ? value.data : undefined,
    metadata: isRecord(value.metadata) ? value.metadata : undefined,
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text as sent, or a number as text; undefined when it is neither, empty, or too long. */
export function text(value: unknown, max = MAX_TEXT): string | undefined {
  const found = typeof value === 'number' ? String(value) : value;
  return typeof found === 'string' && found !== '' && found.length <= max ? found : undefined;
}

function number(value: unknown): number | undefined {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
