// What followed the clicks of days that are over is kept, so that questions about them read no events.
import { LEDGER_LIMITS } from '../contract/ledger.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { SiteDay, Store, TrafficStore } from '../storage/store.ts';
import { compileCausedViews } from '../traffic/ledger/causedViews.ts';
import { type ClickDays, compileClickDays, toClickDays } from '../traffic/ledger/outcomes.ts';
import type { Scope } from '../traffic/scope.ts';
import { addDays, DAY, dayOf } from '../traffic/zone.ts';

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
}

/** An alias that became known this long ago has been looked at. */
const ALIASES_MS = 7 * DAY;

/**
 * One run, over all sites: days that are over, and nothing more follows their clicks, are kept; those that something
 * came to late are made again.
 * @throws {AggregateError} when some could not be kept, after the others were.
 */
export async function settleDays({ store: { settledDays }, sites, now }: Settling): Promise<void> {
  const since = addDays(dayOf(now(), 'UTC'), -LEDGER_LIMITS.days);
  const failures: unknown[] = [];
  for (const one of await settledDays.unsettled({ since, aliasesSince: now() - ALIASES_MS }))
    await settleDay(one, { settledDays, sites, now }).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} days could not be settled.`);
  await settledDays.removeSuperseded(now());
}

async function settleDay(
  { site: id, day }: SiteDay,
  { settledDays, sites, now }: Pick<Store, 'settledDays'> & Omit<Settling, 'store'>,
): Promise<void> {
  const site = sites.find(id);
  if (site === undefined || day > addDays(dayOf(now(), site.timezone), -2)) return;
  const of = { site: site.id, zone: site.timezone, day };
  await settledDays.settle(of, now(), (run) => compileCausedViews({ ...of, run }));
}
