// Asks the store for metrics by interval.
import type { TrafficStore } from '../storage/store.ts';
import { compileMaterialisedDays } from '../traffic/materialisedHours.ts';
import { type Counts, toMetrics } from '../traffic/metrics.ts';
import {
  compileSeries,
  type SeriesQuestion,
  type Totals,
  takesMaterialisedDays,
  takesTotals,
} from '../traffic/series.ts';
import { readUncounted } from './uncounted.ts';
import { withKeys } from './withKeys.ts';

type Metrics = Record<string, number>;

/** Metrics of each interval of a series, in order; zero where nothing was counted. */
export const countSeries = async (store: TrafficStore, question: Omit<SeriesQuestion, 'whole'>): Promise<Metrics[]> =>
  (await countSeriesAndWhole(store, { ...question, scope: await withKeys(store, question.scope) })).intervals;

interface SeriesAndWhole {
  /** As `countSeries` has them. */
  intervals: Metrics[];
  /** Of the whole period, where the question is about it; empty for a period without intervals. */
  whole: Metrics;
}

/**
 * The same, and metrics of the whole period where they are asked for.
 * @param question Of a scope that has its keys (`withKeys`): they are the same for a period and the one before.
 */
export async function countSeriesAndWhole(store: TrafficStore, question: SeriesQuestion): Promise<SeriesAndWhole> {
  const { series, metrics } = question;
  const intervals = series.intervals.map((): Counts => ({}));
  const ofWhole: Counts = {};
  if (intervals.length === 0 || metrics.length === 0) return { intervals: intervals.map(() => ({})), whole: {} };
  const totals = takesTotals(question) ? await readTotals(store, question) : undefined;
  const answers = await Promise.all(compileSeries(question, totals).map((query) => store.run(query)));
  for (const { place, whole, ...columns } of answers.flat()) {
    const counts = Number(whole ?? 0) === 1 ? ofWhole : intervals[Number(place)];
    // A row that an earlier time zone of the site put into a day outside.
    if (counts === undefined) continue;
    // A roll-up may be a moment behind the events that are taken off.
    for (const [column, value] of Object.entries(columns)) counts[column as keyof Counts] = Math.max(0, Number(value));
  }
  return { intervals: intervals.map((sums) => toMetrics(metrics, sums)), whole: toMetrics(metrics, ofWhole) };
}

/** Undefined: more pages do not count than can be taken off. */
async function readTotals(store: TrafficStore, question: SeriesQuestion): Promise<Totals | undefined> {
  const scope = { ...question.scope, period: question.series.period };
  const uncounted = await readUncounted(store, scope);
  if (uncounted === undefined) return undefined;
  const kept = takesMaterialisedDays(question) ? await store.run(compileMaterialisedDays(scope, uncounted)) : [];
  return { uncounted, kept: kept.map(({ date, run }) => ({ day: String(date), run: String(run) })) };
}
