// Ranks posts by the keys of their pages alone. Which of the first pages are posts, and their names, is looked up
// afterwards: a site has tens of thousands of posts, and a page of a list shows ten.
import { Bindings } from './bindings.ts';
import { columnsOf, isCounted, namesShown, planOf } from './metrics.ts';
import { aliasRows, postRows } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import type { RankQuestion } from './rank.ts';
import type { Scope } from './scope.ts';
import { measureRows } from './source.ts';

/** An address whose traffic counts for another one; both keys as decimal text. */
export interface Alias {
  page: string;
  owner: string;
}

/** Rows `page, owner`: aliases of the site, `most` at most. */
export function compileAliases(scope: Scope, most: number): TrafficQuery {
  const bind = new Bindings(scope.site);
  const sql = `SELECT toString(alias_post) AS page, toString(canonical_post) AS owner
FROM (${aliasRows(scope, bind)}) WHERE canonical_post != 0 LIMIT ${bind.add(most, 'UInt32')}`;
  return { sql, params: bind.params };
}

export type PagesQuestion = Pick<RankQuestion, 'scope' | 'sort' | 'nonZero'> & {
  /** All there are: with a part of them some traffic would be lost. */
  aliases: readonly Alias[];
  most: number;
};

/** Rows `owner, sorted_by, …columns` in order, posts or not, those with equal values in any order; `most` at most. */
export function compileRankPages({ scope, sort, nonZero, aliases, most }: PagesQuestion): TrafficQuery {
  const bind = new Bindings(scope.site);
  const { measures } = columnsOf(['views', ...namesShown(sort)]);
  const sums = measures.map((measure) => `sum(traffic.${measure}) AS ${measure}`).join(', ');
  const { order } = planOf(sort);
  const owner = ownerOf('traffic.post', aliases, bind);
  const sql = `
SELECT toString(${owner}) AS owner, ${order} AS sorted_by, ${sums}
FROM (${measureRows(scope, measures, bind)}) AS traffic
GROUP BY ${owner}
HAVING (${nonZero ? `${order} > 0` : `views > 0 OR ${isCounted(sort)}`})
ORDER BY sorted_by DESC
LIMIT ${bind.add(most, 'UInt32')}`;
  return { sql, params: bind.params };
}

function ownerOf(post: string, aliases: readonly Alias[], bind: Bindings): string {
  if (aliases.length === 0) return post;
  const keys = (texts: string[]) => bind.add(texts.map(BigInt), 'Array(UInt64)');
  return `transform(${post}, ${keys(aliases.map(({ page }) => page))}, ${keys(aliases.map(({ owner }) => owner))}, ${post})`;
}

/** Rows `owner, name`: those of these pages that are posts and may be counted. */
export function compileNames(scope: Scope, owners: readonly string[]): TrafficQuery {
  const bind = new Bindings(scope.site);
  const among = `post IN ${bind.add(owners.map(BigInt), 'Array(UInt64)')}`;
  return {
    sql: `SELECT toString(post) AS owner, name FROM (${postRows(scope, 'post', bind, among)})`,
    params: bind.params,
  };
}
