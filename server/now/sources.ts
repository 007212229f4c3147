// Page views by the kind of their source: of some minutes, and by quarters of an hour of earlier weeks.
import { NOW_SOURCES, type NowSourceName } from '../contract/now.ts';
import type { TrafficStore } from '../storage/store.ts';
import type { Scope } from '../traffic/scope.ts';
import { compileSourceViews } from '../traffic/sourceViews.ts';

/** Views by quarters since 1970; what is missing had none. */
export type BySource = Readonly<Record<NowSourceName, Map<number, number>>>;

export const noSources = (): BySource =>
  Object.fromEntries(NOW_SOURCES.map((name) => [name, new Map()])) as unknown as BySource;

/** Adds the views of a period, which is not empty. */
export async function addSources(store: TrafficStore, scope: Scope, sums: BySource): Promise<void> {
  for (const { facet, quarter, views } of await store.run(compileSourceViews(scope))) {
    const byQuarter = sums[String(facet).slice('referrer_'.length) as NowSourceName];
    byQuarter?.set(Number(quarter), (byQuarter.get(Number(quarter)) ?? 0) + Number(views));
  }
}

/** All views of a period by source. */
export async function countSources(store: TrafficStore, scope: Scope): Promise<Record<NowSourceName, number>> {
  const sums = noSources();
  await addSources(store, scope, sums);
  const all = (name: NowSourceName) => [...sums[name].values()].reduce((sum, views) => sum + views, 0);
  return Object.fromEntries(NOW_SOURCES.map((name) => [name, all(name)])) as Record<NowSourceName, number>;
}
