// GET /v2/shares/…: how often posts were shared, by clicks on their share links.
import { Hono } from 'hono';
import { z } from 'zod';
import { MAX_SPAN_DAYS } from '../contract/limits.ts';
import type { HttpEnv } from '../http/auth.ts';
import { type Ask, get } from '../http/endpoint.ts';
import { clockOf, type ListAsk, type ListDeps, listOf, scopeOf } from '../http/lists.ts';
import { DETAIL, METAS, metaFilter, NAMED_DETAIL, namedValue } from '../http/metaDetail.ts';
import { limit, oneOf, page, url, whole } from '../http/params.ts';
import { type PeriodParams, type PublishedParams, periodOf, periodParams, publishedParams } from '../http/period.ts';
import type { ListedPost } from '../posts/toPostRecord.ts';
import { toPostRecord } from '../posts/toPostRecord.ts';
import { countPosts, type Ranked, rankPosts } from '../rankings.ts';
import { type Period, resolvePublished } from '../traffic/period.ts';
import type { PostFilters } from '../traffic/scope.ts';
import { DAY } from '../traffic/zone.ts';

const NETWORKS = ['tw', 'fb', 'li', 'pi'] as const;

const RULE = { defaultDays: MAX_SPAN_DAYS, tooLong: 'refuse' } as const;
const UNSAID = `all shares, and with a period_end ${MAX_SPAN_DAYS} days ago`;

const listParams = {
  ...periodParams(RULE, UNSAID),
  ...publishedParams,
  pub_days: whole({ min: 1, max: 36_500, what: 'Published within so many days, where no pub_date_start is given.' }),
  limit,
  page,
};

export function shares(deps: ListDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  async function answerShared(
    ask: ListAsk & { params: SharedParams },
    period: Period,
    filters: PostFilters,
  ): Promise<object> {
    const scope = { ...(await scopeOf(deps, ask, period)), posts: { ...filters, published: publishedOf(ask) } };
    const { limit: size, page: number } = ask.params;
    const found = await rankPosts(deps.store.traffic, {
      key: 'post',
      scope,
      sort: 'social_interactions',
      limit: size,
      offset: (number - 1) * size,
      nonZero: true,
    });
    return listOf(deps, ask, { page: found, metrics: ['shares'], toRecord: toSharedPost });
  }

  get(app, deps, {
    path: '/shares/posts',
    guard: 'secret',
    summary: 'Posts by their shares: all of them, or those within a period.',
    record: 'SharedPost',
    params: z.object(listParams),
    answer: async (ask) => await answerShared(ask, sharedWithin(ask), {}),
  });

  get(app, deps, {
    path: `/shares/post/${DETAIL}`,
    guard: 'secret',
    summary: 'Shares of one post by network.',
    record: 'Shares',
    params: z.object({ url }),
    async answer(ask) {
      const canonical = await deps.library.resolve(ask.site.id, ask.params.url);
      const scope = await scopeOf(deps, ask, allOf(ask));
      if (scope.excluded.has(canonical)) return { data: [], success: true };
      const metrics = NETWORKS.map((network) => `${network}_interactions` as const);
      const counts = (await countPosts(deps.store.traffic, { scope, urls: [canonical], metrics })).get(canonical) ?? {};
      // A network that never reported a share of this post has no key: clients tell "none" from "not collected" by it.
      const shared = NETWORKS.flatMap((network): [string, number][] => {
        const count = counts[`${network}_interactions`] ?? 0;
        return count > 0 ? [[network, count]] : [];
      });
      const total = shared.reduce((sum, [, count]) => sum + count, 0);
      return { data: [{ ...Object.fromEntries(shared), total }], success: true };
    },
  });

  get(app, deps, {
    path: `/shares/:meta{(?:author|section|tag)}/${NAMED_DETAIL}`,
    guard: 'secret',
    summary: 'Posts under one author, section or tag by their shares.',
    record: 'SharedPost',
    params: z.object({
      meta: oneOf(METAS, 'What the name names.'),
      value: namedValue,
      ...listParams,
    }),
    answer: async (ask) => await answerShared(ask, sharedWithin(ask), metaFilter(ask.params.meta, ask.params.value)),
  });

  return app;
}

type SharedParams = PeriodParams & PublishedParams & { pub_days?: number | undefined };

/** Everything that is still stored. */
const allOf = ({ now }: Pick<Ask<unknown>, 'now'>): Period => ({ start: 0, end: now });

/** Totals, unless a period is asked for; half a period is completed as the interface says. */
function sharedWithin(ask: Ask<SharedParams>): Period {
  const { period_start, period_end, days } = ask.params;
  if (!period_start && !period_end && days === undefined) return allOf(ask);
  return periodOf(ask.params, RULE, clockOf(ask));
}

function publishedOf(ask: Ask<SharedParams>): PostFilters['published'] {
  const { pub_date_start: start, pub_date_end: end, pub_days: days } = ask.params;
  const published = resolvePublished({ start, end }, clockOf(ask));
  return start || days === undefined ? published : { ...published, start: ask.now - days * DAY };
}

function toSharedPost({ post, hits, metrics }: Ranked & { post: ListedPost }): object {
  const count = metrics.social_interactions ?? 0;
  return { ...toPostRecord(post, { hits, metrics: { shares: count } }), _shares: count };
}
