// Which metrics are known of a period: visitors leave with the events of a site, its sums by day stay.
import type { SiteId } from '../sites/site.ts';
import type { TrafficStore } from '../storage/store.ts';
import { compileFirstDay, NO_DAY } from '../traffic/growth.ts';
import { compileFirstKeptDay } from '../traffic/keptEvents.ts';
import { type Metric, planOf } from '../traffic/metrics.ts';
import type { Period } from '../traffic/period.ts';
import { dayOf } from '../traffic/zone.ts';

const LATEST = '9999-12-31';

interface Asked {
  site: SiteId;
  zone: string;
  period: Period;
}

/** Those of some metrics that are of the whole period: visitors of a part of it stand beside those of none. */
export async function knownMetrics(
  store: TrafficStore,
  { site, zone, period }: Asked,
  metrics: readonly Metric[],
): Promise<readonly Metric[]> {
  const others = metrics.filter((metric) => planOf(metric).visitors.length === 0);
  if (others.length === metrics.length) return metrics;
  const [[first], [kept]] = await Promise.all([
    store.run(compileFirstDay({ site })),
    store.run(compileFirstKeptDay({ site })),
  ]);
  // Without an event, nothing is known of visitors where a view was counted once.
  const from = String(kept?.day ?? (first?.day === NO_DAY ? NO_DAY : LATEST));
  return String(first?.day) >= from || dayOf(period.start, zone) >= from ? metrics : others;
}
