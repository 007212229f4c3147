// One post: how its views grew beside those of its section, and the pages of the site before and after it.
import { z } from 'zod';
import { DEFAULT_PERIOD_DAYS } from '../contract/limits.ts';
import { endpoint } from '../http/endpoint.ts';
import { clockOf, detailOf, listOf, scopeOf, sliceOf, toRankedPost } from '../http/lists.ts';
import { limit, page, url } from '../http/params.ts';
import { analyticsPeriodParams, periodOf } from '../http/period.ts';
import { visitFilterParams, visitFiltersOf } from '../http/visitFilters.ts';
import { readGrowth } from '../rankings/growth.ts';
import { rankPaths } from '../rankings/paths.ts';
import type { PathsQuestion } from '../traffic/paths.ts';

const RULE = { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'refuse' } as const;

const growth = endpoint({
  summary:
    'Views of a post by its age: up to each hour for two days, then to the end of each day for 28, beside those of the 50 posts of its section before it.',
  record: 'Growth',
  params: z.object({ url }),
  async answer(ask, deps) {
    const { site, params, now } = ask;
    const canonical = await deps.library.resolve(site.id, params.url);
    const excluded = await deps.exclusions.of(site.id);
    const [post] = await deps.library.cards(site.id, [canonical]);
    const isShown = post?.pageType === 'post' && post.pubDate !== null && !excluded.has(canonical);
    const scope = { site: site.id, zone: site.timezone, excluded };
    const data = isShown
      ? await readGrowth(deps.store.traffic, { scope, post: { ...post, pubDate: post.pubDate! }, now })
      : [];
    return detailOf(deps, ask, { data, metrics: ['views'], sort: 'age' });
  },
});

const pathsOf = (direction: PathsQuestion['direction'], summary: string) =>
  endpoint({
    summary,
    record: 'Post',
    params: z.object({ url, ...analyticsPeriodParams(RULE), ...visitFilterParams, limit, page }),
    async answer(ask, deps) {
      const period = periodOf(ask.params, RULE, clockOf(ask));
      const scope = { ...(await scopeOf(deps, ask, period)), ...visitFiltersOf(ask.params) };
      const url = await deps.library.resolve(ask.site.id, ask.params.url);
      const found = scope.excluded.has(url)
        ? { records: [], more: false }
        : await rankPaths(deps.store.traffic, { scope, url, direction, ...sliceOf(ask) });
      return listOf(deps, ask, { page: found, metrics: ['views'], period, toRecord: toRankedPost(deps, ask) });
    },
  });

export const onePost = {
  growth,
  previous: pathsOf('previous', 'Pages of the site that led readers to a post.'),
  next: pathsOf('next', 'Pages of the site that readers opened from a post.'),
};
