// Where a visitor came from: the site itself, a network, a search engine, somewhere else, or nowhere that was said.
import { parse } from 'tldts';
import type { ReferrerType } from '../eventRow.ts';
import { known, namedOther, newerSearch, newerSocial } from '../referrers/knownHosts.ts';

export interface Referrer {
  type: ReferrerType;
  /** Brand in lower case, else the registrable domain; "" for direct. */
  name: string;
}

export const DIRECT: Referrer = { type: 'direct', name: '' };

const tables: readonly { type: ReferrerType; hosts: ReadonlyMap<string, string> }[] = [
  { type: 'other', hosts: new Map(Object.entries(namedOther)) },
  { type: 'social', hosts: new Map([...Object.entries(known.social), ...Object.entries(newerSocial)]) },
  { type: 'search', hosts: new Map([...Object.entries(known.search), ...Object.entries(newerSearch)]) },
];
const portals = new Map(Object.entries(known.searchWithWords));

/**
 * Classifies a referrer that is not the site's own. A host is looked up whole, then without its first label, and so
 * on: never by a part of a word (a match on `t.co` inside `microsoft.com` is how others count networks).
 * @param url Already parsed; `android-app://` is understood, every other scheme but http and https is direct.
 */
export function classifyReferrer(url: URL | undefined): Referrer {
  if (!url) return DIRECT;
  if (url.protocol === 'android-app:') return lookUp([url.hostname.toLowerCase()]) ?? other(url.hostname.toLowerCase());
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return DIRECT;
  const host = url.hostname.replace(/\.$/, '');
  const parsed = parse(host);
  const names = spellings(host, parsed.domain, parsed.publicSuffix);
  return lookUp(names) ?? portalSearch(names, url.searchParams) ?? other(parsed.domain ?? host);
}

const other = (name: string): Referrer => ({ type: 'other', name });

function lookUp(names: readonly string[]): Referrer | undefined {
  for (const name of names) {
    for (const { type, hosts } of tables) {
      const brand = hosts.get(name);
      if (brand !== undefined) return { type, name: brand };
    }
  }
  return undefined;
}

function portalSearch(names: readonly string[], query: URLSearchParams): Referrer | undefined {
  for (const name of names) {
    const portal = portals.get(name);
    if (!portal) continue;
    const [brand = name, ...words] = portal;
    if (words.some((word) => query.has(word))) return { type: 'search', name: brand };
  }
  return undefined;
}

/**
 * A host and its parents down to the registrable domain, most exact first, each also with its country taken out
 * (`news.google.co.uk` → `news.google.{}`).
 */
function spellings(host: string, domain: string | null, suffix: string | null): string[] {
  const names: string[] = [];
  const country = suffix && /(?:^|\.)[a-z]{2}$/.test(suffix) ? suffix : undefined;
  for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
    names.push(name);
    if (country && name.endsWith(`.${country}`)) names.push(`${name.slice(0, -country.length)}{}`);
    if (domain === null || name.length <= domain.length || !name.includes('.')) return names;
  }
}
