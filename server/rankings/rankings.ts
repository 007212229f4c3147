// Asks the store for a page of a ranked list and describes what it holds. Compiling is traffic/'s work, running the
// store's.
import { type ListedPost, unknownPage } from '../posts/toPostRecord.ts';
import type { TrafficStore } from '../storage/store.ts';
import { threeDecimals } from '../threeDecimals.ts';
import { type ConversionsQuestion, compileConversions } from '../traffic/conversions.ts';
import { type CountQuestion, compileAddresses, compileCounts } from '../traffic/countPosts.ts';
import { type Counts, isVisitorKind, type Metric, namesShown, toMetrics } from '../traffic/metrics.ts';
import type { TrafficRow } from '../traffic/query.ts';
import { compileRank, type RankQuestion } from '../traffic/rank.ts';
import { compileRankFacets, type RankFacetsQuestion } from '../traffic/rankFacets.ts';
import { compileRankVideos, type RankVideosQuestion } from '../traffic/rankVideos.ts';
import { compileRecords, toListedPost } from '../traffic/records.ts';
import type { Scope } from '../traffic/scope.ts';
import { MAX_PAGES, rankByVisitors } from './rankByVisitors.ts';
import { addressesOf, rankRows } from './rankRows.ts';
import { withKeys } from './withKeys.ts';

export interface Ranked {
  /** Canonical URL, or the name of an author, section, tag, referrer, channel, campaign or segment. */
  name: string;
  /** Page views; of videos, starts. */
  hits: number;
  metrics: Record<string, number>;
}

export interface RankedPage<T> {
  records: T[];
  /** Whether records follow. */
  more: boolean;
}

/** Posts, authors, sections or tags in order, with the metrics the sort shows and those beside them. */
export async function rank(store: TrafficStore, question: RankQuestion): Promise<RankedPage<Ranked>> {
  const { key, scope, sort } = question;
  const others = (question.beside ?? []).filter((name) => !namesShown(sort).includes(name));
  const countAll = async () => toPage(await store.run(compileRank(question)), question);
  // A section has more pages than are counted one by one.
  if (key === 'section' && (others.length > 0 || isVisitorKind(sort))) return await countAll();
  const ranked = { ...question, beside: [], withPages: others.length > 0 ? others : undefined };
  const rows = await (isVisitorKind(sort) ? rankByVisitors : rankRows)(store, ranked);
  if (rows === undefined) return await countAll();
  const page = toPage(rows, ranked);
  if (others.length === 0) return page;
  // Counting distinct visitors is expensive: the other metrics are counted for the records that are shown.
  const addresses = addressesOf(rows.slice(0, question.limit));
  if (addresses.length > MAX_PAGES) return await countAll();
  const counts = await countPages(store, { scope, addresses, metrics: others });
  const beside = ({ name }: Ranked) => toMetrics(others, counts.get(name) ?? {});
  return { ...page, records: page.records.map((one) => ({ ...one, metrics: { ...one.metrics, ...beside(one) } })) };
}

const toPage = (rows: TrafficRow[], question: RankQuestion): RankedPage<Ranked> =>
  pageOf(rows, question, (row) => toRanked(row, question));

/** Referrers, channels, campaigns or segments in order; `facet` says which kind each is. */
export async function rankFacets(
  store: TrafficStore,
  question: RankFacetsQuestion,
): Promise<RankedPage<Ranked & { facet: string }>> {
  const rows = await store.run(compileRankFacets({ ...question, scope: await withKeys(store, question.scope) }));
  return pageOf(rows, question, (row) => ({ ...toRanked(row, question), facet: String(row.facet) }));
}

/** A ranked list of posts, each with what is known about it. */
export async function rankPosts(
  store: TrafficStore,
  question: RankQuestion,
): Promise<RankedPage<Ranked & { post: ListedPost }>> {
  return await describe(store, question.scope, await rank(store, question));
}

/** A ranked list of videos, each with what is known about it. */
export async function rankVideos(
  store: TrafficStore,
  question: RankVideosQuestion,
): Promise<RankedPage<Ranked & { post: ListedPost }>> {
  const rows = await store.run(compileRankVideos(question));
  return await describe(store, question.scope, pageOf(rows, question, toRankedVideo));
}

/** A page with the conversions it is credited with, in all and by type and label. */
export interface RankedConversions extends Ranked {
  post: ListedPost;
  kinds: { type: string; label: string; conversions: number; visitors: number }[];
}

/**
 * Pages by the conversions they are credited with. The rate is of the page's visitors within the period: those who were
 * there before it, and converted within it, are among them.
 */
export async function rankConversions(
  store: TrafficStore,
  question: ConversionsQuestion,
): Promise<RankedPage<RankedConversions>> {
  const { scope } = question;
  const rows = await store.run(compileConversions(question));
  const urls = [...new Set(rows.map((row) => String(row.name)))];
  const described = [...new Set(rows.filter((row) => Number(row.described) === 1).map((row) => String(row.name)))];
  const [counted, posts] = await Promise.all([
    countPosts(store, { scope, urls, metrics: ['views', 'visitors'] }),
    describePosts(store, scope.site, described),
  ]);
  return pageOf(rows, question, (row) => {
    const name = String(row.name);
    const { views = 0, visitors = 0 } = counted.get(name) ?? {};
    const converting_visitors = Number(row.visitors);
    const all = Math.max(visitors, converting_visitors);
    const conversion_rate = all === 0 ? 0 : Math.round((converting_visitors / all) * 10_000) / 10_000;
    return {
      name,
      hits: views,
      metrics: { conversions: Number(row.conversions), converting_visitors, conversion_rate },
      post: posts.get(name) ?? unknownPage(name),
      kinds: (row.kinds as [string, string, number, number | string][]).map(toKind),
    };
  });
}

const toKind = ([type, label, conversions, visitors]: [string, string, number, number | string]) => ({
  type,
  label,
  conversions: Number(conversions),
  visitors: Number(visitors),
});

/** What was counted for some posts, by canonical URL; those without traffic are left out. */
export async function countPosts(
  store: TrafficStore,
  { scope, urls, metrics }: { scope: Scope; urls: readonly string[]; metrics: readonly Metric[] },
): Promise<Map<string, Counts>> {
  if (urls.length === 0) return new Map();
  const addresses = (await store.run(compileAddresses(scope, urls))).map(({ page, name }) => ({
    page: String(page),
    name: String(name),
  }));
  return await countPages(store, { scope, addresses, metrics });
}

async function countPages(store: TrafficStore, question: CountQuestion): Promise<Map<string, Counts>> {
  if (question.addresses.length === 0) return new Map();
  const rows = await store.run(compileCounts(question));
  return new Map(rows.map(({ name, ...columns }) => [String(name), toCounts(columns)]));
}

/** What is known about some posts or videos, by canonical URL. */
export async function describePosts(
  store: TrafficStore,
  site: Scope['site'],
  urls: readonly string[],
): Promise<Map<string, ListedPost>> {
  if (urls.length === 0) return new Map();
  const rows = await store.run(compileRecords(site, urls));
  return new Map(rows.map((row) => [String(row.url), toListedPost(row)]));
}

/** A post that was removed between the two statements is left out. */
async function describe<T extends Ranked>(
  store: TrafficStore,
  { site }: Scope,
  { records, more }: RankedPage<T>,
): Promise<RankedPage<T & { post: ListedPost }>> {
  const urls = records.map((record) => record.name);
  const posts = await describePosts(store, site, urls);
  const found = records.flatMap((record) => {
    const post = posts.get(record.name);
    return post ? [{ ...record, post }] : [];
  });
  return { records: found, more };
}

function pageOf<T>(rows: TrafficRow[], { limit }: { limit: number }, toRecord: (row: TrafficRow) => T): RankedPage<T> {
  return { records: rows.slice(0, limit).map(toRecord), more: rows.length > limit };
}

function toRanked(
  { name, facet: _, pages: __, ...columns }: TrafficRow,
  { sort, beside }: Pick<RankQuestion, 'sort' | 'beside'>,
): Ranked {
  const counts = toCounts(columns);
  return { name: String(name), hits: counts.views ?? 0, metrics: toMetrics(namesShown(sort, beside), counts) };
}

const toCounts = (columns: TrafficRow): Counts =>
  Object.fromEntries(Object.entries(columns).map(([column, value]) => [column, Number(value)]));

function toRankedVideo(row: TrafficRow): Ranked {
  const starts = Number(row.starts);
  const watch_minutes = threeDecimals(Number(row.watched_seconds) / 60);
  return { name: String(row.name), hits: starts, metrics: { starts, viewers: Number(row.viewers), watch_minutes } };
}
