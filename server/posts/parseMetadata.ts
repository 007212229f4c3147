// Reads the metadata object of POST /metadata/{posts,videos}: outside text in, a patch in our own words out, or what is
// wrong with it.
import { decodeHTML } from 'entities';
import { LONGEST_ALTERNATIVE_TITLE, MOST_ALTERNATIVES } from '../contract/alternatives.ts';
import { MAX_TAGS, MAX_URL_LENGTH } from '../contract/limits.ts';
import { isRecord } from '../isRecord.ts';
import type { Alternative } from './alternatives.ts';
import { canonicalUrl } from './canonicalUrl.ts';
import { parseIsoDate } from './parseIsoDate.ts';
import { parseJson } from './parseJson.ts';
import type { PageType, PostPatch } from './post.ts';

/** What was said about a post. */
export interface SaidMetadata {
  url: string;
  aliases: string[];
  patch: PostPatch;
}

/** Field → sentences that say what is accepted. */
export type FieldErrors = Record<string, string[]>;

export type ParsedMetadata = { ok: true; value: SaidMetadata } | { ok: false; errors: FieldErrors };

/** What each field may have: characters of a text, values of a list, seconds. */
export const METADATA_LIMITS = {
  text: 2_000,
  content: 2_000_000,
  custom: 50_000,
  authors: 100,
  aliases: 1_000,
  seconds: 1e9,
} as const;

const TEXT = (max: number) => `Must be a string of at most ${max} characters.`;
const LIST = 'Must be a list of strings.';
const ADDRESS = `Must be an absolute http or https URL of at most ${MAX_URL_LENGTH} characters.`;

export interface MetadataOptions {
  /** Which endpoint it came to: videos are videos, posts are what `page_type` says, or posts. */
  kind: 'posts' | 'videos';
  /**
   * Decodes HTML entities in title, section, authors and tags, once, as the crawler does: content management systems
   * send `Don&#8217;t`. Not for files made by an export, whose texts are decoded already. Default: texts are kept
   * exactly as sent.
   */
  entities?: boolean;
  /** Bound of `urls`. Those of a post may come in over many calls: an export writes all of them. Default: 1,000. */
  mostUrls?: number;
}

/** Raised by a reader, caught where its field's name is known. */
class Refused extends Error {}

/** Reads one metadata object. `""`, blanks and null mean absent, for lists too; an empty list empties the field. */
export function parseMetadata(input: unknown, options: MetadataOptions): ParsedMetadata {
  if (!isRecord(input)) return { ok: false, errors: { metadata: ['Must be a JSON object.'] } };
  const { errors, url, aliases, patch } = readMetadata(input, options);
  if (url === undefined && errors.canonical_url === undefined) errors.canonical_url = [`Is required. ${ADDRESS}`];
  if (url === undefined || Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, value: { url, aliases: aliases.filter((alias) => alias !== url), patch } };
}

/** As `parseMetadata`, field by field: what can be read, and what is wrong with the rest. */
export function readMetadata(
  input: Record<string, unknown>,
  { kind, entities = false, mostUrls = METADATA_LIMITS.aliases }: MetadataOptions,
): Omit<SaidMetadata, 'url'> & { url: string | undefined; errors: FieldErrors } {
  const errors: FieldErrors = {};
  const read = <T>(name: string, reader: (value: unknown) => T): T | undefined => {
    const sent = Object.hasOwn(input, name) ? input[name] : undefined;
    const value = entities && WITH_ENTITIES.has(name) ? decoded(sent) : sent;
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return undefined;
    try {
      return reader(value);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      errors[name] = [error.message];
      return undefined;
    }
  };

  const url = read('canonical_url', asPage);
  const aliases = read('urls', (value) => asPages(value, mostUrls));
  const pageType = read('page_type', asPageType);
  const patch: PostPatch = {
    pageType: kind === 'videos' ? 'video' : (pageType ?? 'post'),
    title: read('title', asText),
    imageUrl: read('image_url', asPicture),
    thumbUrl: read('thumb_url', asPicture),
    pubDate: read('pub_date_tmsp', asDate),
    section: read('section', asSection),
    authors: read('authors', (value) => asList(value, METADATA_LIMITS.authors)),
    tags: read('tags', (value) => asList(value, MAX_TAGS)),
    fullContent: read('full_content', (value) => asText(value, METADATA_LIMITS.content)),
    language: read('language', asLanguage),
    duration: read('duration', asSeconds),
    postId: read('post_id', asId),
    videoPlatform: read('video_platform', asText),
    metadata: read('custom_metadata', asCustom),
    alternatives: read('alternatives', (value) => asAlternatives(value, entities)),
  };
  return { url, aliases: aliases ?? [], patch: withoutAbsent(patch), errors };
}

/** Fields that are written for readers of HTML pages. */
const WITH_ENTITIES: ReadonlySet<string> = new Set(['title', 'section', 'authors', 'tags']);

/** Of a text or of each text of a list. A text that is too long stays as it is, to be refused. */
function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (typeof item === 'string' ? decoded(item) : item));
  return typeof value === 'string' && value.length <= METADATA_LIMITS.text ? decodeHTML(value) : value;
}

function withoutAbsent(patch: PostPatch): PostPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

function asText(value: unknown, max: number | undefined = METADATA_LIMITS.text): string {
  if (typeof value !== 'string' || value.length > max) throw new Refused(TEXT(max));
  if (/[\p{Surrogate}\0]/u.test(value)) throw new Refused('Must be well-formed Unicode without NUL.');
  return value;
}

/** The address of a page, in the one form addresses of pages are compared in. */
function asPage(value: unknown): string {
  const url = typeof value === 'string' ? canonicalUrl(value) : undefined;
  if (url === undefined) throw new Refused(ADDRESS);
  return asText(url, MAX_URL_LENGTH);
}

function asPages(value: unknown, most: number): string[] {
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list) || list.length > most)
    throw new Refused(`Must be a list of at most ${METADATA_LIMITS.aliases} http or https URLs.`);
  return [...new Set(list.filter((item) => item !== '').map(asPage))];
}

/** The address of a picture, kept as sent. */
function asPicture(value: unknown): string {
  asPage(value);
  return asText(value, MAX_URL_LENGTH).trim();
}

/** A string without a comma is a list of one; with a comma it could be a name or several, so it is refused. */
function asList(value: unknown, max: number): string[] {
  if (typeof value === 'string' && value.includes(',')) throw new Refused(`${LIST} A string with commas is not split.`);
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list)) throw new Refused(LIST);
  if (list.length > max) throw new Refused(`Must hold at most ${max} values.`);
  const texts = list.map((item: unknown) => {
    if (typeof item !== 'string') throw new Refused(LIST);
    return asText(item);
  });
  return [...new Set(texts.filter((text) => text.trim() !== ''))];
}

function asSection(value: unknown): string {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (Array.isArray(single)) throw new Refused('Must be exactly one section; put sub-sections into tags.');
  return asText(single);
}

function asPageType(value: unknown): PageType {
  if (value === 'post' || value === 'index' || value === 'video') return value;
  throw new Refused('Must be one of post, index, video.');
}

function asDate(value: unknown): number {
  const time = typeof value === 'string' ? parseIsoDate(value) : undefined;
  if (time === undefined)
    throw new Refused('Must be an ISO 8601 date and time, such as 2024-05-01T09:30:00Z; without a zone it is UTC.');
  return time;
}

function asLanguage(value: unknown): string {
  try {
    const [tag] = Intl.getCanonicalLocales(asText(value).trim().replaceAll('_', '-'));
    if (tag !== undefined) return tag;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new Refused('Must be a language tag such as en or es-MX.');
}

function asSeconds(value: unknown): number {
  const seconds = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= METADATA_LIMITS.seconds) return seconds;
  throw new Refused('Must be a number of seconds.');
}

function asId(value: unknown): string {
  return asText(typeof value === 'number' ? String(value) : value);
}

/** The text of a JSON object, as it was written where it came as text. */
function asCustom(value: unknown): string {
  const object = typeof value === 'string' ? parseJson(value) : value;
  if (!isRecord(object)) throw new Refused('Must be a JSON object, or a string that holds one.');
  return asText(typeof value === 'string' ? value : textOf(object), METADATA_LIMITS.custom);
}

function textOf(object: object): string {
  try {
    return JSON.stringify(object);
  } catch (error) {
    // It came from JSON: nothing in it refuses to be written but depth, which fills the stack.
    if (error instanceof RangeError) throw new Refused('Must not nest as deep.');
    throw error;
  }
}

function asAlternatives(value: unknown, entities: boolean): Alternative[] {
  if (!Array.isArray(value) || value.length > MOST_ALTERNATIVES)
    throw new Refused(`Must be a list of at most ${MOST_ALTERNATIVES} objects with title, image_url or both.`);
  const all = value.map((item: unknown, index) => asAlternative(item, `Number ${index + 1}`, entities));
  if (new Set(all.map((one) => JSON.stringify(one))).size < all.length)
    throw new Refused('Must not hold the same alternative twice.');
  return all;
}

function asAlternative(item: unknown, alternative: string, entities: boolean): Alternative {
  const isKnown = isRecord(item) && Object.keys(item).every((name) => name === 'title' || name === 'image_url');
  if (!isKnown) throw new Refused(`${alternative} must be an object with title, image_url or both.`);
  const { title, image_url: image } = item;
  const said: Alternative = {};
  if (!isBlank(title)) said.title = asHeadline(entities ? decoded(title) : title, alternative);
  if (!isBlank(image)) {
    try {
      said.imageUrl = asPicture(image);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw new Refused(`The image_url of ${alternative.toLowerCase()}: ${error.message}`);
    }
  }
  if (said.title === undefined && said.imageUrl === undefined)
    throw new Refused(`${alternative} must have a title, an image_url or both.`);
  return said;
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** What readers of a list see as text: markup in it would be shown as such. */
function asHeadline(value: unknown, name: string): string {
  const length = `The title of ${name.toLowerCase()} must be a string of at most ${LONGEST_ALTERNATIVE_TITLE} characters.`;
  if (typeof value !== 'string' || value.length > LONGEST_ALTERNATIVE_TITLE) throw new Refused(length);
  if (/[\p{Surrogate}\p{Control}]/u.test(value) || /<[a-z!/?]/i.test(value))
    throw new Refused(`The title of ${name.toLowerCase()} must be plain text, without markup and control characters.`);
  return value.trim();
}
