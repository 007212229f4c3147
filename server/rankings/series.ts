// Asks the store for metrics by interval.
import type { TrafficStore } from '../storage/store.ts';
import { type Counts, toMetrics } from '../traffic/metrics.ts';
import { compileSeries, type SeriesQuestion, takesTotals } from '../traffic/series.ts';
import { compileUncounted, MOST_UNCOUNTED } from '../traffic/totals.ts';

type Metrics = Record<string, number>;

/** Metrics of each interval of a series, in order; zero where nothing was counted. */
export async function countSeries(store: TrafficStore, question: SeriesQuestion): Promise<Metrics[]> {
  const counts = question.series.intervals.map((): Counts => ({}));
  if (counts.length === 0 || question.metrics.length === 0) return counts.map(() => ({}));
  const uncounted = takesTotals(question) ? await readUncounted(store, question) : undefined;
  const answers = await Promise.all(compileSeries(question, uncounted).map((query) => store.run(query)));
  for (const { place, ...columns } of answers.flat()) {
    const known = counts[Number(place)];
    // A row that an earlier time zone of the site put into a day outside.
    if (known === undefined) continue;
    // A roll-up may be a moment behind the events that are taken off.
    for (const [column, value] of Object.entries(columns)) known[column as keyof Counts] = Math.max(0, Number(value));
  }
  return counts.map((of) => toMetrics(question.metrics, of));
}

/** Undefined: more than can be taken off. */
async function readUncounted(
  store: TrafficStore,
  { scope, series }: SeriesQuestion,
): Promise<readonly string[] | undefined> {
  const rows = await store.run(compileUncounted({ ...scope, period: series.period }));
  return rows.length > MOST_UNCOUNTED ? undefined : rows.map(({ page }) => String(page));
}
