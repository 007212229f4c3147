// Stores the views that clicks on lists led to: of days that are over, so that queries about them read no events; and
// of busy days up to a moment, so that queries read the events of an hour instead of two days.
import { LEDGER_LIMITS } from '../contract/ledger.ts';
import { DAY, MINUTE } from '../durations.ts';
import { serveEach } from '../serveEach.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { UnsettledDay } from '../storage/settledDays.ts';
import type { Store, TrafficStore } from '../storage/store.ts';
import { compileCausedViews } from '../traffic/ledger/causedViews.ts';
import { type ClickDays, compileClickDays, toClickDays } from '../traffic/ledger/outcomes.ts';
import { CAUSED_WITHIN_MS } from '../traffic/ledger/question.ts';
import type { Scope } from '../traffic/scope.ts';
import { addDays, dayOf } from '../traffic/zone.ts';
import { BUSY_VIEWS } from './materialiseHours.ts';

/** Which days of a period are kept, and which are not. */
export async function readClickDays(
  store: TrafficStore,
  scope: Pick<Scope, 'site' | 'zone' | 'period'>,
): Promise<ClickDays> {
  return toClickDays(await store.run(compileClickDays(scope)));
}

interface Settling {
  store: Pick<Store, 'settledDays'>;
  sites: Pick<SiteDirectory, 'find'>;
  /** Epoch milliseconds. */
  now(): number;
  /** Days with fewer views are settled only when they are over. Default: `BUSY_VIEWS`. */
  views?: number;
  /** Ends the run after the day that it is at. Default: it goes to its end. */
  stop?: AbortSignal;
}

/**
 * Age of the clicks of a busy day whose caused views are kept: all of these have begun, and most are read to their end.
 * Engaged seconds that follow later are counted by the next run.
 */
const FOLLOWED_MS = CAUSED_WITHIN_MS + 15 * MINUTE;

/** Aliases that became known earlier than this were seen by an earlier run. */
const ALIASES_MS = 7 * DAY;

/**
 * One run, over all sites: days that are over, and nothing more follows their clicks, are kept; those that something
 * came to late are made again, and so are busy ones until they are over.
 * @throws {AggregateError} when some could not be kept, after the others were.
 */
export async function settleDays(settling: Settling): Promise<void> {
  const { store, sites, now, views = BUSY_VIEWS, stop } = settling;
  const { settledDays } = store;
  const since = addDays(dayOf(now(), 'UTC'), -LEDGER_LIMITS.days);
  const unsettled = await settledDays.unsettled({ since, aliasesSince: now() - ALIASES_MS });
  const failures = await serveEach(unsettled, (one) => settleDay(one, { settledDays, sites, now, views }), { stop });
  if (!stop?.aborted) await settledDays.removeSuperseded(now());
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} days could not be settled.`);
}

async function settleDay(
  { site: id, day, views }: UnsettledDay,
  { settledDays, sites, now, views: busy }: Pick<Store, 'settledDays'> & Required<Omit<Settling, 'store' | 'stop'>>,
): Promise<void> {
  const site = sites.find(id);
  if (site === undefined) return;
  const isOver = day <= addDays(dayOf(now(), site.timezone), -2);
  if (!isOver && views < busy) return;
  const openFrom = isOver ? undefined : now() - FOLLOWED_MS;
  const siteDay = { site: site.id, zone: site.timezone, day };
  await settledDays.settle({ ...siteDay, openFrom }, now(), (run) =>
    compileCausedViews({ ...siteDay, before: openFrom, run }),
  );
}
