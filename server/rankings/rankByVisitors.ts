// Ranks by distinct visitors without counting those of all pages. A page has at most as many visitors as views: the
// pages with the most views say how many visitors the last place of the list has, and a page with fewer views than that
// cannot be on it.

import type { TrafficStore } from '../storage/store.ts';
import { compileCounts } from '../traffic/countPosts.ts';
import type { Metric } from '../traffic/metrics.ts';
import type { TrafficRow } from '../traffic/query.ts';
import type { RankQuestion } from '../traffic/rank.ts';
import { addressesOf, compareNames, rankRows } from './rankRows.ts';

/** Numbers of candidates, the first by views, that are tried in turn. A hundred suffice for most lists. */
const CANDIDATES = [100, 1000];
/** More pages than this are counted in the one statement that ranks. */
export const MAX_PAGES = 4000;

/** Sketches are off by less than this, so a record may show a few more visitors than it had views. */
const SKETCH_ERROR = 0.02;

/**
 * The same rows in the same order as one statement would give with `withPages`.
 * @returns undefined where the candidates do not decide it, or have more than `MAX_PAGES` pages.
 */
export async function rankByVisitors(store: TrafficStore, question: RankQuestion): Promise<TrafficRow[] | undefined> {
  const { sort, limit, offset, withPages = [] } = question;
  const wanted = offset + limit + 1;
  for (const most of CANDIDATES.filter((candidates) => wanted <= candidates)) {
    const byViews = { ...question, sort: 'views', offset: 0, limit: most, withPages } as const;
    const first = await rankRows(store, byViews);
    const seen = await countVisitors(store, question, first.slice(0, wanted));
    if (seen === undefined) return undefined;
    if (first.length <= wanted) return pageOf(seen, question);

    const least = Math.floor(visitorsOf(seen[wanted - 1], sort) * (1 - SKETCH_ERROR));
    const others = first.slice(wanted).filter((row) => Number(row.views) >= least);
    if (first.length > most && others.length === first.length - wanted) continue;
    const counted = await countVisitors(store, question, others);
    if (counted === undefined) return undefined;
    return pageOf([...seen, ...counted].sort(inOrder(sort)), question);
  }
  return undefined;
}

/** The rows with their visitors, in order; undefined where they have too many pages. */
async function countVisitors(
  store: TrafficStore,
  { scope, sort }: RankQuestion,
  rows: TrafficRow[],
): Promise<TrafficRow[] | undefined> {
  const addresses = addressesOf(rows);
  if (rows.length === 0) return [];
  if (addresses.length > MAX_PAGES) return undefined;
  const counts = await store.run(compileCounts({ scope, addresses, metrics: [sort] }));
  const visitors = new Map(counts.map((row) => [String(row.name), visitorsOf(row, sort)]));
  return rows.map((row): TrafficRow => ({ ...row, [sort]: visitors.get(String(row.name)) ?? 0 })).sort(inOrder(sort));
}

const inOrder = (sort: Metric) => (a: TrafficRow, b: TrafficRow) =>
  visitorsOf(b, sort) - visitorsOf(a, sort) || compareNames(String(a.name), String(b.name));

const visitorsOf = (row: TrafficRow | undefined, sort: Metric): number => Number(row?.[sort] ?? 0);

const pageOf = (rows: TrafficRow[], { limit, offset }: RankQuestion): TrafficRow[] =>
  rows.slice(offset, offset + limit + 1);
