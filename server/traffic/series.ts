// Traffic of posts by interval: what is summed, and distinct visitors, of every interval in one statement each.
import { Bindings } from './bindings.ts';
import type { Interval, Series } from './intervals.ts';
import { columnsOf, type Measure, type Metric, ROLLED_MEASURES, type VisitorKind } from './metrics.ts';
import { pagesThatCount } from './pages.ts';
import { type Placing, placingOf } from './placing.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { measureRows, type SourceOptions } from './source.ts';
import { MERGED, pageVisitors } from './visitorSource.ts';

export interface SeriesQuestion {
  /** The whole period. Posts that are filtered by nothing are posts all the same. */
  scope: Scope;
  interval: Interval;
  /** Of the same period; not empty. */
  series: Series;
  metrics: readonly Metric[];
}

/** Statements with rows `place, …columns`: the place of an interval that had traffic, and columns of the metrics. */
export function compileSeries({ scope, interval, series, metrics }: SeriesQuestion): TrafficQuery[] {
  const { measures, visitors } = columnsOf(metrics);
  const { intervals } = series;
  const narrowed = { ...scope, period: series.period, posts: scope.posts ?? {} };
  const compile = (select: (bind: Bindings, options: SourceOptions & { placing: Placing }) => string): TrafficQuery => {
    const bind = new Bindings(scope.site);
    const placing = placingOf({ intervals, interval, zone: scope.zone }, bind);
    const sql = select(bind, { pages: pagesThatCount(narrowed, bind), placing });
    return { sql, params: bind.params };
  };
  const sumsOf = (some: readonly Measure[]) =>
    compile((bind, options) => {
      const sums = some.map((measure) => `sum(${measure}) AS ${measure}`);
      return `SELECT place, ${sums.join(', ')} FROM (${measureRows(narrowed, some, bind, options)}) GROUP BY place`;
    });
  const visitorsOf = (kind: VisitorKind) =>
    compile(
      (bind, options) =>
        `SELECT place, ${MERGED} AS ${kind} FROM (${pageVisitors(narrowed, kind, bind, options)}) GROUP BY place`,
    );
  // One measure that no roll-up has would have the others counted from events, too.
  const rolled = measures.filter(isSum);
  const others = measures.filter((measure) => !isSum(measure));
  return [...[rolled, others].filter(({ length }) => length > 0).map(sumsOf), ...visitors.map(visitorsOf)];
}

const isSum = (measure: Measure): boolean => ROLLED_MEASURES.some((known) => known === measure);
