// From when on the traffic of a site is counted: a period that begins earlier is not comparable with a later one.
import { QUARTER } from '../durations.ts';
import type { SiteId } from '../sites/site.ts';
import type { TrafficStore } from '../storage/store.ts';
import { compileFirstDay, compileFirstQuarter, NO_DAY } from '../traffic/growth.ts';
import type { Period } from '../traffic/period.ts';
import { dayOf, daysBetween, startOfDay } from '../traffic/zone.ts';

interface Asked {
  site: SiteId;
  zone: string;
  period: Period;
}

/**
 * When the first view of a site was counted, to the quarter of an hour; of a day whose quarters have left with its
 * events, its first moment.
 * @returns Epoch milliseconds; for a period that begins on a later day some moment of the first one; −∞ where there was
 * no view.
 */
export async function countedFrom(store: TrafficStore, { site, zone, period }: Asked): Promise<number> {
  const [first] = await store.run(compileFirstDay({ site }));
  const day = String(first!.day);
  if (day === NO_DAY) return Number.NEGATIVE_INFINITY;
  const since = startOfDay(day, zone);
  if (dayOf(period.start, zone) > day) return since;
  const [earliest] = await store.run(compileFirstQuarter({ site }, day));
  return Math.max(since, Number(earliest!.quarter) * QUARTER);
}

/**
 * Days of traffic before a period, by the calendar of the site. 0 where it begins with or before the first view, and
 * where there was none.
 * @param from Of `countedFrom`.
 */
export const daysCounted = (from: number, { zone, period }: Omit<Asked, 'site'>): number =>
  Number.isFinite(from) ? Math.max(0, daysBetween(dayOf(from, zone), dayOf(period.start, zone))) : 0;
