// Traffic of posts by interval: what is summed, and distinct visitors, of every interval in one statement each.
import { Bindings } from './bindings.ts';
import { isWithinDays, type Series, type Span } from './intervals.ts';
import { daysOfFirstViews, keptByFirstView } from './materialisedFirstViews.ts';
import { keptSums, keptVisitors, wholeDays, withoutDays } from './materialisedHours.ts';
import { columnsOf, isRolledFor, type Measure, type Metric, type RolledMeasure, type VisitorKind } from './metrics.ts';
import { pagesThatCount } from './pages.ts';
import { type Placing, placingOf } from './placing.ts';
import type { TrafficQuery } from './query.ts';
import type { RunOfDay } from './runsOfDays.ts';
import type { Scope } from './scope.ts';
import { measureRows } from './source.ts';
import { areTotals, exceptPages, totalRows } from './totals.ts';
import { mergedBy, mergedByFirstView, type NewOrReturning, pageVisitors, placedByFirstView } from './visitorSource.ts';
import { dayOf } from './zone.ts';

export interface SeriesQuestion {
  /** The whole period. Posts that are filtered by nothing are posts all the same. */
  scope: Scope;
  interval: Span;
  /** Of the same period; not empty. */
  series: Series;
  metrics: readonly Metric[];
  /** Adds the whole period: distinct visitors once, and rates of all of it. Default: false. */
  whole?: boolean;
}

/**
 * Whether totals of the site, or days that are kept, answer a part of the question, once the pages that do not count
 * are known.
 */
export const takesTotals = (question: SeriesQuestion): boolean => {
  const { scope, interval, metrics } = question;
  return (
    areTotals(scope, interval) && (columnsOf(metrics).measures.some(isSumOf(scope)) || takesMaterialisedDays(question))
  );
};

/**
 * Whether kept days answer a part of a question that takes totals: their hours, but not quarters of these; their
 * visitors; or the first views of their visitors. Sums of whole days are added up as soon from the roll-ups.
 */
export const takesMaterialisedDays = ({ scope, interval, metrics, whole }: SeriesQuestion): boolean => {
  const { channel, device, facets = [] } = scope;
  if (interval === 'quarter' || channel !== undefined || device !== undefined || facets.length > 0) return false;
  const { visitors } = columnsOf(metrics);
  return (
    interval === 'hour' ||
    visitors.some((kind) => kind === 'visitors' || (isByFirstView(kind, whole) && !isWithinDays(interval)))
  );
};

/** Whether new or returning visitors are counted, of all intervals and the whole, by one reading of the first views. */
const isByFirstView = (kind: VisitorKind, whole = false): kind is NewOrReturning => kind !== 'visitors' && whole;

/** What was looked up for a question that takes totals. */
export interface Totals {
  /** Keys of the pages that do not count. */
  uncounted: readonly string[];
  /** Days that are kept. */
  kept: readonly RunOfDay[];
}

/**
 * Statements with rows `place, …columns`: the place of an interval that had traffic, and columns of the metrics. Rows
 * of the whole period have a column `whole`, 1.
 * @param totals For a question that takes totals. Default: posts are counted one by one.
 */
export function compileSeries(question: SeriesQuestion, totals?: Totals): TrafficQuery[] {
  const { scope, series, metrics } = question;
  const { measures, visitors } = columnsOf(metrics);
  const narrowed = { ...scope, period: series.period, posts: scope.posts ?? {} };
  const compile = (reading: Reading) => statementsOf(question, reading);
  // A set of a few keys is faster than that of all posts.
  const pages = (bind: Bindings) =>
    totals === undefined ? pagesThatCount(narrowed, bind) : exceptPages(totals.uncounted, bind);
  const sumsOf = (some: readonly Measure[], rows: (placed: Placement) => string) =>
    compile({
      columns: () => some.map((measure) => `sum(${measure}) AS ${measure}`).join(', '),
      rows,
      addsUp: some.every(addsUp),
    });
  const ofPosts = (some: readonly Measure[]) =>
    sumsOf(some, ({ bind, placing }) => measureRows(narrowed, some, bind, { pages: pages(bind), placing }));
  const days = wholeDays(totals?.kept ?? [], series.period, scope.zone);
  const rest = withoutDays(series.period, days, scope.zone).map((period) => ({ ...narrowed, period }));
  const ofSite = (some: readonly RolledMeasure[], { uncounted }: Totals) =>
    sumsOf(some, ({ interval, bind, placing }) => {
      const rows = (part: Scope) => totalRows(part, some, bind, { placing, uncounted });
      if (interval !== 'hour' || days.length === 0) return rows(narrowed);
      return [keptSums(scope, days, some, { bind, placing }), ...rest.map(rows)].join('\nUNION ALL\n');
    });
  const byFirstView = (kinds: readonly NewOrReturning[]) =>
    compile({
      columns: ({ placing }) => kinds.map((kind) => `${mergedByFirstView(kind, placing)} AS ${kind}`).join(', '),
      rows: ({ interval, bind, placing }) => {
        const known = daysOfFirstViews(days, { interval, period: series.period, zone: scope.zone });
        const read = withoutDays(series.period, known, scope.zone);
        return [
          ...(known.length === 0 ? [] : [keptByFirstView(narrowed, known, kinds, { bind, placing })]),
          ...(read.length === 0
            ? []
            : [placedByFirstView(narrowed, kinds, bind, { read, pages: pages(bind), placing })]),
        ].join('\nUNION ALL\n');
      },
      addsUp: true,
      settings: [KEEP_BUILD_SIDE],
    });
  const visitorsOf = (kind: VisitorKind) =>
    compile({
      columns: ({ placing }) => `${mergedBy(placing)} AS ${kind}`,
      rows: ({ bind, placing }) => {
        const rows = (part: Scope) => pageVisitors(part, kind, bind, { pages: pages(bind), placing });
        if (kind !== 'visitors') return rows(narrowed);
        const kept = days.length === 0 ? [] : [keptVisitors(scope, days, { bind, placing })];
        const others = days.length > 0 || isWithinOneDay(narrowed) ? rest.map(asEvents) : rest;
        return [...kept, ...others.map(rows)].join('\nUNION ALL\n');
      },
      // Sketches of hours are smaller than those of a period.
      addsUp: kind === 'visitors' && !isWithinDays(question.interval),
    });
  const ofFirstView = visitors.filter((kind) => isByFirstView(kind, question.whole));
  // One measure that no roll-up has would have the others counted from events, too.
  const isSum = isSumOf(scope);
  const rolled = measures.filter(isSum);
  const others = measures.filter((measure) => !isSum(measure));
  return [
    ...(rolled.length === 0 ? [] : totals === undefined ? ofPosts(rolled) : ofSite(rolled, totals)),
    ...(others.length === 0 ? [] : ofPosts(others)),
    ...(ofFirstView.length === 0 ? [] : byFirstView(ofFirstView)),
    ...visitors.filter((kind) => !isByFirstView(kind, question.whole)).flatMap(visitorsOf),
  ];
}

/** How a statement places its rows. */
interface Placement {
  interval: Span;
  bind: Bindings;
  placing: Placing;
}

/** What statements select. */
interface Reading {
  /** Aggregates over the rows. */
  columns(placed: Placement): string;
  /** A SELECT with a column `place`. */
  rows(placed: Placement): string;
  /** Whether the whole period has the rows of its intervals: they are read once for both then, by grouping sets. */
  addsUp: boolean;
  /** Of the statement, beside those of every series. */
  settings?: readonly string[];
}

function statementsOf({ scope, interval, series, whole = false }: SeriesQuestion, reading: Reading): TrafficQuery[] {
  const settings = `\nSETTINGS ${[...LONG_READ, ...(reading.settings ?? [])].join(', ')}`;
  const one = (span: Span, group: string, mark: string): TrafficQuery => {
    const bind = new Bindings(scope.site);
    const intervals = span === 'period' ? [series.period] : series.intervals;
    const placed = { interval: span, bind, placing: placingOf({ intervals, interval: span, zone: scope.zone }, bind) };
    const sql = `SELECT place${mark}, ${reading.columns(placed)} FROM (${reading.rows(placed)}) GROUP BY ${group}${settings}`;
    return { sql, params: bind.params };
  };
  if (whole && reading.addsUp) return [one(interval, 'GROUPING SETS ((place), ())', ', grouping(place) AS whole')];
  return [one(interval, 'place', ''), ...(whole ? [one('period', 'place', ', 1 AS whole')] : [])];
}

/** Settings of every series, which reads millions of events. */
const LONG_READ = [
  // Many events meet the conditions: to filter the columns after each condition takes longer than after all of them.
  'enable_multiple_prewhere_read_steps = 0',
  // Keys of more posts than that are in every granule: to ask the primary index for them takes time and skips none.
  'use_index_for_in_with_subqueries_max_values = 1000',
  // Bytes of a block: of the default, 1 MB, there are so many that each costs more than its rows.
  'preferred_block_size_bytes = 4000000',
];

/**
 * Of the hash join of events with new visitors, the right side: the new visitors. The optimizer estimates them as all
 * visitors of the site and would swap the sides, so that the hash table is built from millions of events.
 */
const KEEP_BUILD_SIDE = 'query_plan_join_swap_table = 0';

/**
 * A part of a period without the mark that it ends now: the visitors of today are counted from events. On a busy site,
 * whose days are kept, that is faster than to merge a sketch of each page. For today alone, where no kept day says
 * whether the site is busy, it takes as long on a small one.
 */
const asEvents = ({ period: { start, end }, ...scope }: Scope): Scope => ({ ...scope, period: { start, end } });

const isWithinOneDay = ({ period: { start, end }, zone }: Scope): boolean => dayOf(start, zone) === dayOf(end, zone);

/** The visitors that are new within a period are others than those that are new within an interval of it. */
const addsUp = (measure: Measure): boolean =>
  measure !== 'engaged_seconds_new' && measure !== 'engaged_seconds_returning';

const isSumOf =
  ({ device }: Scope) =>
  (measure: Measure): measure is RolledMeasure =>
    isRolledFor(measure, device);
