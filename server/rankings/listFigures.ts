// Figures of lists: the sums of the ledger as the figures of an answer.
import { MAX_SPAN_DAYS } from '../contract/limits.ts';
import type { ListedPost } from '../posts/toPostRecord.ts';
import type { TrafficStore } from '../storage/store.ts';
import { threeDecimals } from '../threeDecimals.ts';
import { compileAllViews, compileLists } from '../traffic/ledger/compileLists.ts';
import { isOfItems, LIST_MEASURES, type ListMeasure, type ListsQuestion } from '../traffic/ledger/question.ts';
import type { TrafficRow } from '../traffic/query.ts';
import { describePosts, type Ranked, type RankedPage } from './rankings.ts';
import { readClickDays } from './settleDays.ts';
import { wilsonInterval } from './wilsonInterval.ts';
import { withKeys } from './withKeys.ts';

/** A group of lists or items. Its `hits` are its clicks. */
export interface ListFigures extends Ranked {
  /** Title of a post, and of a page that is one; "" of other groups. */
  title: string;
}

/** Groups whose names begin with a URL. */
const TITLED: readonly ListsQuestion['group'][] = ['page', 'post', 'alternative'];

const FIGURES: readonly string[] = [
  ...['lists', 'seen', 'clicks', 'click_rate', 'click_rate_low', 'click_rate_high'],
  ...['quality_clicks', 'views_caused', 'recirculation', 'engaged_minutes'],
];

/** Names of the figures of a question: those of items have no number of lists. */
export const figuresShown = (question: ListsQuestion): readonly string[] =>
  isOfItems(question) ? FIGURES.filter((name) => name !== 'lists') : FIGURES;

/** Hours of the longest period, the first and the last of which may be parts. */
const MOST_HOURS = (MAX_SPAN_DAYS + 1) * 24;

export async function rankLists(store: TrafficStore, question: ListsQuestion): Promise<RankedPage<ListFigures>> {
  const { group, sort, limit, offset } = question;
  if (sort !== 'recirculation' || (group !== 'day' && group !== 'hour')) return await readFigures(store, question);
  // Each day or hour has page views of its own, of which its share is: the order is known once all shares are.
  const { records } = await readFigures(store, { ...question, sort: undefined, limit: MOST_HOURS, offset: 0 });
  const shareOf = ({ metrics }: ListFigures): number => metrics.recirculation ?? 0;
  const ordered = records.toSorted((one, other) => shareOf(other) - shareOf(one));
  return { records: ordered.slice(offset, offset + limit), more: ordered.length > offset + limit };
}

async function readFigures(store: TrafficStore, asked: ListsQuestion): Promise<RankedPage<ListFigures>> {
  const question = { ...asked, scope: await withKeys(store, asked.scope) };
  const { group, limit, scope } = question;
  const [rows, views] = await Promise.all([
    readClickDays(store, scope).then((days) => store.run(compileLists(question, days))),
    store.run(compileAllViews(question)).then(viewsByName),
  ]);
  const shown = rows.slice(0, limit).map((row) => ({ name: String(row.name), sums: toSums(row) }));
  const urls = TITLED.includes(group) ? shown.map(({ name }) => urlOf(name)) : [];
  const posts = await describePosts(store, scope.site, urls);
  const withLists = !isOfItems(question);
  const records = shown.map(({ name, sums }) => ({
    name,
    hits: sums.clicks,
    title: titleOf(posts.get(urlOf(name)), Number(name.split(' ')[1] ?? 0)),
    metrics: toFigures(sums, { withLists, allViews: views.get(name) ?? views.get('') ?? 0 }),
  }));
  return { records, more: rows.length > limit };
}

/** An alternative is named by the URL of its post and its number, with a space between. */
const urlOf = (name: string): string => name.split(' ')[0] ?? name;

/** @param number Of an alternative; 0: of the post. */
function titleOf(post: ListedPost | undefined, number: number): string {
  const test = post?.alternatives;
  const own = (number > 0 ? test?.end?.own.title : undefined) ?? post?.title ?? '';
  return test?.others[number - 2]?.title ?? own;
}

const viewsByName = (rows: readonly TrafficRow[]): Map<string, number> =>
  new Map(rows.map(({ name, views }) => [String(name), Number(views)]));

export type Sums = Record<ListMeasure, number>;

/** An event can be seen a moment before its sum by day: a sum is at least zero. */
export const toSums = (row: TrafficRow): Sums =>
  Object.fromEntries(LIST_MEASURES.map((name) => [name, Math.max(0, Number(row[name] ?? 0))])) as Sums;

/** @param of Whether lists are counted, and all page views. */
export function toFigures(
  sums: Sums,
  { withLists, allViews }: { withLists: boolean; allViews: number },
): Ranked['metrics'] {
  const { lists, seen, clicks, quality_clicks, views_caused, engaged_seconds } = sums;
  const { low, high } = wilsonInterval(clicks, seen);
  return {
    ...(withLists && { lists }),
    seen,
    clicks,
    // Of more clicks than items seen, so many as those, as in the interval.
    click_rate: toShare(clicks, Math.max(seen, clicks)),
    click_rate_low: round(low),
    click_rate_high: round(high),
    quality_clicks,
    views_caused,
    recirculation: toShare(views_caused, allViews),
    engaged_minutes: threeDecimals(engaged_seconds / 60),
  };
}

const toShare = (part: number, whole: number): number => (whole === 0 ? 0 : round(Math.min(part / whole, 1)));

/** Rates of a few per mille are usual: five decimals. */
const round = (value: number): number => Math.round(value * 100_000) / 100_000;
