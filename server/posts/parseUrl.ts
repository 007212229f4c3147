// The one place where text from outside is parsed as a URL. A host name is converted to Punycode there, in time that
// grows with the square of its length: a host longer than any name of the DNS is refused before.
//
//   parseUrl('https://bücher.example/a')            → URL of https://xn--bcher-kva.example/a
//   parseUrl('../b', 'https://paper.example/a/')    → URL of https://paper.example/b
//   parseUrl(`https://${'中'.repeat(8000)}.org/`)    → undefined

/** Longest name of the DNS in its textual form (RFC 1035, section 2.3.4). */
const MAX_HOST = 253;
/** As it is written: with the dot of the root. */
const MAX_WRITTEN = MAX_HOST + 1;
/** Characters of a percent-encoded code point: four bytes of three characters. */
const LONGEST_ESCAPE = 12;

/** Schemes whose hosts are domain names (URL Standard, special schemes); `file` has rules of its own. */
const SPECIAL = new Set(['http', 'https', 'ws', 'wss', 'ftp']);

/**
 * What may precede a host, and the authority: leading control characters, the scheme and any number of slashes are
 * skipped.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser skips them
const START = /^[\u0000-\u0020]*(?:([a-z][a-z\d+.-]*):)?([\\/]*)([^\\/?#]*)/i;

/**
 * As `new URL(text, base)`, for text from outside.
 * @param base An http or https URL that was parsed before. Default: the text must be absolute.
 * @returns undefined when it is no URL, or its host is longer than 253 characters, as written or in Punycode.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  // No host is longer than the text it stands in.
  if (text.length > MAX_WRITTEN && !isShort(writtenHost(text, base))) return undefined;
  const url = parse(text, base);
  if (url === undefined) return undefined;
  return url.hostname.length <= MAX_HOST || withoutRoot(url.hostname).length <= MAX_HOST ? url : undefined;
}

/**
 * Not by `URL.canParse`: once compiled, that of Node 20 refuses hosts with letters of Latin-1 such as "bücher.example".
 */
function parse(text: string, base: string | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

const withoutRoot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/** Length in code points where it is percent-encoded: continuation bytes count nothing. */
function isShort(host: string): boolean {
  if (host.length <= MAX_WRITTEN) return true;
  if (host.length > MAX_WRITTEN * LONGEST_ESCAPE) return false;
  return host.replace(/%[89ab][\da-f]/gi, '').replace(/%[\da-f]{2}/gi, '.').length <= MAX_WRITTEN;
}

/** The text that the URL parser would convert to a domain name; "" where it converts none. */
function writtenHost(text: string, base: string | undefined): string {
  // The URL parser removes these, wherever they stand.
  const [, written, slashes = '', authority = ''] = START.exec(text.replace(/[\t\n\r]+/g, '')) ?? [];
  const scheme = written?.toLowerCase();
  if (scheme === 'file') return slashes.length === 2 ? authority : '';
  if (scheme !== undefined && !SPECIAL.has(scheme)) return '';
  const relative = scheme === undefined || base?.startsWith(`${scheme}:`);
  if (relative && slashes.length < 2) return '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const port = host.includes('[') ? -1 : host.indexOf(':');
  return port === -1 ? host : host.slice(0, port);
}
