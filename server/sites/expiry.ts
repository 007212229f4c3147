// Removes months that are older than the tables keep them (400 days; what pages reported of lists 90), by a clock that
// is doubted: one that is a year ahead shows as days without a single view of any site.
import type { Logger } from 'pino';
import type { Store } from '../storage/store.ts';
import { addDays, dayOf, daysBetween } from '../traffic/zone.ts';

export interface ExpiryOptions {
  store: Pick<Store, 'expiry'>;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
}

/** Days without views from which on the clock may have been set ahead: with fewer, no more than those are lost. */
export const QUIET_DAYS = 7;
/** Days after which such a pause is taken for what it was: a clock that is wrong was noticed by then. */
const DOUBT_DAYS = 30;

/**
 * Days by which the clock may be ahead: those of the pauses, of more than a week without any view, that ended within
 * the last month, or have not ended yet.
 * @param days With views, in order, as the clock showed them.
 * @param today By the clock.
 */
export function doubtedDays(days: readonly string[], today: string): number {
  const until = [...days.filter((day) => day < today), today];
  return until.reduce((doubted, day, at) => {
    const quiet = at === 0 ? 0 : daysBetween(until[at - 1]!, day) - 1;
    return quiet > QUIET_DAYS && daysBetween(day, today) < DOUBT_DAYS ? doubted + quiet : doubted;
  }, 0);
}

/** @returns What removes expired months: the first call of a day does, the others of that day return at once. */
export function createExpiry({ store: { expiry }, log, now }: ExpiryOptions): (stop?: AbortSignal) => Promise<void> {
  let looked: string | undefined;

  return async (stop) => {
    const today = dayOf(now(), 'UTC');
    if (looked === today) return;
    // In the zones of some sites the day before has not ended.
    const ended = addDays(today, -1);
    if (await expiry.isAnyExpired(ended)) {
      const doubted = doubtedDays(await expiry.daysWithTraffic(), today);
      if (doubted > 0)
        log.warn(
          { today, days: doubted },
          'months that are too old to be kept stay for so many days longer: no view of any site was counted on as many days before, so the clock of this machine may be ahead. If it is, stop the server and set it right: nothing is lost; else nothing is to be done',
        );
      const tables = await expiry.removeExpired(addDays(ended, -doubted), stop);
      if (tables.length > 0) log.info({ tables }, 'months that are older than the tables keep them were removed');
    }
    if (!stop?.aborted) looked = today;
  };
}
