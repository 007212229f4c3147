// The quota of events of a site in a day of its time zone. Beyond it a batch is refused until the site's midnight where
// its sender can wait; apps would repeat it each minute, and a pixel never, so their events are dropped.
//
// It counts what this process took, by arrival, and what the database has of the day besides: what was there at the
// start, and what other copies stored, which is known some seconds later. The batch that reaches the limit is taken.
import type { Logger } from 'pino';
import { MINUTE } from '../durations.ts';
import { isRecord } from '../isRecord.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { QuotaUse } from '../sites/siteQuotas.ts';
import { addDays, dayOf, startOfDay } from '../traffic/zone.ts';
import type { Admitted } from './admission.ts';
import { RefusedError } from './refusedError.ts';
import type { Sender } from './types.ts';

export interface EventQuotaOptions {
  sites: Pick<SiteDirectory, 'find' | 'list'>;
  /** Events that are stored of a day (`YYYY-MM-DD`) of each site. */
  eventsOn(days: readonly { site: SiteId; day: string }[]): Promise<ReadonlyMap<string, number>>;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
}

/** Count of one day of a site. */
interface Tally {
  zone: string;
  day: string;
  /** First instant of the day, and of the next. */
  from: number;
  until: number;
  /** Taken by this process. */
  own: number;
  /** Stored beside those. */
  others: number;
  /** Monotonic milliseconds until which its events need not be read again. */
  readAt: number;
  logged: boolean;
}

/** What other copies took is read this often while less than half of a site's quota is used; beyond it each time. */
const UNURGENT_MS = MINUTE;

const NO_DROPS: Admitted['drops'] = [];

const isUrgent = ({ own, others }: Tally, limit: number) => (own + others) * 2 >= limit;
const isReached = ({ own, others }: Tally, limit: number) => own + others >= limit;

export class EventQuota {
  readonly #options: EventQuotaOptions;
  readonly #tallies = new Map<SiteId, Tally>();
  /** Sites that have reached their limit; each is checked again when an event of it comes. */
  readonly #full = new Set<SiteId>();

  constructor(options: EventQuotaOptions) {
    this.#options = options;
  }

  /**
   * @returns The events that are taken, and those that are dropped. Costs nothing while no site is beyond its quota.
   * @throws {RefusedError} where all of a batch are beyond it, and its sender can send it again tomorrow.
   */
  admit(events: readonly unknown[], sender: Sender): Admitted {
    if (this.#full.size === 0) return { taken: events, drops: NO_DROPS };
    const found = events.map((event) => this.#beyond(event));
    const first = found.find((one) => one !== undefined);
    if (first === undefined) return { taken: events, drops: NO_DROPS };
    const waits = sender.sendsFor !== 'app users' && sender.isPixel !== true;
    if (waits && found.every((one) => one !== undefined))
      throw new RefusedError({ reason: 'over-events-quota', ...first });
    const drops = found.flatMap((one) =>
      one === undefined ? [] : { site: one.site, reason: 'over-events-quota' as const, count: 1 },
    );
    return { taken: events.filter((_, at) => found[at] === undefined), drops };
  }

  /**
   * Counts events before they are synced, or thousands would pass meanwhile; subtracts them again where `written`
   * rejects.
   */
  follow(stored: readonly { site: SiteId; count: number }[], written: Promise<void>): void {
    const counted = stored.flatMap((one) => this.#take(one) ?? []);
    if (counted.length > 0) {
      written.catch(() => {
        for (const { tally, count } of counted) tally.own -= count;
      });
    }
  }

  /** Reads from the database what was stored of the day: of a site that is far from its limit, once a minute. */
  async refresh({ all = false } = {}): Promise<void> {
    const { sites, eventsOn, clock } = this.#options;
    const limited = sites.list().filter(({ quotas }) => quotas?.maxEventsPerDay !== undefined);
    const ids = new Set(limited.map(({ id }) => id));
    for (const id of this.#tallies.keys()) if (!ids.has(id)) this.#tallies.delete(id);
    if (limited.length === 0) return;
    const at = clock();
    const asked = limited
      .map((site) => ({ site, tally: this.#tallyOf(site), limit: site.quotas!.maxEventsPerDay! }))
      .filter(({ tally, limit }) => all || at >= tally.readAt || isUrgent(tally, limit));
    if (asked.length === 0) return;
    const stored = await eventsOn(asked.map(({ site, tally }) => ({ site: site.id, day: tally.day })));
    for (const { site, tally, limit } of asked) {
      tally.readAt = at + UNURGENT_MS;
      // Some of this process's own may not be stored yet: then fewer of the others are seen, until they are.
      tally.others = Math.max(tally.others, (stored.get(site.id) ?? 0) - tally.own);
      if (isReached(tally, limit)) this.#close(site.id, tally, limit);
    }
  }

  /** Of the sites that have such a quota. */
  uses(): QuotaUse[] {
    return this.#options.sites.list().flatMap((site) => {
      const limit = site.quotas?.maxEventsPerDay;
      if (limit === undefined) return [];
      const { own, others } = this.#tallyOf(site);
      return { site: site.id, quota: 'events' as const, used: own + others, limit };
    });
  }

  #tallyOf({ id, timezone: zone }: Site): Tally {
    const at = this.#options.now();
    const known = this.#tallies.get(id);
    if (known?.zone === zone && known.from <= at && at < known.until) return known;
    const day = dayOf(at, zone);
    const from = startOfDay(day, zone);
    const until = startOfDay(addDays(day, 1), zone);
    const tally = { zone, day, from, until, own: 0, others: 0, readAt: Number.NEGATIVE_INFINITY, logged: false };
    this.#tallies.set(id, tally);
    return tally;
  }

  #close(site: SiteId, tally: Tally, limit: number): void {
    this.#full.add(site);
    if (tally.logged) return;
    tally.logged = true;
    const until = new Date(tally.until).toISOString();
    const why = 'a site has reached its events of the day: no more are taken until its midnight';
    this.#options.log.warn({ site, limit, until }, why);
  }

  /** The quota that an event is beyond. */
  #beyond(event: unknown): { site: SiteId; limit: number; waitMs: number } | undefined {
    const { sites, now } = this.#options;
    const site = isRecord(event) && typeof event.idsite === 'string' ? sites.find(event.idsite) : undefined;
    if (site === undefined || !this.#full.has(site.id)) return undefined;
    const limit = site.quotas?.maxEventsPerDay;
    const tally = this.#tallyOf(site);
    if (limit !== undefined && isReached(tally, limit))
      return { site: site.id, limit, waitMs: Math.max(1, tally.until - now()) };
    this.#full.delete(site.id);
    return undefined;
  }

  /** @returns undefined where the site has no quota. */
  #take({ site: id, count }: { site: SiteId; count: number }): { tally: Tally; count: number } | undefined {
    const site = this.#options.sites.find(id);
    const limit = site?.quotas?.maxEventsPerDay;
    if (site === undefined || limit === undefined) return undefined;
    const tally = this.#tallyOf(site);
    tally.own += count;
    if (isReached(tally, limit)) this.#close(id, tally, limit);
    return { tally, count };
  }
}
