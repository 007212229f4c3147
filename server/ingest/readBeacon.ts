// Parses the bodies and queries of the doors into events. An unreadable body is one event that is undefined, which the
// pipeline counts as malformed.
import type { IncomingEvent } from '../contract/wire.ts';
import { isRecord } from '../isRecord.ts';
import { closeCut, nullLargeElements } from '../posts/jsonBounds.ts';
import { parseJson } from '../posts/parseJson.ts';
import { nameOfPostId } from '../posts/postId.ts';
import { text } from './parseEvent.ts';

type Loose = { [Field in keyof IncomingEvent]?: unknown };

const UNREADABLE: readonly unknown[] = [undefined];

/** Bodies of at most so many characters are parsed without a check: that takes a few milliseconds. */
const SMALL = 32 * 1024;
/** Events hold objects of text two levels deep. */
const MAX_DEPTH = 32;
/** Values of a batch, whatever its length. */
const LEAST_VALUES = 10_000;
/** Characters of a value on average, at least, with its name and its comma, in a batch of more values. */
const MIN_VALUE = 12;

/**
 * Parses JSON in bounded time: an event with far more or deeper values than usual is replaced by `null`.
 * @returns undefined for what is no JSON, or too large around its events.
 */
function parseBatch(body: string): unknown {
  if (body.length <= SMALL) return parseJson(body);
  const values = Math.max(LEAST_VALUES, Math.ceil(body.length / MIN_VALUE));
  const bounded = nullLargeElements(body, { depth: MAX_DEPTH, values });
  return bounded === undefined ? undefined : parseJson(bounded);
}

/** Body of POST /events, and of POST /mobileproxy as the apps of today send it: `{"events":[…]}`. */
export function readBatch(body: string): readonly unknown[] {
  const value = parseBatch(body);
  if (!isRecord(value)) return UNREADABLE;
  // On pages with Prototype.js 1.6, which encodes lists twice, older widgets send them as text.
  const events = typeof value.events === 'string' ? listIn(value.events) : value.events;
  return Array.isArray(events) ? events : UNREADABLE;
}

function listIn(text: string): unknown {
  const value = parseBatch(`{"events":${text}}`);
  return isRecord(value) ? value.events : undefined;
}

/** `rqs`, the first field of the form or a later one. */
const FORM = /^(?:[^{]*?&)?(rqs=[^&]*)/;

/**
 * Body of POST /mobileproxy: a batch, or the form of older apps, `rqs=<JSON>`, whose events share one `data`.
 * @param isCut Whether the body was cut: only complete events are returned.
 */
export function readMobileBatch(body: string, isCut = false): readonly unknown[] {
  const whole = (text: string) => (isCut ? closeCut(text) : text);
  const [, field] = FORM.exec(body) ?? [];
  if (field === undefined) return readBatch(whole(body));
  const value = parseBatch(whole(new URLSearchParams(field).get('rqs') ?? ''));
  if (!isRecord(value) || !Array.isArray(value.events)) return UNREADABLE;
  const shared = isRecord(value.data) ? value.data : {};
  return value.events.map((event: unknown): Loose | undefined => {
    if (!isRecord(event)) return undefined;
    const own = isRecord(event.data) ? event.data : {};
    const { ts, action = 'pageview', idsite = shared.idsite } = event;
    const id = text(event.postid);
    const url = event.url ?? (id === undefined ? undefined : nameOfPostId(id));
    return { ...event, url, idsite, action, data: { ...shared, ...own }, ts: inMilliseconds(ts) };
  });
}

/** Query of GET /plogger/ and /px/. An unreadable `data`, `metadata` or `lists` counts as absent. */
export function readPixel(query: Record<string, string>): Loose {
  const { data = '', metadata = '', lists = '' } = query;
  const said = parseJson(lists);
  // The widget's pixels write a list as an object.
  const listsSaid = isRecord(said) ? Object.values(said) : said;
  return { ...query, data: parseJson(data), metadata: parseJson(metadata), lists: listsSaid };
}

/** Older apps count in seconds. */
function inMilliseconds(ts: unknown): unknown {
  const time = Number(ts);
  return time > 1e8 && time < 1e11 ? time * 1000 : ts;
}
