// Traffic of posts, as /analytics/posts and /analytics/series narrow it: the parameters, and the scope they mean.
import { DEFAULT_PERIOD_DAYS } from '../contract/limits.ts';
import { referrersMeant } from '../ingest/steps/referrer.ts';
import type { Site } from '../sites/site.ts';
import { resolvePublished } from '../traffic/period.ts';
import { type FacetFilter, type PostFilters, REFERRED_FACETS, type Scope } from '../traffic/scope.ts';
import type { Ask } from './endpoint.ts';
import { clockOf, type ListDeps, scopeOf } from './lists.ts';
import { text, texts, url } from './params.ts';
import { type PeriodParams, type PublishedParams, periodOf, publishedParams } from './period.ts';
import { type VisitFilterParams, visitFilterParams, visitFiltersOf } from './visitFilters.ts';

/** Of /analytics. */
export const TRAFFIC_RULE = { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'refuse' } as const;

/** One post, in a list of anything. */
export const postParam = url.meta({ description: 'This post alone: its canonical URL, or another of its addresses.' });

export const postTrafficParams = {
  ...publishedParams,
  post: postParam.optional(),
  author: texts('Posts written by this author; by all of them when repeated.'),
  tag: texts('Posts with this tag; with all of them when repeated.'),
  section: texts('Posts in this section; in any of them when repeated.'),
  referrer: text(
    'Views from this referrer, of any type: its name as a list of referrers has it, its brand, or a host; direct: from none.',
  ).optional(),
  ...visitFilterParams,
};

/** Filters by posts: one by the name that every list has, some by the name that published clients give. */
interface NamedPosts {
  post?: string | undefined;
  url?: readonly string[] | undefined;
}

type PostTrafficParams = PeriodParams &
  PublishedParams &
  VisitFilterParams &
  NamedPosts & {
    author: string[];
    tag: string[];
    section: string[];
    referrer?: string | undefined;
  };

type PostTrafficDeps = Pick<ListDeps, 'exclusions'> & { library: Pick<ListDeps['library'], 'resolve'> };

/** The canonical URLs of a filter by posts, for a filter of posts; nothing where there is none. */
export async function urlsOf(
  { library }: Pick<PostTrafficDeps, 'library'>,
  { site, params: { post, url = [] } }: { site: Pick<Site, 'id'>; params: NamedPosts },
): Promise<Pick<PostFilters, 'urls'>> {
  const named = post === undefined ? url : [post, ...url];
  if (named.length === 0) return {};
  const urls = await Promise.all(named.map((address) => library.resolve(site.id, address)));
  return { urls: [...new Set(urls)] };
}

/** @throws {BadParameters} for a period that ends before it starts or exceeds the maximum. */
export async function postTrafficOf(
  deps: PostTrafficDeps,
  ask: Pick<Ask<PostTrafficParams>, 'params' | 'site' | 'now'>,
): Promise<Scope> {
  const { params } = ask;
  const { author: authors, tag: tags, section: sections, pub_date_start: start, pub_date_end: end } = params;
  const scope = await scopeOf(deps, ask, periodOf(params, TRAFFIC_RULE, clockOf(ask)));
  const published = resolvePublished({ start, end }, clockOf(ask));
  const posts = { ...(await urlsOf(deps, ask)), authors, tags, sections, published };
  const visits = visitFiltersOf(params);
  const facets = [...(visits.facets ?? []), ...(params.referrer === undefined ? [] : [cameFrom(params.referrer)])];
  return { ...scope, ...visits, facets, posts };
}

/**
 * The same for lists that are not made of posts: without a filter on posts, the traffic of all pages counts, with and
 * without metadata.
 */
export async function pageTrafficOf(
  deps: PostTrafficDeps,
  ask: Pick<Ask<PostTrafficParams>, 'params' | 'site' | 'now'>,
): Promise<Scope> {
  const { post, url = [], author, tag, section, pub_date_start, pub_date_end } = ask.params;
  const { posts, ...scope } = await postTrafficOf(deps, ask);
  const names = [url, author, tag, section];
  const narrows = post ?? pub_date_start ?? pub_date_end ?? names.some((values) => values.length > 0);
  return narrows ? { ...scope, ...(posts && { posts }) } : scope;
}

function cameFrom(referrer: string): FacetFilter {
  if (referrer === 'direct') return { facets: ['referrer_direct'] };
  const { names, host, formerNames } = referrersMeant(referrer);
  return { facets: REFERRED_FACETS, values: names, host: { is: host, formerNames } };
}
