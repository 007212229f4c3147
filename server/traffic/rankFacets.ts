// Lists that are not made of posts: referrers, channels, campaigns, segments. Compiled to one statement.
import { Bindings } from './bindings.ts';
import { asEdge } from './cut.ts';
import { distinctCount, PRECISION } from './distinctCount.ts';
import { ABOUT_PAGES, measureOfEvent, needsNew, SEEN } from './eventSql.ts';
import { columnsOf, isCounted, type Metric, namesShown, planOf } from './metrics.ts';
import { pagesThatCount } from './pages.ts';
import type { TrafficQuery } from './query.ts';
import type { FacetFilter, Scope } from './scope.ts';
import { eventsFor, haveRollUp, measureRows, ofEvents, type SourceOptions } from './source.ts';
import { facetVisitors, haveFacetRollUp, mergedBy } from './visitorSource.ts';

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
export function compileRankFacets(question: RankFacetsQuestion): TrafficQuery {
  const { by, scope, sort, limit, offset } = question;
  const bind = new Bindings(scope.site);
  const options = { by, pages: pagesThatCount(scope, bind) };
  const { order } = planOf(sort);
  const sql = `
SELECT * FROM (${(isOneReading(question, options) ? countInOneReading : countInSeveralReadings)(question, bind, options)})
WHERE views > 0 OR ${isCounted(sort)}
ORDER BY ${order} DESC, name ASC, facet ASC
LIMIT ${bind.add(limit + 1, 'UInt32')} OFFSET ${bind.add(offset, 'UInt32')}`;
  return { sql, params: bind.params };
}

type Options = SourceOptions & { by: FacetFilter };

const columnsFor = ({ sort, beside }: RankFacetsQuestion) => columnsOf(['views', ...namesShown(sort, beside)]);

/** `direct` has no value. @param row Table with columns `facet` and `value`. */
const nameOf = (row: string): string => `if(${row}.facet = 'referrer_direct', 'direct', ${row}.value)`;

/** Rows `facet, name, …columns`: sums, and visitors of each kind, from readings of their own. */
function countInSeveralReadings(question: RankFacetsQuestion, bind: Bindings, options: Options): string {
  const { scope } = question;
  const { measures, visitors } = columnsFor(question);
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
  return `
  SELECT traffic.facet AS facet, ${nameOf('traffic')} AS name, ${columns.join(', ')}
  FROM (SELECT facet, value, ${sums} FROM (${measureRows(scope, measures, bind, options)}) GROUP BY facet, value) AS traffic
  ${joins.join('\n')}
`;
}

/** Whether one reading of the events counts all: no roll-up has the sums or the visitors, and none takes a join. */
function isOneReading(question: RankFacetsQuestion, options: Options): boolean {
  const { scope } = question;
  const { measures, visitors } = columnsFor(question);
  const [kind, ...others] = visitors;
  if (kind !== 'visitors' || others.length > 0 || needsNew(measures) || measures.includes('recirculated')) return false;
  return !haveRollUp(scope, measures, options) && !haveFacetRollUp(scope, kind, options);
}

/** The same from one reading of the events, in two thirds of the time. */
function countInOneReading(question: RankFacetsQuestion, bind: Bindings, options: Options): string {
  const { scope } = question;
  const { measures } = columnsFor(question);
  const { edges } = asEdge(scope.period, scope.zone);
  const sums = measures.map((measure) => `sum(${measure}) AS ${measure}`).join(', ');
  const added = measures.map((measure) => measureOfEvent(measure, '')).join(', ');
  return `
  SELECT events.facet AS facet, ${nameOf('events')} AS name, ${sums},
    ${distinctCount(`uniqCombinedIf(${PRECISION})(visitor, ${SEEN})`, PRECISION)} AS visitors
  FROM (
    SELECT pair.1 AS facet, pair.2 AS value, action, visitor, ${added} FROM ${eventsFor(options)}
    WHERE ${[...ofEvents(scope, bind, { ...options, edges }), ABOUT_PAGES].join(' AND ')}
  ) AS events
  GROUP BY facet, value
`;
}
