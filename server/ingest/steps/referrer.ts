// Classifies a referrer: a network, a search engine, an aggregator, an assistant, another site, or none.
import { parse } from 'tldts';
import type { ReferrerCategory } from '../../contract/referrers.ts';
import { parseUrl } from '../../posts/parseUrl.ts';
import type { ReferrerRules } from '../../sites/referrerRules.ts';
import { brandShownAs, type KnownReferrer, knownReferrers } from '../referrers/table.ts';

export interface Referrer {
  category: ReferrerCategory;
  /** Brand in lower case, else the host; "" for direct. */
  name: string;
  /** The exact host, without `www.`, or the Android package; "" for direct. */
  host: string;
}

export const DIRECT: Referrer = { category: 'direct', name: '', host: '' };

/** Longest name of the DNS, as `parseUrl` bounds hosts; packages are no longer either. */
const MAX_NAME = 253;

/**
 * There is no complete list of servers of the Fediverse; by custom their hosts begin with the name of the software
 * (mastodon.example, lemmy.example.org).
 */
const FEDIVERSE =
  /^(?:akkoma|bookwyrm|firefish|friendica|gotosocial|hubzilla|kbin|lemmy|masto|mastodon|mbin|misskey|mstdn|peertube|piefed|pixelfed|pleroma|sharkey)\./;

/**
 * Classifies a referrer that is not the site's own, by its host alone: browsers send no more of a foreign page. A host
 * is looked up whole, then without its first label, and so on: never by a part of a word (a match on `t.co` inside
 * `microsoft.com` would count a network).
 * @param url Already parsed; `android-app://` is understood, every other scheme but http and https is direct.
 */
export function classifyReferrer(url: URL | undefined): Referrer {
  if (!url) return DIRECT;
  if (url.protocol === 'android-app:') return classifyApp(url.hostname.toLowerCase());
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return DIRECT;
  const host = bareHost(url.hostname);
  return host.length > MAX_NAME ? DIRECT : classifyHost(host);
}

/** Without the root's dot and without `www.`. */
export const bareHost = (hostname: string): string => hostname.replace(/\.$/, '').replace(/^www\.(?=.*\.)/, '');

function classifyApp(name: string): Referrer {
  if (name === '' || name.length > MAX_NAME) return DIRECT;
  const known = knownReferrers.get(name);
  return known ? toReferrer(known, name) : { category: 'other', name, host: name };
}

function classifyHost(host: string): Referrer {
  const known = lookUp(host);
  if (known) return toReferrer(known, host);
  return { category: FEDIVERSE.test(host) ? 'social' : 'other', name: host, host };
}

const toReferrer = ({ category, brand = '' }: KnownReferrer, host: string): Referrer => ({
  category,
  name: brand || host,
  host,
});

/**
 * The host and its parents down to the registrable domain, most exact first, each also with its country taken out
 * (`news.google.co.uk` → `news.google.{}`).
 */
function lookUp(host: string): KnownReferrer | undefined {
  const { domain, publicSuffix } = parse(host);
  const country = publicSuffix && /(?:^|\.)[a-z]{2}$/.test(publicSuffix) ? `.${publicSuffix}` : undefined;
  for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
    const known =
      knownReferrers.get(name) ??
      (country !== undefined && name.endsWith(country)
        ? knownReferrers.get(`${name.slice(0, 1 - country.length)}{}`)
        : undefined);
    if (known && !(known.exact && name !== host)) return known;
    if (domain === null || name.length <= domain.length || !name.includes('.')) return undefined;
  }
}

/**
 * Applies the rules of a site to a referrer. Where a rule changes its category, its name becomes its host.
 * @returns The same referrer where no rule is about it.
 */
export function underRules(found: Referrer, rules: ReferrerRules | undefined): Referrer {
  if (rules === undefined || found.host === '') return found;
  const category = ruleFor(found.host, rules);
  return category === undefined || category === found.category ? found : { ...found, category, name: found.host };
}

/** The host's own rule, else the one of its nearest parent's subdomains. */
function ruleFor(host: string, rules: ReferrerRules): ReferrerCategory | undefined {
  const own = rules.get(host);
  if (own !== undefined) return own;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    const category = rules.get(`*${host.slice(dot)}`);
    if (category !== undefined) return category;
  }
  return undefined;
}

/** Stored referrers that a name, a brand or a host means. */
export interface ReferrersMeant {
  /** Names as they are stored. */
  names: string[];
  /** The very host. */
  host: string;
  /** Names under which the host was stored while hosts were not: its brand, or its registrable domain. */
  formerNames: string[];
}

/** Reads what `domain=` names: `facebook`, `facebook.com`, `www.google.de`, `com.openai.chatgpt`. */
export function referrersMeant(text: string): ReferrersMeant {
  const asked = text.trim().toLowerCase();
  const address = parseUrl(`https://${asked}/`);
  const host = address ? bareHost(address.hostname) : asked;
  const known = classifyReferrer(address).name;
  return {
    names: [...new Set([asked, host, brandShownAs(host) ?? host])],
    host,
    formerNames: [known, parse(host).domain ?? host],
  };
}
