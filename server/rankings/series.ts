// Asks the store for metrics by interval.
import type { TrafficStore } from '../storage/store.ts';
import { compileKeptDays } from '../traffic/keptHours.ts';
import { type Counts, toMetrics } from '../traffic/metrics.ts';
import { compileSeries, type SeriesQuestion, type Totals, takesHours, takesTotals } from '../traffic/series.ts';
import { readUncounted } from './uncounted.ts';

type Metrics = Record<string, number>;

/** Metrics of each interval of a series, in order; zero where nothing was counted. */
export async function countSeries(store: TrafficStore, question: SeriesQuestion): Promise<Metrics[]> {
  const counts = question.series.intervals.map((): Counts => ({}));
  if (counts.length === 0 || question.metrics.length === 0) return counts.map(() => ({}));
  const totals = takesTotals(question) ? await readTotals(store, question) : undefined;
  const answers = await Promise.all(compileSeries(question, totals).map((query) => store.run(query)));
  for (const { place, ...columns } of answers.flat()) {
    const known = counts[Number(place)];
    // A row that an earlier time zone of the site put into a day outside.
    if (known === undefined) continue;
    // A roll-up may be a moment behind the events that are taken off.
    for (const [column, value] of Object.entries(columns)) known[column as keyof Counts] = Math.max(0, Number(value));
  }
  return counts.map((of) => toMetrics(question.metrics, of));
}

/** Undefined: more pages do not count than can be taken off. */
async function readTotals(store: TrafficStore, question: SeriesQuestion): Promise<Totals | undefined> {
  const scope = { ...question.scope, period: question.series.period };
  const uncounted = await readUncounted(store, scope);
  if (uncounted === undefined) return undefined;
  const kept = takesHours(question) ? await store.run(compileKeptDays(scope, uncounted)) : [];
  return { uncounted, kept: kept.map(({ date, run }) => ({ day: String(date), run: String(run) })) };
}
