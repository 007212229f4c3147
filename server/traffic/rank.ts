// The question behind every list: which records come first, and what was counted for them. Compiled to one statement;
// ties are broken by name, so the same list has the same order each time.
import { Bindings } from './bindings.ts';
import { mergedCount, PRECISION } from './distinctCount.ts';
import { columnsOf, isCounted, type Metric, namesShown, planOf, type VisitorKind } from './metrics.ts';
import { aliasRows, type PostKey, postRows } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { measureRows } from './source.ts';
import { pageVisitors } from './visitorSource.ts';

export interface RankQuestion {
  key: PostKey;
  scope: Scope;
  sort: Metric;
  /** Metrics that are shown beside those of the sort. Default: none. */
  beside?: readonly Metric[] | undefined;
  limit: number;
  /** Records before the first one wanted. */
  offset: number;
  /** Leaves out records whose metric is zero. Default: whatever was viewed is listed. */
  nonZero?: boolean;
  /** Adds a column `pages`: the keys of each record's pages that these metrics are counted of, as decimal text. */
  withPages?: readonly Metric[] | undefined;
}

/** Rows `name, views, …columns` in order, one more than `limit` where there are more. */
export function compileRank(question: RankQuestion): TrafficQuery {
  const { key, scope, sort, beside, limit, offset, nonZero, withPages } = question;
  const bind = new Bindings(scope.site);
  const { measures, visitors } = columnsOf(['views', ...namesShown(sort, beside)]);
  const counted = measures.map((measure) => `sum(traffic.${measure}) AS ${measure}`);
  const sums = measures.map((measure) => `sum(${measure}) AS ${measure}`).join(', ');
  // Of the traffic that is asked for, another address of a post may have nothing but views that it led on to.
  const ledOn = columnsOf(withPages ?? []).measures.filter((measure) => measure === 'recirculated');
  const read = [...new Set([...measures, ...ledOn])];
  const pages = withPages ? ['arrayMap(page -> toString(page), groupArray(traffic.post)) AS pages'] : [];
  const { order } = planOf(sort);
  // A post has one name, and numbers are grouped and joined faster than texts.
  const owner = key === 'post' ? 'listed.post' : 'listed.name';
  const columns = [
    ...[...measures, ...(withPages ? ['pages'] : [])].map((column) => `counted.${column} AS ${column}`),
    ...visitors.map((kind) => `${kind}_of.number AS ${kind}`),
  ];
  const sql = `
SELECT counted.name AS name, ${columns.join(', ')}
FROM (
  SELECT ${owner} AS owner, any(listed.name) AS name, ${[...counted, ...pages].join(', ')}
  FROM (SELECT post, ${sums} FROM (${measureRows(scope, read, bind)}) GROUP BY post) AS traffic
  ${joinNames(question, bind)}
  GROUP BY owner
) AS counted
${visitors.map((kind) => joinVisitors(question, owner, kind, bind)).join('\n')}
WHERE (${nonZero ? `${order} > 0` : `views > 0 OR ${isCounted(sort)}`})
ORDER BY ${order} DESC, name ASC
LIMIT ${bind.add(limit + 1, 'UInt32')} OFFSET ${bind.add(offset, 'UInt32')}
SETTINGS join_algorithm = 'hash'`;
  return { sql, params: bind.params };
}

/** Names of the posts that the pages of `traffic` belong to. */
const joinNames = ({ key, scope }: RankQuestion, bind: Bindings): string =>
  `LEFT JOIN (${aliasRows(scope, bind)}) AS known ON known.alias_post = traffic.post
  INNER JOIN (${postRows(scope, key, bind)}) AS listed
    ON listed.post = if(known.canonical_post = 0, traffic.post, known.canonical_post)`;

/** Merges the sketches of pages by name directly: a merged sketch of each page first took twice the time. */
const joinVisitors = (question: RankQuestion, owner: string, kind: VisitorKind, bind: Bindings): string =>
  `LEFT JOIN (
  SELECT ${owner} AS owner, ${mergedCount('traffic.state', PRECISION)} AS number
  FROM (${pageVisitors(question.scope, kind, bind)}) AS traffic
  ${joinNames(question, bind)}
  GROUP BY owner
) AS ${kind}_of ON ${kind}_of.owner = counted.owner`;
