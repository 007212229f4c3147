// Materialises busy days that are over, by hour, and their visitors by their first view: a series of a whole site reads
// some rows a day of them.

import { KEEP_DAYS } from '../contract/limits.ts';
import { DAY } from '../durations.ts';
import { serveEach } from '../serveEach.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Exclusions } from '../sites/exclusions.ts';
import type { Site } from '../sites/site.ts';
import type { MaterialisedDay, MaterialisedRecord } from '../storage/materialisedHours.ts';
import type { Store, TrafficStore } from '../storage/store.ts';
import { compileFirstViews, compileViewsByDay, DAYS_COMPARED } from '../traffic/materialisedFirstViews.ts';
import { compileDays, compileEventsOf, compileHours } from '../traffic/materialisedHours.ts';
import type { Scope } from '../traffic/scope.ts';
import { addDays, dayOf, endOfDay, startOfDay } from '../traffic/zone.ts';
import { readUncounted } from './uncounted.ts';

interface Keeping {
  store: Pick<Store, 'materialisedHours' | 'traffic'>;
  sites: Pick<SiteDirectory, 'find'>;
  exclusions: Pick<Exclusions, 'of'>;
  /** Epoch milliseconds. */
  now(): number;
  /** Days with fewer views are as quick to count. Default: `BUSY_VIEWS`. */
  views?: number;
  /** Ends the run after the day that it is at. Default: it goes to its end. */
  stop?: AbortSignal;
}

/** Of thirty such days a series by hour is counted in a tenth of a second. */
export const BUSY_VIEWS = 20_000;
/** Days whose pages that do not count are looked up together. */
const DAYS_TOGETHER = 30;
/** Days of one run: a day of a million events is read in a second. */
const DAYS_A_RUN = 100;
/**
 * Pause, in milliseconds, between two runs that make the first views of a day again because views of earlier days came
 * late: a late view concerns all days after it.
 */
const COMPARED_EVERY = DAY;

/**
 * One run, over all sites, the newest days first.
 * @returns Days that were materialised.
 * @throws {AggregateError} Of the sites whose days could not be materialised, once all others were served.
 */
export async function materialiseHours(keeping: Keeping): Promise<number> {
  const { store, sites, now, views = BUSY_VIEWS, stop } = keeping;
  const since = addDays(dayOf(now(), 'UTC'), -KEEP_DAYS);
  const busy = new Map<string, string[]>();
  for (const { site, day } of await store.materialisedHours.busy({ since, views }))
    busy.set(site, [...(busy.get(site) ?? []), day]);
  let kept = 0;
  const keepSite = async ([id, days]: [string, string[]]) => {
    const site = sites.find(id);
    if (site === undefined) return;
    const over = days.filter((day) => day < dayOf(now(), site.timezone));
    for (let at = 0; at < over.length; at += DAYS_TOGETHER)
      kept += await keepDays(site, over.slice(at, at + DAYS_TOGETHER), { ...keeping, room: DAYS_A_RUN - kept });
  };
  const failures = await serveEach(busy, keepSite, { stop });
  if (!stop?.aborted) await store.materialisedHours.removeSuperseded(now());
  if (failures.length > 0)
    throw new AggregateError(failures, `Days of ${failures.length} sites could not be kept by hour.`);
  return kept;
}

/** @param days Of the site, over, the newest first; not empty. */
async function keepDays(
  { id: site, timezone: zone }: Site,
  days: readonly string[],
  { store, exclusions, now, room, stop }: Keeping & { room: number },
): Promise<number> {
  const period = { start: startOfDay(days.at(-1)!, zone), end: endOfDay(days[0]!, zone) };
  const scope: Scope = { site, zone, period, excluded: await exclusions.of(site) };
  const uncounted = await readUncounted(store.traffic, scope);
  if (uncounted === undefined) return 0;
  const rows = await store.traffic.run(compileDays(scope, uncounted));
  const sums = new Map(rows.map(({ date, ...of }) => [String(date), of]));
  const viewsBefore = await readViewsBefore(store.traffic, scope);
  const records = new Map((await store.materialisedHours.kept(site)).map((record) => [record.day, record]));
  let kept = 0;
  for (const day of days) {
    const { counted, uncounted: off } = sums.get(day) ?? {};
    const record = { day, zone, uncounted: String(off), counted: Number(counted), viewsBefore: viewsBefore(day) };
    const known = records.get(day);
    if (
      (known && canStay(record, known, now())) ||
      kept >= room ||
      stop?.aborted ||
      !(await isWhole(store.traffic, { site, ...record }))
    )
      continue;
    await store.materialisedHours.keep(site, record, now(), (run) => [
      compileHours(scope, day, run),
      compileFirstViews(scope, day, run),
    ]);
    kept++;
  }
  return kept;
}

/** Whether the stored rows of a day are still right. */
function canStay(record: MaterialisedRecord, known: MaterialisedDay, now: number): boolean {
  const { zone, uncounted, counted, viewsBefore } = record;
  if (known.zone !== zone || known.uncounted !== uncounted || known.counted !== counted) return false;
  // Sums are removed after 400 days: fewer views are no change. A run by a clock that was ahead lies in the future.
  return viewsBefore <= known.viewsBefore || Math.abs(now - known.at) < COMPARED_EVERY;
}

/** Views of the days before one of the period's days, as far back as they are compared. */
async function readViewsBefore(traffic: TrafficStore, scope: Scope): Promise<(day: string) => number> {
  const rows = await traffic.run(compileViewsByDay(scope));
  const views = rows.map(({ date, views }) => ({ day: String(date), views: Number(views) }));
  return (day) => {
    const since = addDays(day, -DAYS_COMPARED);
    return views.reduce((sum, counted) => (counted.day >= since && counted.day < day ? sum + counted.views : sum), 0);
  };
}

/** Whether all events of a day are there, and none of them belongs to the day of an earlier time zone of the site. */
async function isWhole(
  traffic: TrafficStore,
  { day, counted, ...scope }: Pick<Scope, 'site' | 'zone'> & { day: string; counted: number },
): Promise<boolean> {
  const [row] = await traffic.run(compileEventsOf(scope, day));
  return Number(row?.misplaced) === 0 && Number(row?.n) >= counted;
}
