// Asks the store for figures of lists by interval.
import type { TrafficStore } from '../storage/store.ts';
import { asksOutcomes, compileListSeries, type ListSeriesQuestion } from '../traffic/ledger/compileListSeries.ts';
import type { TrafficRow } from '../traffic/query.ts';
import { toFigures, toSums } from './listFigures.ts';
import { readClickDays } from './settleDays.ts';

/** Metrics of each interval of a series, in order. */
export async function countListSeries(
  store: TrafficStore,
  question: ListSeriesQuestion,
): Promise<Record<string, number>[]> {
  const { series, metrics } = question;
  if (series.intervals.length === 0 || metrics.length === 0) return [];
  const scope = { ...question.scope, period: series.period };
  const days = asksOutcomes(question) ? await readClickDays(store, scope) : undefined;
  const [figures = [], views = []] = await Promise.all(
    compileListSeries(question, days).map(async (query) => await store.run(query)),
  );
  const [sums, allViews] = [byPlace(figures), byPlace(views)];
  return series.intervals.map((_, place) => {
    const all = Math.max(0, Number(allViews.get(place)?.views ?? 0));
    const { engaged_minutes, ...shown } = toFigures(toSums(sums.get(place) ?? {}), { withLists: true, allViews: all });
    const named: Record<string, number | undefined> = { ...shown, engaged_minutes_caused: engaged_minutes };
    return Object.fromEntries(metrics.map((name) => [name, named[name] ?? 0]));
  });
}

const byPlace = (rows: readonly TrafficRow[]): Map<number, TrafficRow> =>
  new Map(rows.map((row) => [Number(row.place), row]));
