// Pages of ranked lists: executes the query of a request and returns its envelope. All lists of the interface are made
// here.
//
//   const scope = await scopeOf(deps, ask, period);
//   return await answerPosts(deps, ask, { key: 'post', scope, sort: 'views' });

import type { Deps } from '../context.ts';
import { type ReferrerRecord, typeOfCategory } from '../contract/referrers.ts';
import type { PostRecord } from '../contract/wire.ts';
import { shownName } from '../ingest/referrers/table.ts';
import { type ListedPost, toPostRecord } from '../posts/toPostRecord.ts';
import { type Ranked, type RankedPage, rank, rankFacets, rankPosts } from '../rankings/rankings.ts';
import { namesShown } from '../traffic/metrics.ts';
import type { Clock, Period } from '../traffic/period.ts';
import type { RankQuestion } from '../traffic/rank.ts';
import type { RankFacetsQuestion } from '../traffic/rankFacets.ts';
import { categoryOf, type PostFilters, type Scope } from '../traffic/scope.ts';
import type { Ask } from './endpoint.ts';
import { addressOf, envelope, reachOf } from './envelope.ts';
import { type PeriodParams, type PublishedParams, pinsOf, publishedPinsOf } from './period.ts';
import { thumbnailOf } from './thumbnailOf.ts';

export type ListDeps = Pick<Deps, 'sites' | 'store' | 'exclusions' | 'settings' | 'library' | 'thumbnails' | 'now'>;

/** A request for one page of a list, with or without a traffic period. */
export type ListAsk = Ask<{ limit: number; page: number } & PeriodParams & PublishedParams>;

export const clockOf = ({ now, site }: Pick<Ask<unknown>, 'now' | 'site'>): Clock => ({ now, zone: site.timezone });

/** The traffic of a period, as visible to the site now. */
export async function scopeOf(
  deps: Pick<Deps, 'exclusions'>,
  ask: Pick<Ask<unknown>, 'site'>,
  period: Period,
): Promise<Scope> {
  const { id, timezone } = ask.site;
  return { site: id, zone: timezone, period, excluded: await deps.exclusions.of(id) };
}

/**
 * Posts with a publication date in the past, and those without one: the scope of a list without a parameter for the
 * date.
 */
export const publishedByNow = ({ now }: Pick<Ask<unknown>, 'now'>): PostFilters => ({
  published: { start: undefined, end: now },
});

type Question<Q extends { limit: number; offset: number }> = Omit<Q, 'limit' | 'offset'>;

/** The range of records on a page of a list. */
export function sliceOf({ params: { limit, page } }: ListAsk): { limit: number; offset: number } {
  const offset = (page - 1) * limit;
  return { limit: reachOf({ limit, page }) - offset, offset };
}

/** A list whose metrics have another name than those of their sort: `{ [viewsAs]: views }`. */
interface Naming {
  viewsAs?: string | undefined;
}

/** Posts with the metrics of their sort. */
export async function answerPosts(
  deps: ListDeps,
  ask: ListAsk,
  asked: Question<RankQuestion> & Naming,
): Promise<object> {
  const { viewsAs, ...question } = asked;
  const page = await rankPosts(deps.store.traffic, { ...question, ...sliceOf(ask) });
  return listOf(deps, ask, {
    page,
    metrics: namesShown(question.sort, question.beside),
    viewsAs,
    period: question.scope.period,
    toRecord: toRankedPost(deps, ask),
  });
}

/** Authors, sections or tags. */
export async function answerNames(
  deps: ListDeps,
  ask: ListAsk,
  asked: Question<RankQuestion> & Naming,
): Promise<object> {
  const { viewsAs, ...question } = asked;
  const page = await rank(deps.store.traffic, { ...question, ...sliceOf(ask) });
  return listOf(deps, ask, {
    page,
    metrics: namesShown(question.sort, question.beside),
    viewsAs,
    period: question.scope.period,
    toRecord: toNamed(question.key),
  });
}

/** Channels, campaigns or segments: `kind` names the key of each record. */
export async function answerFacets(
  deps: ListDeps,
  ask: ListAsk,
  { kind, ...question }: Question<RankFacetsQuestion> & { kind: string },
): Promise<object> {
  const page = await rankFacets(deps.store.traffic, { ...question, ...sliceOf(ask) });
  return listOf(deps, ask, {
    page,
    metrics: namesShown(question.sort, question.beside),
    period: question.scope.period,
    toRecord: toNamed(kind),
  });
}

/** Referrers of all or some types. */
export async function answerReferrers(
  deps: ListDeps,
  ask: ListAsk,
  asked: Question<RankFacetsQuestion> & Naming,
): Promise<object> {
  const { viewsAs, ...question } = asked;
  const page = await rankFacets(deps.store.traffic, { ...question, ...sliceOf(ask) });
  return listOf(deps, ask, {
    page,
    metrics: namesShown(question.sort, question.beside),
    viewsAs,
    period: question.scope.period,
    toRecord: toReferrer,
  });
}

interface ListedPage<T> extends Naming {
  page: RankedPage<T>;
  /** The first metric is the one that sorts the list, unless `sort` says otherwise. */
  metrics: readonly string[];
  sort?: string;
  /** The traffic period, which the next page repeats. Absent: the list has no period. */
  period?: Period | undefined;
  toRecord(ranked: T): object;
}

/** The envelope around one page. */
export function listOf<T extends Ranked>(deps: Pick<Deps, 'settings'>, ask: ListAsk, listed: ListedPage<T>): object {
  const { viewsAs, toRecord } = listed;
  const metrics = viewsAs === undefined ? [...listed.metrics] : [viewsAs];
  const named = (ranked: T): T => (viewsAs === undefined ? ranked : { ...ranked, metrics: { [viewsAs]: ranked.hits } });
  return envelope({
    data: listed.page.records.map((ranked) => toRecord(named(ranked))),
    meta: { metrics, sort: listed.sort ?? metrics[0] ?? '' },
    more: listed.page.more,
    page: ask.params.page,
    limit: ask.params.limit,
    address: addressOf(ask.c, deps.settings),
    pins: {
      ...(listed.period && pinsOf(ask.params, listed.period, clockOf(ask))),
      ...publishedPinsOf(ask.params, clockOf(ask)),
    },
  });
}

/** The envelope of an answer without pages: a record or none, or a short list. */
export function detailOf(
  deps: Pick<Deps, 'settings'>,
  { c }: Pick<Ask<unknown>, 'c'>,
  detail: { data: unknown[]; metrics: readonly string[]; sort: string },
): object {
  const meta = { metrics: [...detail.metrics], sort: detail.sort };
  return envelope({ data: detail.data, meta, more: false, page: 1, limit: 1, address: addressOf(c, deps.settings) });
}

export function toRankedPost(
  deps: Pick<Deps, 'thumbnails' | 'settings'>,
  ask: Pick<Ask<unknown>, 'c' | 'site'>,
): (ranked: Ranked & { post: ListedPost }) => PostRecord {
  const thumbnail = thumbnailOf(deps, ask);
  return ({ post, hits, metrics }) => toPostRecord(post, thumbnail, { hits, metrics });
}

/** The name is given under its kind and under `name`, as clients read either. */
export const toNamed =
  (kind: string) =>
  ({ name, hits, metrics }: Ranked) => ({ [kind]: name, name, _hits: hits, metrics });

function toReferrer({ name, hits, metrics, facet }: Ranked & { facet: string }): ReferrerRecord {
  const category = categoryOf(facet)!;
  return { name: shownName(category, name), type: typeOfCategory(category), category, _hits: hits, metrics };
}
