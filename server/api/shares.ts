// Shares of posts, counted by clicks on their share links; shares of authors, sections and tags are the sums of their
// posts.
import { z } from 'zod';
import { MAX_SPAN_DAYS } from '../contract/limits.ts';
import { type Ask, endpoint } from '../http/endpoint.ts';
import {
  clockOf,
  detailOf,
  type ListAsk,
  type ListDeps,
  listOf,
  scopeOf,
  sliceOf,
  toNamed,
  toRankedPost,
} from '../http/lists.ts';
import { METAS, namedFilter, namedValue } from '../http/metaDetail.ts';
import { limit, oneOf, page, publishedDays, url } from '../http/params.ts';
import {
  type PeriodParams,
  type PublishedParams,
  periodOf,
  periodParams,
  publishedOf,
  publishedParams,
} from '../http/period.ts';
import type { ListedPost } from '../posts/toPostRecord.ts';
import { countPosts, type Ranked, rank, rankPosts } from '../rankings/rankings.ts';
import type { Period } from '../traffic/period.ts';
import type { RankQuestion } from '../traffic/rank.ts';
import type { PostFilters } from '../traffic/scope.ts';

const NETWORKS = ['tw', 'fb', 'li', 'pi'] as const;

const RULE = { defaultDays: MAX_SPAN_DAYS, tooLong: 'refuse' } as const;
const UNSAID = `all shares, and with a period_end ${MAX_SPAN_DAYS} days ago`;

const listParams = {
  ...periodParams(RULE, UNSAID),
  ...publishedParams,
  pub_days: publishedDays,
  limit,
  page,
};

async function questionOf(deps: ListDeps, ask: SharedAsk, filters: PostFilters): Promise<Omit<RankQuestion, 'key'>> {
  const scope = await scopeOf(deps, ask, sharedWithin(ask));
  return {
    scope: { ...scope, posts: { ...filters, published: publishedOf(ask.params, clockOf(ask)) } },
    sort: 'social_interactions',
    ...sliceOf(ask),
    nonZero: true,
  };
}

async function answerShared(deps: ListDeps, ask: SharedAsk, filters: PostFilters): Promise<object> {
  const found = await rankPosts(deps.store.traffic, { key: 'post', ...(await questionOf(deps, ask, filters)) });
  const toPost = toRankedPost(deps, ask);
  const toRecord = (ranked: Ranked & { post: ListedPost }) => toShared(toPost(ranked), ranked);
  return listOf(deps, ask, { page: found, metrics: ['shares'], period: askedPeriod(ask), toRecord });
}

const posts = endpoint({
  summary: 'Posts by their shares: all of them, or those within a period.',
  record: 'SharedPost',
  params: z.object(listParams),
  answer: async (ask, deps) => await answerShared(deps, ask, {}),
});

const namesBy = (key: 'author' | 'section' | 'tag', record: 'SharedAuthor' | 'SharedSection' | 'SharedTag') =>
  endpoint({
    summary: `The ${key}s of posts by the shares of these: all of them, or those within a period.`,
    record,
    params: z.object(listParams),
    async answer(ask, deps) {
      const found = await rank(deps.store.traffic, { key, ...(await questionOf(deps, ask, {})) });
      const toRecord = (ranked: Ranked) => toShared(toNamed(key)(ranked), ranked);
      return listOf(deps, ask, { page: found, metrics: ['shares'], period: askedPeriod(ask), toRecord });
    },
  });

const post = endpoint({
  summary: 'Shares of one post by network.',
  record: 'Shares',
  params: z.object({ url }),
  async answer(ask, deps) {
    const canonical = await deps.library.resolve(ask.site.id, ask.params.url);
    const scope = await scopeOf(deps, ask, allOf(ask));
    const shownAs = { metrics: [...NETWORKS, 'total'], sort: 'total' };
    if (scope.excluded.has(canonical)) return detailOf(deps, ask, { data: [], ...shownAs });
    const metrics = NETWORKS.map((network) => `${network}_interactions` as const);
    const counts = (await countPosts(deps.store.traffic, { scope, urls: [canonical], metrics })).get(canonical) ?? {};
    const shared = NETWORKS.map((network): [string, number] => [network, counts[`${network}_interactions`] ?? 0]);
    const total = shared.reduce((sum, [, count]) => sum + count, 0);
    return detailOf(deps, ask, { data: [{ ...Object.fromEntries(shared), total }], ...shownAs });
  },
});

const named = endpoint({
  summary: 'Posts under one author, section or tag by their shares.',
  record: 'SharedPost',
  params: z.object({
    meta: oneOf(METAS, 'What the name names.'),
    value: namedValue,
    ...listParams,
  }),
  answer: async (ask, deps) => await answerShared(deps, ask, await namedFilter(deps, ask)),
});

export const shares = {
  posts,
  authors: namesBy('author', 'SharedAuthor'),
  sections: namesBy('section', 'SharedSection'),
  tags: namesBy('tag', 'SharedTag'),
  post,
  named,
};

type SharedParams = PeriodParams & PublishedParams;
type SharedAsk = ListAsk & { params: SharedParams };

/** The whole period that is stored. */
const allOf = ({ now }: Pick<Ask<unknown>, 'now'>): Period => ({ start: 0, end: now });

/** The requested period; a missing start or end is completed by the rules of the interface. Undefined: totals. */
function askedPeriod(ask: Ask<SharedParams>): Period | undefined {
  const { period_start, period_end, days } = ask.params;
  if (!period_start && !period_end && days === undefined) return undefined;
  return periodOf(ask.params, RULE, clockOf(ask));
}

const sharedWithin = (ask: Ask<SharedParams>): Period => askedPeriod(ask) ?? allOf(ask);

/** A record that states its shares twice: as a metric, and beside its views. */
function toShared(record: object, { metrics }: Ranked): object {
  const shares = metrics.social_interactions ?? 0;
  return { ...record, metrics: { shares }, _shares: shares };
}
