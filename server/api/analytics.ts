// Ranked lists of a site's traffic, for its editors. /v2/analytics/… and /v2/realtime/… differ in their time
// parameters.
import { z } from 'zod';
import { type Ask, endpoint } from '../http/endpoint.ts';
import { answerFacets, answerNames, answerPosts, answerReferrers } from '../http/lists.ts';
import { limit, listOf, oneOf, page, url } from '../http/params.ts';
import { analyticsPeriodParams, realtimeParams } from '../http/period.ts';
import { pageTrafficOf, postTrafficOf, postTrafficParams, TRAFFIC_RULE } from '../http/postTraffic.ts';
import { metrics, sort } from '../http/sort.ts';
import type { Metric } from '../traffic/metrics.ts';
import { CAMPAIGN_KEYS, type FacetFilter, REFERRER_FACETS } from '../traffic/scope.ts';

const period = analyticsPeriodParams(TRAFFIC_RULE);

/** As many posts as a screen of the WordPress plugin lists, each by two addresses. */
const MOST_URLS = 100;

const urls = listOf(
  url.meta({ description: 'These posts alone, each by any of its addresses; lists of posts then have more metrics.' }),
  MOST_URLS,
);

const listParams = { sort, metrics, limit, page, url: urls };

interface Measured {
  sort: Metric;
  metrics: Metric[];
}

const shown = ({ params: { sort, metrics } }: Ask<Measured>) => ({ sort, beside: metrics });

/** Metrics of posts that are named, whatever the sort: the WordPress plugin reads them all from one answer. */
const OF_NAMED: readonly Metric[] = ['views', 'visitors', 'avg_engaged', 'recirculation_rate'];

type Time = typeof period | typeof realtimeParams;

const postsBy = (time: Time) =>
  endpoint({
    summary: 'Posts by a metric of their traffic.',
    record: 'Post',
    params: z.object({ ...time, ...listParams, ...postTrafficParams }),
    async answer(ask, deps) {
      const narrowed = await postTrafficOf(deps, ask);
      const { sort, metrics, url } = ask.params;
      const beside = url.length === 0 ? metrics : [...OF_NAMED, ...metrics];
      return await answerPosts(deps, ask, { key: 'post', scope: narrowed, sort, beside });
    },
  });

const namesBy = (time: Time, key: 'author' | 'section' | 'tag', record: 'Author' | 'Section' | 'Tag') =>
  endpoint({
    summary: `${record}s by a metric of their posts’ traffic.`,
    record,
    params: z.object({ ...time, ...listParams, ...postTrafficParams }),
    async answer(ask, deps) {
      const narrowed = await postTrafficOf(deps, ask);
      return await answerNames(deps, ask, { key, scope: narrowed, ...shown(ask) });
    },
  });

const referrersBy = (time: Time) =>
  endpoint({
    summary: 'Where visitors came from, of every type.',
    record: 'Referrer',
    params: z.object({ ...time, ...listParams, ...postTrafficParams }),
    async answer(ask, deps) {
      const by = { facets: REFERRER_FACETS };
      return await answerReferrers(deps, ask, { by, scope: await pageTrafficOf(deps, ask), ...shown(ask) });
    },
  });

const familyOf = (time: Time) => ({
  posts: postsBy(time),
  authors: namesBy(time, 'author', 'Author'),
  sections: namesBy(time, 'section', 'Section'),
  tags: namesBy(time, 'tag', 'Tag'),
  referrers: referrersBy(time),
});

const channels = endpoint({
  summary: 'Channels by a metric of their traffic.',
  record: 'Channel',
  params: z.object({ ...period, ...listParams, ...postTrafficParams }),
  async answer(ask, deps) {
    const by: FacetFilter = { facets: ['channel'] };
    return await answerFacets(deps, ask, { kind: 'channel', by, scope: await pageTrafficOf(deps, ask), ...shown(ask) });
  },
});

const segments = endpoint({
  summary: 'Segments of visitors by a metric of their traffic.',
  record: 'Segment',
  params: z.object({ ...period, ...listParams, ...postTrafficParams }),
  async answer(ask, deps) {
    const by: FacetFilter = { facets: ['segment'] };
    return await answerFacets(deps, ask, { kind: 'segment', by, scope: await pageTrafficOf(deps, ask), ...shown(ask) });
  },
});

const campaigns = endpoint({
  summary: 'Campaigns, or one of their parts, by a metric of their traffic.',
  record: 'Campaign',
  params: z.object({
    ...period,
    ...listParams,
    ...postTrafficParams,
    campaign_key: oneOf(CAMPAIGN_KEYS, 'Which part of a campaign is listed.').default('id'),
  }),
  async answer(ask, deps) {
    const by: FacetFilter = { facets: [`campaign_${ask.params.campaign_key}`] };
    return await answerFacets(deps, ask, {
      kind: 'campaign',
      by,
      scope: await pageTrafficOf(deps, ask),
      ...shown(ask),
    });
  },
});

export const analytics = { ...familyOf(period), channels, segments, campaigns };
export const realtime = familyOf(realtimeParams);
