// Traffic of posts, as /analytics/posts and /analytics/series narrow it: the parameters, and the scope they mean.
import { DEFAULT_PERIOD_DAYS } from '../contract/limits.ts';
import { resolvePublished } from '../traffic/period.ts';
import type { Scope } from '../traffic/scope.ts';
import type { Ask } from './endpoint.ts';
import { clockOf, type ListDeps, scopeOf } from './lists.ts';
import { texts } from './params.ts';
import { type PeriodParams, type PublishedParams, periodOf, publishedParams } from './period.ts';
import { type VisitFilterParams, visitFilterParams, visitFiltersOf } from './visitFilters.ts';

/** Of /analytics. */
export const TRAFFIC_RULE = { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'refuse' } as const;

export const postTrafficParams = {
  ...publishedParams,
  author: texts('Posts written by this author; by all of them when repeated.'),
  tag: texts('Posts with this tag; with all of them when repeated.'),
  section: texts('Posts in this section; in any of them when repeated.'),
  ...visitFilterParams,
};

type PostTrafficParams = PeriodParams &
  PublishedParams &
  VisitFilterParams & { author: string[]; tag: string[]; section: string[] };

/** @throws {BadParameters} for a period that ends before it starts or exceeds the maximum. */
export async function postTrafficOf(
  deps: Pick<ListDeps, 'exclusions'>,
  ask: Pick<Ask<PostTrafficParams>, 'params' | 'site' | 'now'>,
): Promise<Scope> {
  const { params } = ask;
  const { author: authors, tag: tags, section: sections, pub_date_start: start, pub_date_end: end } = params;
  const scope = await scopeOf(deps, ask, periodOf(params, TRAFFIC_RULE, clockOf(ask)));
  const posts = { authors, tags, sections, published: resolvePublished({ start, end }, clockOf(ask)) };
  return { ...scope, ...visitFiltersOf(params), posts };
}
