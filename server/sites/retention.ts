// Removes the oldest events of the sites that keep them for fewer days than the tables do, or that have more bytes than
// they may. In both cases whole days leave, the oldest first; what comes in is never refused for it. Then what is older
// than the tables keep it.
import type { Logger } from 'pino';
import { HOUR } from '../durations.ts';
import type { SiteDay } from '../storage/siteDay.ts';
import type { SiteSize, Store } from '../storage/store.ts';
import { addDays, dayOf, daysBetween } from '../traffic/zone.ts';
import type { SiteDirectory } from './directory.ts';
import { createExpiry, QUIET_DAYS } from './expiry.ts';
import type { Site, SiteId } from './site.ts';
import type { QuotaUse, SiteQuotas } from './siteQuotas.ts';

export interface Retention {
  /**
   * Looks at the sites whose turn it is, and removes what is too old or too much.
   * @throws {AggregateError} Of the sites whose days could not be weighed or left, once the others were served.
   */
  tick(how?: HowToRemove): Promise<void>;
  /** Measures every site that has a quota of bytes. */
  measure(): Promise<void>;
  /** Bytes as they were measured last, of the sites that have such a quota. */
  uses(): QuotaUse[];
}

export interface HowToRemove {
  /** Once it is aborted, what is left is for a later look. Default: all is removed. */
  stop?: AbortSignal;
  /** Called before the days of a site before `day` leave. Where it rejects, they stay until a later look. */
  leaving?(siteDay: SiteDay): Promise<void>;
}

export interface RetentionOptions {
  sites: Pick<SiteDirectory, 'list'>;
  store: Pick<Store, 'retention' | 'siteSizes' | 'expiry'>;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
}

/** When a site was looked at last, and what was so then. */
interface Look extends Pick<SiteQuotas, 'keepEvents' | 'maxDisk'> {
  at: number;
  /** Of the site. */
  day: string;
}

/** A site is looked at when its day or its quotas change, and this often: old views may have been imported. */
const AGAIN_MS = HOUR;
/** Pause after a step of the wall clock: a wrong date is mostly corrected by then, removed days do not come back. */
const AFTER_STEP_MS = HOUR;
/** Drift between the wall clock and the monotonic one above which it is a step. */
const STEP_MS = 600_000;
/** Never removed for their bytes: today and the week that apps deliver late. */
const LEAST_DAYS = 7;

export function createRetention({ sites, store, log, now, clock }: RetentionOptions): Retention {
  const looked = new Map<SiteId, Look>();
  const bytes = new Map<SiteId, number>();

  const isClockSteady = detectWrongClock({ store, log, now, clock });
  const expire = createExpiry({ store, log, now });

  const limited = () => sites.list().filter(({ quotas }) => quotas?.maxDisk !== undefined);

  /** The sites whose turn it is, each with its day and its quotas as they are now. */
  function dueSites(): { site: Site; day: string }[] {
    // A thousand sites are in a few time zones, and a day takes microseconds to work out.
    const days = new Map<string, string>();
    const dayIn = (zone: string): string => {
      const day = days.get(zone) ?? dayOf(now(), zone);
      days.set(zone, day);
      return day;
    };
    return sites.list().flatMap((site) => {
      const { keepEvents, maxDisk } = site.quotas ?? {};
      if (keepEvents === undefined && maxDisk === undefined) return [];
      const day = dayIn(site.timezone);
      const last = looked.get(site.id);
      const isLike = last?.day === day && last.keepEvents === keepEvents && last.maxDisk === maxDisk;
      return isLike && clock() - last.at < AGAIN_MS ? [] : { site, day };
    });
  }

  /** Measures some sites by one read: of the one, else of all that are stored. */
  async function measureSites(ids: readonly SiteId[]): Promise<Map<string, SiteSize>> {
    const [first, ...others] = ids;
    if (first === undefined) return new Map();
    const sizes = await store.siteSizes.read(others.length > 0 ? undefined : first);
    const found = new Map(sizes.map((size) => [size.site, size]));
    for (const id of ids) bytes.set(id, found.get(id)?.bytes ?? 0);
    return found;
  }

  async function removeBeyondQuotas({ stop, leaving }: HowToRemove): Promise<void> {
    const due = dueSites();
    const at = clock();
    const sized = due.flatMap(({ site }) => (site.quotas?.maxDisk === undefined ? [] : site.id));
    const sizes = await measureSites(sized);
    const failures = new Map<SiteId, unknown>();
    const first = await firstDaysOf({ store, now }, due, { sizes, leaving, failures });
    const removed = first.length === 0 ? new Map<string, number>() : await store.retention.removeBefore(first, stop);
    for (const { site, day } of first) {
      const events = removed.get(site);
      if (events !== undefined)
        log.info({ site, before: day, events }, 'events beyond the retention of a site were removed');
    }
    if (stop?.aborted) return;
    await measureSites(first.flatMap(({ site }) => (removed.has(site) && bytes.has(site) ? site : [])));
    for (const { site, day } of due.filter(({ site }) => !failures.has(site.id)))
      looked.set(site.id, { at, day, keepEvents: site.quotas?.keepEvents, maxDisk: site.quotas?.maxDisk });
    if (failures.size > 0)
      throw new AggregateError(failures.values(), `The days of ${failures.size} sites could not be weighed or left.`);
  }

  return {
    async tick(how = {}) {
      if (!(await isClockSteady())) return;
      try {
        await removeBeyondQuotas(how);
      } finally {
        if (!how.stop?.aborted) await expire(how.stop);
      }
    },

    async measure() {
      await measureSites(limited().map(({ id }) => id));
    },

    uses: () =>
      limited().map(({ id, quotas }) => ({
        site: id,
        quota: 'disk' as const,
        used: bytes.get(id),
        limit: quotas!.maxDisk!,
      })),
  };
}

/**
 * Detects steps of the wall clock by the monotonic one, and at first a clock that is wrong already by what is stored.
 * @returns Whether there was neither within the last hour.
 */
function detectWrongClock({
  store,
  log,
  now,
  clock,
}: Pick<RetentionOptions, 'store' | 'log' | 'now' | 'clock'>): () => Promise<boolean> {
  /** Difference of the wall clock to the monotonic one, and the time of the last step. */
  let ahead = { ms: now() - clock(), since: Number.NEGATIVE_INFINITY };
  let isCompared = false;

  // Asked before the server takes events in: the newest day of a history that is imported later is old by itself.
  let asked: ReturnType<typeof ask> | undefined = ask();
  function ask() {
    const newest = store.retention.newestDay();
    newest.catch(() => {
      asked = undefined;
    });
    return newest;
  }

  async function compareWithEvents(): Promise<void> {
    asked ??= ask();
    const newest = await asked;
    isCompared = true;
    const today = dayOf(now(), 'UTC');
    const days = newest === undefined ? 0 : daysBetween(newest, today);
    if (days > QUIET_DAYS) {
      ahead.since = clock();
      log.warn(
        { today, newest },
        'the clock of this machine is more than a week after the newest event that is stored: if it is ahead, stop the server and set it right, or what comes in is stored on days to come; events beyond the retention of sites are not removed within an hour',
      );
    }
    // Days of a site are up to one ahead of those of UTC.
    if (days < -1)
      log.warn(
        { today, newest },
        'events of days to come are stored: the clock of this machine was ahead when they came, or is behind now; set it right if it is behind',
      );
  }

  return async () => {
    const ms = now() - clock();
    if (Math.abs(ms - ahead.ms) > STEP_MS) {
      ahead = { ms, since: clock() };
      log.warn(
        'the clock of this machine was set: events beyond the retention of sites are not removed within an hour',
      );
    }
    ahead.ms = ms;
    if (!isCompared) await compareWithEvents();
    return clock() - ahead.since >= AFTER_STEP_MS;
  };
}

/**
 * @param of.failures Gets those of the sites whose days could not be weighed or left.
 * @returns The first day to be kept of each site that has earlier ones to lose.
 */
async function firstDaysOf(
  { store, now }: Pick<RetentionOptions, 'store' | 'now'>,
  due: readonly { site: Site }[],
  {
    sizes,
    leaving,
    failures,
  }: Pick<HowToRemove, 'leaving'> & { sizes: ReadonlyMap<string, SiteSize>; failures: Map<SiteId, unknown> },
): Promise<SiteDay[]> {
  const first: SiteDay[] = [];
  for (const { site } of due) {
    const failed = (error: unknown): undefined => void failures.set(site.id, error);
    const day = await firstDayOf({ store, now }, site, { size: sizes.get(site.id), failed });
    if (day === undefined) continue;
    const isReady = leaving === undefined || (await leaving({ site: site.id, day }).then(() => true, failed));
    if (isReady) first.push({ site: site.id, day });
  }
  return first;
}

/**
 * @param of.failed Called where it is not known how many days fit: then their age alone decides.
 * @returns The first day of a site to be kept; undefined: all are.
 */
async function firstDayOf(
  { store, now }: Pick<RetentionOptions, 'store' | 'now'>,
  site: Site,
  { size, failed }: { size: SiteSize | undefined; failed(error: unknown): undefined },
): Promise<string | undefined> {
  const { keepEvents, maxDisk } = site.quotas ?? {};
  const byAge = keepEvents === undefined ? undefined : addDays(dayOf(now(), site.timezone), -keepEvents);
  const bySize =
    maxDisk === undefined ? undefined : await dayThatFits({ store, now }, site, { limit: maxDisk, size }).catch(failed);
  return [byAge, bySize].reduce((later, day) => (day !== undefined && day > (later ?? '') ? day : later), undefined);
}

/** @returns The first day to be kept so that the rest fits. */
async function dayThatFits(
  { store, now }: Pick<RetentionOptions, 'store' | 'now'>,
  site: Site,
  { limit, size }: { limit: number; size: SiteSize | undefined },
): Promise<string | undefined> {
  if (size === undefined || size.bytes <= limit) return undefined;
  const ofEvents = size.tables.filter(({ table }) => store.retention.tables.includes(table));
  const events = ofEvents.find(({ table }) => table === 'events')?.rows ?? 0;
  const bytesPerEvent = ofEvents.reduce((sum, table) => sum + table.bytes, 0) / Math.max(1, events);
  const keptAnyway = addDays(dayOf(now(), site.timezone), -LEAST_DAYS);
  let over = size.bytes - limit;
  let first: string | undefined;
  for (const { day, events: count } of await store.retention.days(site.id)) {
    if (over <= 0 || day >= keptAnyway) break;
    over -= count * bytesPerEvent;
    first = addDays(day, 1);
  }
  return first;
}
