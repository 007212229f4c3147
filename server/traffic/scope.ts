// Which traffic a question is about. The excluded URLs are a required part, so that no query can leave them out.
import { REFERRER_CATEGORIES, type ReferrerCategory } from '../contract/referrers.ts';
import type { Channel, Device } from '../ingest/eventRow.ts';
import type { SiteId } from '../sites/site.ts';
import type { Period } from './period.ts';

export const CAMPAIGN_KEYS = ['id', 'medium', 'source', 'content', 'term'] as const;
export type CampaignKey = (typeof CAMPAIGN_KEYS)[number];

/** Something an event says about its visit, by which traffic is listed or narrowed. */
export type Facet = `campaign_${CampaignKey}` | 'segment' | `referrer_${ReferrerCategory}` | 'channel';

/** Traffic by how it came. */
export function toFacets([first, ...more]: readonly [ReferrerCategory, ...ReferrerCategory[]]): [Facet, ...Facet[]] {
  return [`referrer_${first}`, ...more.map((category) => `referrer_${category}` as const)];
}

/** Traffic that came from somewhere. */
export const REFERRED_FACETS = toFacets(REFERRER_CATEGORIES);

/** Every way a visit can have come, `direct` included. */
export const REFERRER_FACETS: readonly [Facet, ...Facet[]] = [...REFERRED_FACETS, 'referrer_direct'];

const REFERRER = 'referrer_';

/** The category of referrers that is counted as a facet; undefined for a facet of another kind. */
export const categoryOf = (facet: string): ReferrerCategory | undefined =>
  facet.startsWith(REFERRER) ? (facet.slice(REFERRER.length) as ReferrerCategory) : undefined;

/** Traffic that has one of these facets: with one of these values, or with any. */
export interface FacetFilter {
  facets: readonly [Facet, ...Facet[]];
  values?: readonly string[] | undefined;
  /** Of referrers: beside those with one of the values, those of this very host. */
  host?: ReferrerHost | undefined;
}

export interface ReferrerHost {
  is: string;
  /** What the host was called in rows that were stored without one. */
  formerNames: readonly string[];
}

/** Which posts: all conditions hold. */
export interface PostFilters extends KnownKeys {
  /** Only these canonical URLs. */
  urls?: readonly string[] | undefined;
  /** Every one of them must have written it. */
  authors?: readonly string[];
  /** Every one of them must be on it. */
  tags?: readonly string[];
  /** It stands in any one of them. */
  sections?: readonly string[];
  /** Only posts whose page is not gone: for lists that readers see. Default: all. */
  arePresent?: true;
  /** Epoch milliseconds, inclusive. With a start, posts without a date are left out. */
  published?: { start: number | undefined; end: number | undefined };
  /** What is stored of it changed last within this time, and so much later than its date. Epoch milliseconds. */
  updated?: { start: number; end: number; afterDate: number };
}

/** Which pages, posts or not. */
export interface PageFilter extends KnownKeys {
  /** Canonical URLs. */
  urls: readonly string[];
}

/** What was looked up of a filter, see `keysOf`. */
interface KnownKeys {
  /** Keys of all pages of the scope that count, as decimal text. Default: each statement looks them up. */
  keys?: readonly string[];
}

export interface Scope {
  site: SiteId;
  /** Time zone of the site: days are its days. */
  zone: string;
  period: Period;
  /** Canonical URLs whose traffic does not count. */
  excluded: ReadonlySet<string>;
  channel?: Channel | undefined;
  device?: Device | undefined;
  /** All of them hold. */
  facets?: readonly FacetFilter[];
  /** Only posts that pass. */
  posts?: PostFilters;
  /** Only these pages, posts or not. For lists that are not made of posts. */
  pages?: PageFilter;
}

/** Keys of the pages of a scope, where they were looked up: with its filter of posts, else with that of pages. */
export const keysOf = ({ posts, pages }: Scope): readonly string[] | undefined => (posts ?? pages)?.keys;

/** Whether no filter of posts leaves most of them out. Without a start of its dates, a page without metadata passes. */
export function isOfAllPosts({
  urls,
  authors = [],
  tags = [],
  sections = [],
  published,
  updated,
}: PostFilters): boolean {
  const isNamed = urls !== undefined || authors.length + tags.length + sections.length > 0;
  return !isNamed && published?.start === undefined && updated === undefined;
}
