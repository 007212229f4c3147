// The table of known referrers (hosts.json), read once into maps. The file is edited by hand; `mergeMatomo.ts` adds
// what a newer edition of its source has. Category → brand → hosts and Android packages, sorted:
//
//   "flipboard": ["flipboard.com", "flip.it"]   a brand; the first host of a network, aggregator or mail service is its
//                                               main domain
//   "google": ["=google.com", "google.{}"]      `=` leaves the subdomains out; `{}` is a country: google.de
//   "*": ["fosstodon.org"]                      hosts that go by their own names
import type { ReferrerCategory } from '../../contract/referrers.ts';
import hosts from './hosts.json' with { type: 'json' };

/** Categories that the table sorts hosts into; the others depend on the site. */
export const TABLE_CATEGORIES = ['search', 'social', 'aggregator', 'ai', 'other'] as const;

export interface KnownReferrer {
  category: (typeof TABLE_CATEGORIES)[number];
  /** Lower case; undefined where hosts go by their own names. */
  brand: string | undefined;
  /** Whether subdomains are left out. */
  exact: boolean;
}

const OWN_NAME = '*';

const entries = TABLE_CATEGORIES.flatMap((category) =>
  Object.entries<string[]>(hosts[category]).flatMap(([brand, names]) =>
    names.map((name) => {
      const exact = name.startsWith('=');
      const known: KnownReferrer = { category, brand: brand === OWN_NAME ? undefined : brand, exact };
      return [exact ? name.slice(1) : name, known] as const;
    }),
  ),
);

/** By host, or host with `{}` for its country, or Android package. */
export const knownReferrers: ReadonlyMap<string, KnownReferrer> = new Map(entries);

/** Categories whose brands are shown as their main domains; engines and assistants are shown by name. */
const SHOWN_BY_DOMAIN = TABLE_CATEGORIES.filter((category) => category !== 'search' && category !== 'ai');

const domains: readonly (readonly [brand: string, domain: string])[] = SHOWN_BY_DOMAIN.flatMap((category) =>
  Object.entries<string[]>(hosts[category]).flatMap(([brand, [main = brand]]) =>
    brand === OWN_NAME ? [] : [[brand, main.replace('=', '')] as const],
  ),
);
const domainOfBrand: ReadonlyMap<string, string> = new Map(domains);
const brandOfDomain: ReadonlyMap<string, string> = new Map(domains.map(([brand, domain]) => [domain, brand]));

/** What a stored referrer is called in an answer: a network by its main domain, all else as it is stored. */
export const shownName = (category: ReferrerCategory, stored: string): string =>
  category === 'search' || category === 'ai' ? stored : (domainOfBrand.get(stored) ?? stored);

/** The brand that is shown by this name. */
export const brandShownAs = (name: string): string | undefined => brandOfDomain.get(name);
