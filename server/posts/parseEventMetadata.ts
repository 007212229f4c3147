// Reads the metadata of a view: what an app or a tracker says of a post. Anyone may send it, so a value that is wrong
// is left out and the others are taken, and bounds are closer than those of POST /metadata.
import { parseIsoDate } from './parseIsoDate.ts';
import { readMetadata } from './parseMetadata.ts';
import type { PostPatch } from './post.ts';
import { commaSeparated } from './readPage/clean.ts';

const MAX_TEXT = 500;
const MAX_AUTHORS = 20;
const MAX_TAGS = 50;

type Sent = Record<string, unknown>;

/**
 * @param metadata As it came, with names of POST /metadata or of the older trackers (`author`, `pub_date`).
 * @param now Epoch milliseconds: no post is younger.
 * @returns undefined where it has no title, or is about a page that is no post.
 */
export function parseEventMetadata(metadata: Sent, now: number): PostPatch | undefined {
  const own = (name: string): unknown => (Object.hasOwn(metadata, name) ? metadata[name] : undefined);
  const type = own('page_type');
  if (type !== undefined && type !== '' && type !== 'post') return undefined;
  const tags = own('tags');
  const said = {
    title: short(own('title')),
    section: short(own('section')),
    authors: list(own('authors') ?? own('author'), MAX_AUTHORS),
    tags: list(typeof tags === 'string' ? commaSeparated(tags) : tags, MAX_TAGS),
    image_url: own('image_url'),
    thumb_url: own('thumb_url'),
    pub_date_tmsp: date(own('pub_date_tmsp') ?? own('pub_date'), now),
  };
  const { patch } = readMetadata(said, { kind: 'posts', entities: true });
  return patch.title === undefined ? undefined : patch;
}

function short(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_TEXT ? value.trim() : undefined;
}

/**
 * Names of usual length only; undefined for more than there are of any post, and for a text with commas, which may be
 * one name or several.
 */
function list(value: unknown, most: number): string[] | undefined {
  const values = typeof value === 'string' && !value.includes(',') ? [value] : value;
  if (!Array.isArray(values) || values.length > most) return undefined;
  const names = values.flatMap((each: unknown) => short(each) || []);
  return names.length > 0 ? names : undefined;
}

/** Seconds have ten digits, milliseconds thirteen. */
const LEAST_MILLISECONDS = 1e11;

/** @param value Epoch seconds or milliseconds, a number or digits; or ISO 8601. @returns ISO 8601. */
function date(value: unknown, now: number): string | undefined {
  const digits = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  const time =
    typeof digits === 'number' ? toMilliseconds(digits) : parseIsoDate(typeof digits === 'string' ? digits : '');
  return time !== undefined && time > 0 && time <= now ? new Date(time).toISOString() : undefined;
}

const toMilliseconds = (number: number) => (number < LEAST_MILLISECONDS ? number * 1000 : number);
