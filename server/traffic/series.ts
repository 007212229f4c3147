// Traffic of posts by interval: what is summed, and distinct visitors, of every interval in one statement each.
import { Bindings } from './bindings.ts';
import type { Series, Span } from './intervals.ts';
import {
  columnsOf,
  type Measure,
  type Metric,
  ROLLED_MEASURES,
  type RolledMeasure,
  type VisitorKind,
} from './metrics.ts';
import { pagesThatCount } from './pages.ts';
import { type Placing, placingOf } from './placing.ts';
import type { TrafficQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { measureRows } from './source.ts';
import { areTotals, totalRows } from './totals.ts';
import { MERGED, pageVisitors } from './visitorSource.ts';

export interface SeriesQuestion {
  /** The whole period. Posts that are filtered by nothing are posts all the same. */
  scope: Scope;
  interval: Span;
  /** Of the same period; not empty. */
  series: Series;
  metrics: readonly Metric[];
}

/** Whether totals of the site answer a part of the question, once the pages that do not count are known. */
export const takesTotals = ({ scope, interval, metrics }: SeriesQuestion): boolean =>
  areTotals(scope, interval) && columnsOf(metrics).measures.some(isSum);

/**
 * Statements with rows `place, …columns`: the place of an interval that had traffic, and columns of the metrics.
 * @param uncounted Keys of the pages that do not count, for a question that takes totals. Default: posts are counted
 *   one by one.
 */
export function compileSeries(question: SeriesQuestion, uncounted?: readonly string[]): TrafficQuery[] {
  const { scope, interval, series, metrics } = question;
  const { measures, visitors } = columnsOf(metrics);
  const { intervals } = series;
  const narrowed = { ...scope, period: series.period, posts: scope.posts ?? {} };
  const compile = (select: (bind: Bindings, placing: Placing) => string): TrafficQuery => {
    const bind = new Bindings(scope.site);
    const sql = select(bind, placingOf({ intervals, interval, zone: scope.zone }, bind));
    return { sql, params: bind.params };
  };
  const pages = (bind: Bindings) => pagesThatCount(narrowed, bind);
  const sumsOf = (some: readonly Measure[], rows: (bind: Bindings, placing: Placing) => string) =>
    compile((bind, placing) => {
      const sums = some.map((measure) => `sum(${measure}) AS ${measure}`);
      return `SELECT place, ${sums.join(', ')} FROM (${rows(bind, placing)}) GROUP BY place`;
    });
  const ofPosts = (some: readonly Measure[]) =>
    sumsOf(some, (bind, placing) => measureRows(narrowed, some, bind, { pages: pages(bind), placing }));
  const ofSite = (some: readonly RolledMeasure[], off: readonly string[]) =>
    sumsOf(some, (bind, placing) => totalRows(narrowed, some, bind, { placing, uncounted: off }));
  const visitorsOf = (kind: VisitorKind) =>
    compile((bind, placing) => {
      const rows = pageVisitors(narrowed, kind, bind, { pages: pages(bind), placing });
      return `SELECT place, ${MERGED} AS ${kind} FROM (${rows}) GROUP BY place`;
    });
  // One measure that no roll-up has would have the others counted from events, too.
  const rolled = measures.filter(isSum);
  const others = measures.filter((measure) => !isSum(measure));
  return [
    ...(rolled.length === 0 ? [] : [uncounted === undefined ? ofPosts(rolled) : ofSite(rolled, uncounted)]),
    ...(others.length === 0 ? [] : [ofPosts(others)]),
    ...visitors.map(visitorsOf),
  ];
}

const isSum = (measure: Measure): measure is RolledMeasure => ROLLED_MEASURES.some((known) => known === measure);
