// One page, one URL: what is dropped from an address before it names a page. Pure, and the same twice.
import { MAX_URL_LENGTH } from '../contract/limits.ts';
import { parseUrl } from './parseUrl.ts';

/** Longest address looked at: tracking parameters can double a URL that is fine without them. */
const MAX_INPUT = 4 * MAX_URL_LENGTH;

/** Parameters that say where a visitor came from, never which page it is. Prefixes end in `*`. */
const TRACKING = [
  ...[
    'utm_*',
    'itm_*',
    'pk_*',
    'mtm_*',
    'hsa_*',
    '__hs*',
    '_hs*',
    'hsctatracking',
    'wt.mc_*',
    'at_campaign',
    'at_medium',
  ],
  ...['fbclid', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'srsltid', 'msclkid', 'twclid', 'ttclid', 'li_fat_id'],
  ...[
    'yclid',
    'ysclid',
    'igshid',
    'igsh',
    'epik',
    'mc_cid',
    'mc_eid',
    'mkt_tok',
    'vero_id',
    'oly_anon_id',
    'oly_enc_id',
  ],
  ...[
    '_ga',
    '_gl',
    'cmpid',
    'mbid',
    'trkid',
    '_ebid',
    '__source',
    '__twitter_impression',
    'rb_clickid',
    's_kwcid',
    'ef_id',
  ],
];
const anyOf = (names: readonly string[]): string => names.join('|').replaceAll('.', '\\.');
/** A parameter of a query, name and value, that has one of the names. */
const TRACKED = new RegExp(
  `^(?:${anyOf(TRACKING.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1)))}|` +
    `(?:${anyOf(TRACKING.filter((name) => !name.endsWith('*')))})(?:=|$))`,
  'i',
);

const AMPERSAND = 0x26;

// Control characters are refused rather than left to the URL parser, which would silently take them out.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]|%00/;

/**
 * A URL as its publisher gave it: kept, but for the one form that the URL standard gives it (scheme and host in lower
 * case, default port gone), without fragment and without a user name or password.
 * @returns undefined unless it is absolute, http or https, and at most 2048 characters long.
 */
export function canonicalUrl(text: string): string | undefined {
  return finish(parseWebUrl(text));
}

/**
 * The page that an address bar shows: as `canonicalUrl`, and without tracking parameters. The others keep their order
 * and their spelling, because a page may depend on both.
 */
export function pageUrl(text: string): string | undefined {
  const url = parseWebUrl(text);
  return url && toPageUrl(url);
}

/** As `pageUrl`, of an address that `parseWebUrl` has read. */
export function toPageUrl(address: URL): string | undefined {
  const { href, search } = address;
  if (search === '') return finish(address);
  const kept = withoutTracking(search);
  return kept === undefined ? undefined : bounded(href.slice(0, href.indexOf('?')) + kept);
}

/** As `canonicalUrl`, for those who need the parts too. */
export function parseWebUrl(text: string): URL | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_INPUT || CONTROL.test(trimmed) || !/^https?:\/\/[^/\\]/i.test(trimmed)) return undefined;
  const url = parseUrl(trimmed);
  if (!url) return undefined;
  // Each of these serializes the whole URL, and most URLs have none of them.
  if (url.hash !== '' || trimmed.endsWith('#')) url.hash = '';
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  // Setters leave the old value when the new one is not allowed: a host of dots only stays as it was.
  return url.hostname === '' || url.hostname.endsWith('.') ? undefined : url;
}

/**
 * A query without tracking parameters and without empty ones. Stops at the length of the longest URL: a long query may
 * have thousands of parameters.
 * @param search As the URL parser wrote it, with its "?".
 * @returns With its "?"; "" where nothing is left, undefined where more is left than a URL may have.
 */
function withoutTracking(search: string): string | undefined {
  let kept = '';
  for (let start = 1; start < search.length; ) {
    if (search.charCodeAt(start) === AMPERSAND) {
      start++;
      continue;
    }
    const next = search.indexOf('&', start);
    const end = next === -1 ? search.length : next;
    const part = search.slice(start, end);
    if (!TRACKED.test(part)) kept += `${kept === '' ? '?' : '&'}${part}`;
    if (kept.length > MAX_URL_LENGTH) return undefined;
    start = end + 1;
  }
  return kept;
}

/** The same address without its query: the last look-up for an address that was not declared. */
export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

const PERCENT_ENCODED = /%[\da-f]{2}/gi;
/** Letters, digits, and `-._~`. */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|5[\daf]|7[\dae])/gi;

/**
 * The addresses under which a post is looked up, in this order: as it is written, in the form of declared URLs, in that
 * of page views, and without a query; then each in its equivalent spellings (RFC 3986, section 6.2.2). Unreserved
 * characters may be percent-encoded, as some libraries do with the tilde; and hex digits may be in upper case, as
 * browsers and search engines write them, or in lower case, as WordPress does. Callers send what their address bar
 * shows.
 */
export function lookUpsOf(url: string): string[] {
  const address = parseWebUrl(url);
  const page = address && toPageUrl(address);
  const forms = [url, finish(address), page, withoutQuery(page ?? url)].filter((form) => form !== undefined);
  const plain = forms.map((form) => form.replace(UNRESERVED, decodeURIComponent));
  const spelled = [...forms, ...plain, ...plain.map((form) => form.replaceAll('~', '%7E'))];
  const inUpperCase = spelled.map((form) => form.replace(PERCENT_ENCODED, (code) => code.toUpperCase()));
  const inLowerCase = spelled.map((form) => form.replace(PERCENT_ENCODED, (code) => code.toLowerCase()));
  return [...new Set([...spelled, ...inUpperCase, ...inLowerCase])];
}

function finish(url: URL | undefined): string | undefined {
  if (!url) return undefined;
  // "?" alone is no query.
  return bounded(url.search === '' ? url.href.replace(/\?$/, '') : url.href);
}

const bounded = (text: string): string | undefined => (text.length <= MAX_URL_LENGTH ? text : undefined);
