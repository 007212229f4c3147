// Lists that are not made of posts: referrers, channels, campaigns, segments. Compiled to one statement.
import { Bindings } from './bindings.ts';
import { columnsOf, isCounted, type Metric, namesShown, planOf } from './metrics.ts';
import { pagesThatCount } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import type { FacetFilter, Scope } from './scope.ts';
import { measureRows } from './source.ts';
import { facetVisitors, mergedBy } from './visitorSource.ts';

export interface RankFacetsQuestion {
  /** What is listed; with values, only those. */
  by: FacetFilter;
  scope: Scope;
  sort: Metric;
  /** Metrics that are shown beside those of the sort. Default: none. */
  beside?: readonly Metric[] | undefined;
  limit: number;
  /** Records before the first one wanted. */
  offset: number;
}

/** Rows `facet, name, views, …columns` in order, one more than `limit` where there are more. */
export function compileRankFacets({ by, scope, sort, beside, limit, offset }: RankFacetsQuestion): TrafficQuery {
  const bind = new Bindings(scope.site);
  const options = { by, pages: pagesThatCount(scope, bind) };
  const { measures, visitors } = columnsOf(['views', ...namesShown(sort, beside)]);
  const sums = measures.map((measure) => `sum(${measure}) AS ${measure}`).join(', ');
  const joins = visitors.map(
    (
      kind,
    ) => `LEFT JOIN (SELECT facet, value, ${mergedBy()} AS ${kind} FROM (${facetVisitors(scope, kind, bind, options)})
      GROUP BY facet, value) AS of_${kind} ON of_${kind}.facet = traffic.facet AND of_${kind}.value = traffic.value`,
  );
  const columns = [
    ...measures.map((measure) => `traffic.${measure} AS ${measure}`),
    ...visitors.map((kind) => `of_${kind}.${kind} AS ${kind}`),
  ];
  const { order } = planOf(sort);
  const sql = `
SELECT * FROM (
  SELECT traffic.facet AS facet, if(traffic.facet = 'referrer_direct', 'direct', traffic.value) AS name, ${columns.join(', ')}
  FROM (SELECT facet, value, ${sums} FROM (${measureRows(scope, measures, bind, options)}) GROUP BY facet, value) AS traffic
  ${joins.join('\n')}
)
WHERE views > 0 OR ${isCounted(sort)}
ORDER BY ${order} DESC, name ASC, facet ASC
LIMIT ${bind.add(limit + 1, 'UInt32')} OFFSET ${bind.add(offset, 'UInt32')}`;
  return { sql, params: bind.params };
}
