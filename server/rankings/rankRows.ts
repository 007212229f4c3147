// Rows of a ranked list. A list of posts is ranked by the keys of pages first; then only the first pages are looked up:
// whether they are posts, and under which names. Where these do not decide the list, one statement that joins
// everything does.
import type { TrafficStore } from '../storage/store.ts';
import type { Address } from '../traffic/countPosts.ts';
import { columnsOf, namesShown } from '../traffic/metrics.ts';
import type { TrafficRow } from '../traffic/query.ts';
import { compileRank, type RankQuestion } from '../traffic/rank.ts';
import { type Alias, compileAliases, compileNames, compileRankPages } from '../traffic/rankPages.ts';
import { isOfAllPosts } from '../traffic/scope.ts';

/** More aliases than this are resolved by a join in the engine. */
const MAX_ALIASES = 500;
/** Beyond this many records, one statement is as fast. */
const MAX_RECORDS = 2000;
/** Pages among the first that may turn out to be no posts: home pages, sections, posts that are excluded. */
const SPARE = 40;

/**
 * Rows `name, views, …columns` and `pages` where they are asked for, in order, one more than `limit` where there are
 * more.
 */
export async function rankRows(store: TrafficStore, question: RankQuestion): Promise<TrafficRow[]> {
  return (await rankPagesFirst(store, question)) ?? (await store.run(compileRank(question)));
}

/** Undefined where the first pages do not decide it. */
async function rankPagesFirst(store: TrafficStore, question: RankQuestion): Promise<TrafficRow[] | undefined> {
  const { key, scope, sort, limit, offset, withPages } = question;
  const wanted = offset + limit + 1;
  const summed = columnsOf(namesShown(sort)).visitors.length === 0;
  // Most of the first pages would not pass a narrow filter.
  const isNarrow = !isOfAllPosts(scope.posts ?? {});
  if (key !== 'post' || isNarrow || !summed || wanted > MAX_RECORDS) return undefined;

  const found = await store.run(compileAliases(scope, MAX_ALIASES + 1));
  if (found.length > MAX_ALIASES) return undefined;
  const aliases = found.map(({ page, owner }): Alias => ({ page: String(page), owner: String(owner) }));
  const most = wanted + SPARE;
  const pages = await store.run(compileRankPages({ ...question, aliases, most }));
  if (pages.length === 0) return [];
  // Of those with the last value, some may have been cut off.
  const last = pages.length < most ? undefined : pages.at(-1)?.sorted_by;
  const known = pages.filter(({ sorted_by }) => sorted_by !== last);
  const names = new Map(
    known.length === 0
      ? []
      : (await store.run(compileNames(scope, known.map(ownerOf)))).map((row) => [ownerOf(row), String(row.name)]),
  );
  const posts = known.filter((row) => names.has(ownerOf(row)));
  if (last !== undefined && posts.length < wanted) return undefined;

  return posts
    .map(({ owner, sorted_by, ...columns }) => ({ order: Number(sorted_by), owner: String(owner), columns }))
    .map((row) => ({ ...row, name: names.get(row.owner) ?? '' }))
    .sort((a, b) => b.order - a.order || compareNames(a.name, b.name))
    .slice(offset, wanted)
    .map(({ name, owner, columns }) => ({
      name,
      ...columns,
      ...(withPages && { pages: pagesOf(owner, aliases) }),
    }));
}

const ownerOf = (row: TrafficRow): string => String(row.owner);

/** Every page whose traffic counts for this one: itself, unless it is an alias, and its aliases. */
function pagesOf(owner: string, aliases: readonly Alias[]): string[] {
  const others = aliases.filter((alias) => alias.owner === owner).map(({ page }) => page);
  return aliases.some(({ page }) => page === owner) ? others : [owner, ...others];
}

/** The pages of rows that have them. */
export const addressesOf = (rows: readonly TrafficRow[]): Address[] =>
  rows.flatMap(({ name, pages }) => (pages as string[]).map((page) => ({ page, name: String(name) })));

/** By bytes, as the engine does. */
export const compareNames = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
