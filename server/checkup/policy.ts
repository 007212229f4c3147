// What a Content-Security-Policy lets a page load, as far as our own needs go: our script, a connection to our server,
// and its thumbnails. After https://www.w3.org/TR/CSP3/#match-url-to-source-list, in short; several policies must all
// agree.

/** A script, a picture or another address a page wants to load. */
export interface Wanted {
  url: URL;
  /** Address of the page: what `'self'` is. */
  page: URL;
  /** Of the script's tag; "" for none. */
  nonce?: string;
  integrity?: string;
}

const FALLBACKS = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connect: ['connect-src', 'default-src'],
  image: ['img-src', 'default-src'],
} as const;

/** @returns Name of the directive that refuses; undefined when every policy allows it. */
export function refusedBy(
  policies: readonly string[],
  kind: keyof typeof FALLBACKS,
  wanted: Wanted,
): string | undefined {
  for (const policy of policies) {
    const directives = parsePolicy(policy);
    const name = FALLBACKS[kind].find((directive) => directives.has(directive));
    if (name !== undefined && !allows(directives.get(name)!, kind, wanted)) return name;
  }
  return undefined;
}

/** Directives by name; of two with one name the first counts. */
function parsePolicy(policy: string): Map<string, string[]> {
  const directives = new Map<string, string[]>();
  for (const part of policy.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/);
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

function allows(sources: readonly string[], kind: keyof typeof FALLBACKS, wanted: Wanted): boolean {
  const { nonce = '', integrity = '' } = wanted;
  if (kind === 'script') {
    if (nonce !== '' && sources.includes(`'nonce-${nonce}'`)) return true;
    const hashes = integrity.split(/\s+/).filter(Boolean);
    if (hashes.length > 0 && hashes.every((hash) => sources.includes(`'${hash}'`))) return true;
    // With it, names of hosts count for nothing.
    if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false;
  }
  return sources.some((source) => covers(source, wanted));
}

function covers(source: string, { url, page }: Wanted): boolean {
  const lower = source.toLowerCase();
  if (lower === '*') return true;
  if (lower === "'self'") return url.origin === page.origin;
  if (lower.startsWith("'")) return false;
  if (/^[a-z][a-z0-9+.-]*:$/.test(lower)) return suitsScheme(lower, url.protocol);
  return coversHost(source, { url, page });
}

/** `https://*.example.com:443/path/`, with everything but the host left out at will. */
function coversHost(source: string, { url, page }: Pick<Wanted, 'url' | 'page'>): boolean {
  const found = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+|\[[\da-f:]+\])(?::(\d+|\*))?(\/[^?#]*)?$/i.exec(
    source,
  );
  if (!found) return false;
  const [, scheme, host = '', port, path = ''] = found;
  if (!suitsScheme(`${scheme?.toLowerCase() ?? page.protocol.slice(0, -1)}:`, url.protocol)) return false;
  const name = host.toLowerCase();
  const suits = name === '*' || (name.startsWith('*.') ? url.hostname.endsWith(name.slice(1)) : url.hostname === name);
  if (!suits || !suitsPort(port, url)) return false;
  if (path === '' || path === '/') return true;
  return path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path;
}

/** What is allowed plainly is allowed encrypted too. */
const suitsScheme = (allowed: string, asked: string) =>
  allowed === asked || (allowed === 'http:' && asked === 'https:');

function suitsPort(allowed: string | undefined, { port, protocol }: URL): boolean {
  const usual = protocol === 'https:' ? '443' : '80';
  if (allowed === undefined) return port === '';
  return allowed === '*' || allowed === (port || usual);
}
