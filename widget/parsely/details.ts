// What a page gives to a function of an older installation → fields of an event. Anything may come: what no event can
// carry is left out.
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { toJson } from '../track/toJson.ts';

/** Of an event, what a page can say. */
export type Details = Partial<Pick<IncomingEvent, 'url' | 'urlref' | 'title' | 'data' | 'metadata' | 'inc' | 'tt'>>;

/** With what is reported: a name of the interface's, or of the page's own. */
export interface NamedDetails extends Details {
  action?: string;
}

/** The server takes shorter texts only, and no deeper objects. */
const MAX_TEXT = 512;
const MAX_URL = 8192;
const MAX_DEPTH = 6;
/** Values at all: an element of a framework leads to the whole page. */
const MAX_VALUES = 500;
/** Characters of `data` or `metadata` as JSON; an event has 20,000. */
const MAX_JSON = 4000;

export function toDetails(given: unknown): NamedDetails {
  const params = isObject(given) ? given : {};
  const { urlref } = params;
  const details: Record<keyof NamedDetails, unknown> = {
    action: toText(params.action),
    url: toUrl(params.url),
    // Empty: from nowhere.
    urlref: urlref === '' ? urlref : toUrl(urlref, ''),
    title: toText(params.title),
    data: toFields(params.data),
    metadata: toFields(params.metadata),
    inc: toNumber(params.inc),
    tt: toNumber(params.tt),
  };
  // A field that is there and undefined would stand before a default.
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

/** A text or a number, as text; undefined for all else and for blanks. */
export function toText(value: unknown, max = MAX_TEXT): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text ? text.slice(0, max) : undefined;
}

/** An object, or its JSON, as one of texts, numbers, lists and objects. */
export function toFields(given: unknown): Record<string, unknown> | undefined {
  const fields = toPlain(typeof given === 'string' ? parseJson(given) : given, { left: MAX_VALUES, path: [] });
  if (!isObject(fields)) return undefined;
  return toJson(fields)!.length > MAX_JSON ? undefined : fields;
}

const toNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/**
 * An address without its fragment, resolved against the page's. @param scheme That it begins with. Default: http or
 * https.
 */
function toUrl(value: unknown, scheme = 'http'): string | undefined {
  const text = toText(value, MAX_URL + 1);
  if (!text) return undefined;
  try {
    const { href } = new URL(text, location.href);
    return href.length <= MAX_URL && href.startsWith(scheme) ? href.split('#')[0] : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Not a list, a date, an event or an element: those have another tag. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  Object.prototype.toString.call(value) === '[object Object]';

/** A walk through what a page gave: `left` values may be met, none of them on the way to itself. */
interface Walk {
  left: number;
  path: object[];
}

function toPlain(value: unknown, walk: Walk): unknown {
  if (walk.left-- <= 0) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return toNumber(value);
  if (value instanceof Date) return toNumber(+value) === undefined ? undefined : value.toISOString();
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  const { path } = walk;
  if (path.length > MAX_DEPTH || path.includes(value)) return undefined;
  path.push(value);
  const fields: [name: string, field: unknown][] = [];
  for (const name in value) {
    if (walk.left <= 0) break;
    // Names are sent as they are.
    if (/["\\\p{Cc}]/u.test(name)) continue;
    const field = Object.hasOwn(value, name) ? toPlain((value as Record<string, unknown>)[name], walk) : undefined;
    if (field !== undefined) fields.push([name, field]);
  }
  path.pop();
  return Array.isArray(value) ? fields.map(([, field]) => field) : Object.fromEntries(fields);
}
