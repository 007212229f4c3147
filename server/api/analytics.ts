// GET /v2/analytics/…: ranked lists of a site's traffic, for its editors.
import { Hono } from 'hono';
import { z } from 'zod';
import { DEFAULT_PERIOD_DAYS } from '../contract/limits.ts';
import type { Deps } from '../deps.ts';
import type { HttpEnv } from '../http/auth.ts';
import { get } from '../http/endpoint.ts';
import { addressOf, envelope } from '../http/envelope.ts';
import { limit, oneOf, page, text, texts } from '../http/params.ts';
import { periodOf, periodParams, publishedParams } from '../http/period.ts';
import { sort } from '../http/sort.ts';
import { toPostRecord } from '../posts/toPostRecord.ts';
import { rankPosts } from '../rankings.ts';
import { namesShown } from '../traffic/metrics.ts';
import { resolvePublished } from '../traffic/period.ts';
import { CAMPAIGN_KEYS, type FacetFilter } from '../traffic/scope.ts';

const CHANNELS = ['website', 'apln-rta', 'amp', 'fbia'] as const;

const postsParams = z.object({
  ...periodParams,
  ...publishedParams,
  sort,
  limit,
  page,
  author: texts('Posts written by this author; by all of them when repeated.'),
  tag: texts('Posts with this tag; with all of them when repeated.'),
  section: texts('Posts in this section; in any of them when repeated.'),
  segment: text('Views by visitors of this segment.').optional(),
  channel: oneOf(CHANNELS, 'Views through this channel.').optional(),
  campaign_id: text('Views from this campaign.').optional(),
  campaign_medium: text('Views from campaigns with this medium.').optional(),
  campaign_source: text('Views from campaigns with this source.').optional(),
  campaign_content: text('Views from campaigns with this content.').optional(),
  campaign_term: text('Views from campaigns with this term.').optional(),
});

export function analytics(deps: Pick<Deps, 'sites' | 'store' | 'exclusions' | 'settings' | 'now'>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  get(app, deps, {
    path: '/analytics/posts',
    guard: 'secret',
    summary: 'Posts by a metric of their traffic within a period.',
    params: postsParams,
    async answer({ site, params, now, c }) {
      const clock = { now, zone: site.timezone };
      const period = periodOf(params, { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'refuse' }, clock);
      const { records, more } = await rankPosts(deps.store.traffic, {
        key: 'post',
        scope: {
          site: site.id,
          zone: site.timezone,
          period,
          excluded: await deps.exclusions.of(site.id),
          channel: params.channel,
          facets: facetsOf(params),
          posts: {
            authors: params.author,
            tags: params.tag,
            sections: params.section,
            published: resolvePublished({ start: params.pub_date_start, end: params.pub_date_end }, clock),
          },
        },
        sort: params.sort,
        limit: params.limit,
        offset: (params.page - 1) * params.limit,
      });
      return envelope({
        data: records.map(({ post, hits, metrics }) => toPostRecord(post, { hits, metrics })),
        meta: { metrics: namesShown(params.sort), sort: params.sort },
        more,
        page: params.page,
        limit: params.limit,
        address: addressOf(c, deps.settings),
      });
    },
  });

  return app;
}

function facetsOf(params: z.output<typeof postsParams>): FacetFilter[] {
  const segment: FacetFilter[] = params.segment === undefined ? [] : [{ facets: ['segment'], value: params.segment }];
  const campaigns = CAMPAIGN_KEYS.flatMap((key): FacetFilter[] => {
    const value = params[`campaign_${key}`];
    return value === undefined ? [] : [{ facets: [`campaign_${key}`], value }];
  });
  return [...segment, ...campaigns];
}
