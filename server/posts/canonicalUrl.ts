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
const NAMES = new Set(TRACKING.filter((name) => !name.endsWith('*')));
const PREFIXES = TRACKING.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));

// Control characters are refused rather than left to the URL parser, which would silently take them out.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]|%00/;

/**
 * A URL as its publisher gave it: obeyed, only brought into the one form the URL standard gives it (scheme and host in
 * lower case, default port gone), without fragment and without a user name or password.
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
  return finish(withoutTracking(address));
}

/** As `canonicalUrl`, for those who need the parts too. */
export function parseWebUrl(text: string): URL | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_INPUT || CONTROL.test(trimmed) || !/^https?:\/\/[^/\\]/i.test(trimmed)) return undefined;
  const url = parseUrl(trimmed);
  if (!url) return undefined;
  // Each of these writes the whole URL anew, and most have none of them.
  if (url.hash !== '' || trimmed.endsWith('#')) url.hash = '';
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  // Setters leave the old value when the new one is not allowed: a host of dots only stays as it was.
  return url.hostname === '' || url.hostname.endsWith('.') ? undefined : url;
}

/** The same address without tracking parameters; the same URL where it has none. */
function withoutTracking(url: URL): URL {
  if (url.search === '') return url;
  const parts = url.search.slice(1).split('&');
  const kept = parts.filter((part) => part !== '' && !isTracking(part));
  if (kept.length === parts.length) return url;
  const clean = new URL(url);
  // The setter takes a leading "?" for the mark itself: a query that begins with one needs its own.
  clean.search = kept.length > 0 ? `?${kept.join('&')}` : '';
  return clean;
}

/** The same address without its query: the last look-up for an address nobody declared. */
export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

function isTracking(part: string): boolean {
  const end = part.indexOf('=');
  const name = (end === -1 ? part : part.slice(0, end)).toLowerCase();
  return NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}

function finish(url: URL | undefined): string | undefined {
  if (!url) return undefined;
  // "?" alone is no query.
  const text = url.search === '' ? url.href.replace(/\?$/, '') : url.href;
  return text.length <= MAX_URL_LENGTH ? text : undefined;
}
