// What the readers of an experiment did: sums over readers of each variant. A reader belongs to the variant that was
// shown first, and counts from that moment, a view in the same millisecond included: applications report what was seen
// of a page when the next one is viewed. Later lists in another variant, which readers without an id may see, are left
// out.
import { MINUTE } from '../../durations.ts';
import { Bindings } from '../bindings.ts';
import { asEdge } from '../cut.ts';
import type { TrafficQuery } from '../query.ts';
import type { Scope } from '../scope.ts';
import { ofEvents } from '../source.ts';
import { causedViews } from './causedViews.ts';
import { QUALITY_SECONDS } from './question.ts';
import { chosen } from './rows.ts';

export interface ReadersQuestion {
  scope: Pick<Scope, 'site' | 'zone' | 'period'>;
  /** Undefined: all readers of lists, in two halves by a hash, named `a` and `b`. */
  experiment: { name: string; variants: readonly string[] } | undefined;
  /** So many readers count: those who were shown the list first. */
  readers: number;
}

/** Two page views of a reader that are further apart belong to two visits. */
const VISIT_MS = 30 * MINUTE;

/** Kinds of rows of a reader. */
const REPORT = 0;
const QUALITY = 1;
const VIEW = 2;

/** What is counted of a reader, and what that is divided by: columns of a reader, by metrics of experiments. */
const RATIOS = {
  clicks: ['clicks', 'lists'],
  quality_clicks: ['quality_clicks', 'lists'],
  views: ['views', 'visits'],
  bounces: ['bounces', 'visits'],
  layout_shift: ['shift', 'measured'],
  errors: ['errors', 'watched'],
} as const;

/** Sums by their column: `clicks_xy` is that of clicks times lists. */
const SUMS = Object.entries(RATIOS).flatMap(([metric, [x, y]]) =>
  Object.entries({ x, y, xx: `${x} * ${x}`, xy: `${x} * ${y}`, yy: `${y} * ${y}` }).map(
    ([sum, of]) => `sum(${of}) AS ${metric}_${sum}`,
  ),
);

/** Rows `variant, readers`, and the sums of `RATIOS`; none of a variant without readers. */
export function compileReaders(question: ReadersQuestion): TrafficQuery {
  const bind = new Bindings(question.scope.site);
  const sql = `
SELECT variant, count() AS readers, ${SUMS.join(', ')}
FROM (
  SELECT own AS variant, clicks, quality_clicks, lists, shift, measured, errors, watched, length(path) AS views, arraySum(begins) AS visits,
    arraySum(arrayMap((first, last) -> first AND last, begins, arrayPushBack(arrayPopFront(begins), 1))) AS bounces
  FROM (
    SELECT own,
      arrayFilter(each -> each.1 = own, reports) AS its,
      arraySum(each -> each.2, its) AS lists,
      arraySum(each -> each.3, its) AS clicks,
      arraySum(each -> greatest(each.4, 0), its) / 1000 AS shift,
      arrayCount(each -> each.4 >= 0, its) AS measured,
      arraySum(each -> greatest(each.5, 0), its) AS errors,
      arrayCount(each -> each.5 >= 0, its) AS watched,
      arraySum(arrayMap(each -> if(each.1 = own, each.3, 0), good)) AS quality_clicks,
      arrayConcat([since], arrayFilter(view -> view >= since, viewed)) AS path,
      arrayMap((gap, at) -> at = 1 OR gap > ${VISIT_MS}, arrayDifference(path), arrayEnumerate(path)) AS begins
    FROM (${readerRows(question, bind)})
  )
)
GROUP BY variant
SETTINGS join_algorithm = 'hash'`;
  return { sql, params: bind.params };
}

/** Rows of the first readers: their variant, when it was first shown, their lists and clicks, and their views. */
function readerRows({ scope, experiment, readers }: ReadersQuestion, bind: Bindings): string {
  const all = { ...scope, excluded: new Set<string>() };
  const variant = experiment === undefined ? `if(cityHash64(visitor) % 2 = 0, 'a', 'b')` : 'toString(variant)';
  const filters = { experiment: experiment?.name };
  const within = ofEvents(all, bind, { edges: asEdge(scope.period, scope.zone).edges });
  const shown = [...within, ...chosen(filters, bind), 'visitor != 0'];
  if (experiment !== undefined) shown.push(`variant IN ${bind.add(experiment.variants, 'Array(String)')}`);
  const reports = shown.join(' AND ');
  return `SELECT visitor, minIf(moment, is_shown) AS since, argMinIf(named, (moment, named), is_shown) AS own,
    groupArrayIf((named, lists, clicked, moved, failed), kind = ${REPORT}) AS reports,
    groupArrayIf((named, lists, clicked), kind = ${QUALITY}) AS good,
    arraySort(groupArrayIf(moment, kind = ${VIEW})) AS viewed
  FROM (
    SELECT visitor, toInt64(time) AS moment, ${REPORT} AS kind, shown = 1 AS is_shown, ${variant} AS named,
      toInt64(shown) AS lists, toInt64(arraySum(clicks)) AS clicked,
      shift AS moved, errors AS failed
    FROM ledger WHERE ${reports}
    UNION ALL
    SELECT visitor, toInt64(0) AS moment, ${QUALITY} AS kind, 0 AS is_shown, ${variant} AS named, toInt64(0) AS lists,
      toInt64(count()) AS clicked, toInt16(-1) AS moved, toInt16(-1) AS failed
    FROM (${causedViews({ scope }, bind)}) WHERE ${[...within, ...chosen(filters, bind)].join(' AND ')}
      AND seconds >= ${QUALITY_SECONDS} GROUP BY visitor, named
    UNION ALL
    SELECT visitor, toInt64(time) AS moment, ${VIEW} AS kind, 0 AS is_shown, '' AS named, toInt64(0) AS lists,
      toInt64(0) AS clicked, toInt16(-1) AS moved, toInt16(-1) AS failed
    FROM events WHERE ${[...within, `action = 'pageview'`].join(' AND ')}
      AND visitor IN (SELECT visitor FROM ledger WHERE ${reports} AND shown = 1)
  )
  GROUP BY visitor HAVING countIf(is_shown) > 0
  ORDER BY since, visitor LIMIT ${bind.add(readers, 'UInt32')}`;
}
