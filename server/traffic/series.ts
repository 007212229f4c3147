// Traffic of posts by interval: what is summed, and distinct visitors, of every interval in one statement each.
import { Bindings } from './bindings.ts';
import type { Series, Span } from './intervals.ts';
import { type KeptDay, keptSums, keptVisitors, wholeDays, withoutDays } from './keptHours.ts';
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
import { mergedBy, pageVisitors } from './visitorSource.ts';

export interface SeriesQuestion {
  /** The whole period. Posts that are filtered by nothing are posts all the same. */
  scope: Scope;
  interval: Span;
  /** Of the same period; not empty. */
  series: Series;
  metrics: readonly Metric[];
}

/** Whether totals of the site answer a part of the question, once the pages that do not count are known. */
export const takesTotals = ({ scope, interval, metrics }: SeriesQuestion): boolean => {
  const { measures, visitors } = columnsOf(metrics);
  return areTotals(scope, interval) && (measures.some(isSum) || visitors.includes('visitors'));
};

/**
 * Whether hours that are kept answer a part of a question that takes totals. Sums of whole days are added up as soon.
 */
export const takesHours = ({ scope, interval, metrics }: SeriesQuestion): boolean =>
  scope.channel === undefined && (interval === 'hour' || columnsOf(metrics).visitors.includes('visitors'));

/** What was looked up for a question that takes totals. */
export interface Totals {
  /** Keys of the pages that do not count. */
  uncounted: readonly string[];
  /** Days whose hours are kept. */
  kept: readonly KeptDay[];
}

/**
 * Statements with rows `place, …columns`: the place of an interval that had traffic, and columns of the metrics.
 * @param totals For a question that takes totals. Default: posts are counted one by one.
 */
export function compileSeries(question: SeriesQuestion, totals?: Totals): TrafficQuery[] {
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
  const days = wholeDays(totals?.kept ?? [], series.period, scope.zone);
  const rest = withoutDays(series.period, days, scope.zone).map((period) => ({ ...narrowed, period }));
  const ofSite = (some: readonly RolledMeasure[], { uncounted }: Totals) =>
    sumsOf(some, (bind, placing) => {
      const rows = (of: Scope) => totalRows(of, some, bind, { placing, uncounted });
      if (interval !== 'hour' || days.length === 0) return rows(narrowed);
      return [keptSums(scope, days, some, { bind, placing }), ...rest.map(rows)].join('\nUNION ALL\n');
    });
  const visitorsOf = (kind: VisitorKind) =>
    compile((bind, placing) => {
      const rows = (of: Scope) => pageVisitors(of, kind, bind, { pages: pages(bind), placing });
      const all =
        kind !== 'visitors' || days.length === 0
          ? rows(narrowed)
          : [keptVisitors(scope, days, { bind, placing }), ...rest.map(rows)].join('\nUNION ALL\n');
      return `SELECT place, ${mergedBy(placing)} AS ${kind} FROM (${all}) GROUP BY place`;
    });
  // One measure that no roll-up has would have the others counted from events, too.
  const rolled = measures.filter(isSum);
  const others = measures.filter((measure) => !isSum(measure));
  return [
    ...(rolled.length === 0 ? [] : [totals === undefined ? ofPosts(rolled) : ofSite(rolled, totals)]),
    ...(others.length === 0 ? [] : [ofPosts(others)]),
    ...visitors.map(visitorsOf),
  ];
}

const isSum = (measure: Measure): measure is RolledMeasure => ROLLED_MEASURES.some((known) => known === measure);
