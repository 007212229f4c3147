// Totals since start: what was stored and why the rest was not, by site.
import type { DropReason, Ingest } from '../deps.ts';

type Outcome = 'stored' | DropReason;

export function createCounts() {
  const totals = new Map<string, Map<Outcome, number>>();
  return {
    /** @param site "" where it is not known. */
    add(site: string, outcome: Outcome, count = 1): void {
      const ofSite = totals.get(site) ?? new Map<Outcome, number>();
      totals.set(site, ofSite);
      ofSite.set(outcome, (ofSite.get(outcome) ?? 0) + count);
    },
    list: (): ReturnType<Ingest['counts']> =>
      [...totals].flatMap(([site, ofSite]) => [...ofSite].map(([outcome, count]) => ({ site, outcome, count }))),
  };
}
