// One post, the posts of one author, section or tag, and the videos.
import { z } from 'zod';
import { DEFAULT_META_DETAIL_DAYS, DEFAULT_PERIOD_DAYS, MAX_SPAN_DAYS } from '../contract/limits.ts';
import { endpoint } from '../http/endpoint.ts';
import {
  answerPosts,
  clockOf,
  detailOf,
  listOf,
  publishedByNow,
  scopeOf,
  sliceOf,
  toRankedPost,
} from '../http/lists.ts';
import { METAS, namedFilter, namedValue } from '../http/metaDetail.ts';
import { limit, oneOf, page, url } from '../http/params.ts';
import { analyticsPeriodParams, periodOf, publishedParams } from '../http/period.ts';
import { metrics, sort, videoMetrics, videoSort } from '../http/sort.ts';
import { thumbnailOf } from '../http/thumbnailOf.ts';
import { visitFilterParams, visitFiltersOf } from '../http/visitFilters.ts';
import { toPostRecord } from '../posts/toPostRecord.ts';
import { countPosts, describePosts, rankVideos } from '../rankings/rankings.ts';
import { namesShown, toMetrics } from '../traffic/metrics.ts';
import { resolvePublished } from '../traffic/period.ts';
import { VIDEO_METRICS } from '../traffic/rankVideos.ts';

const RULES = {
  post: { defaultDays: MAX_SPAN_DAYS, tooLong: 'clamp' },
  videos: { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'clamp' },
  named: { defaultDays: DEFAULT_META_DETAIL_DAYS, tooLong: 'clamp' },
} as const;

const post = endpoint({
  summary: 'One post: what is known about it, with its views, its visitors, and the metrics that are asked for.',
  record: 'PostDetail',
  params: z.object({ url, ...analyticsPeriodParams(RULES.post), sort, metrics, ...visitFilterParams }),
  async answer(ask, deps) {
    const period = periodOf(ask.params, RULES.post, clockOf(ask));
    const scope = { ...(await scopeOf(deps, ask, period)), ...visitFiltersOf(ask.params) };
    const canonical = await deps.library.resolve(ask.site.id, ask.params.url);
    const post = (await describePosts(deps.store.traffic, ask.site.id, [canonical])).get(canonical);
    const { sort, metrics: beside } = ask.params;
    const names = namesShown(sort, ['views', 'visitors', ...beside]);
    const shownAs = { metrics: names, sort };
    if (!post || scope.excluded.has(canonical)) return detailOf(deps, ask, { data: [], ...shownAs });
    const metrics = [...names, 'avg_engaged'] as const;
    const counts = (await countPosts(deps.store.traffic, { scope, urls: [canonical], metrics })).get(canonical) ?? {};
    const shown = toMetrics(names, counts);
    const { avg_engaged } = toMetrics(['avg_engaged'], counts);
    const record = {
      ...toPostRecord(post, thumbnailOf(deps, ask), { hits: shown.views ?? 0, metrics: shown }),
      avg_engaged,
    };
    return detailOf(deps, ask, { data: [record], ...shownAs });
  },
});

const videos = endpoint({
  summary: 'Videos by starts.',
  record: 'Post',
  params: z.object({
    ...analyticsPeriodParams(RULES.videos),
    sort: videoSort,
    metrics: videoMetrics,
    limit,
    page,
  }),
  async answer(ask, deps) {
    const period = periodOf(ask.params, RULES.videos, clockOf(ask));
    const { sort: metric } = ask.params;
    const found = await rankVideos(deps.store.traffic, {
      scope: { ...(await scopeOf(deps, ask, period)), posts: publishedByNow(ask) },
      sort: metric,
      ...sliceOf(ask),
    });
    const metrics = [metric, ...VIDEO_METRICS.filter((name) => name !== metric)];
    return listOf(deps, ask, { page: found, metrics, period, toRecord: toRankedPost(deps, ask) });
  },
});

const named = endpoint({
  summary: 'Posts under one author, section or tag.',
  record: 'Post',
  params: z.object({
    meta: oneOf(METAS, 'What the name names.'),
    value: namedValue,
    ...analyticsPeriodParams(RULES.named),
    ...publishedParams,
    sort,
    metrics,
    limit,
    page,
  }),
  async answer(ask, deps) {
    const { pub_date_start: start, pub_date_end: end } = ask.params;
    const period = periodOf(ask.params, RULES.named, clockOf(ask));
    const published = resolvePublished({ start, end }, clockOf(ask));
    const posts = { ...(await namedFilter(deps, ask)), published };
    const scope = { ...(await scopeOf(deps, ask, period)), posts };
    return await answerPosts(deps, ask, { key: 'post', scope, sort: ask.params.sort, beside: ask.params.metrics });
  },
});

export const details = { post, videos, named };
