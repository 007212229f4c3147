// Removes the oldest events of the sites that keep them for fewer days than the tables do, or that have more bytes than
// they may. In both cases whole days leave, the oldest first; what comes in is never refused for it.
import type { Logger } from 'pino';
import type { SiteDay, SiteSize, Store } from '../storage/store.ts';
import { addDays, dayOf } from '../traffic/zone.ts';
import type { SiteDirectory } from './directory.ts';
import type { Site, SiteId } from './site.ts';
import type { QuotaUse } from './siteQuotas.ts';

export interface Retention {
  /** Looks at the sites whose turn it is, and removes what is too old or too much. */
  tick(): Promise<void>;
  /** Measures every site that has a quota of bytes. */
  measure(): Promise<void>;
  /** Bytes as they were measured last, of the sites that have such a quota. */
  uses(): QuotaUse[];
}

export interface RetentionOptions {
  sites: Pick<SiteDirectory, 'list'>;
  store: Pick<Store, 'retention' | 'siteSizes'>;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
}

/** A site is looked at when its day or its quotas change, and this often: old views may have been imported. */
const AGAIN_MS = 3_600_000;
/** Never removed for their bytes: today and the week that apps deliver late. */
const LEAST_DAYS = 7;

export function createRetention({ sites, store, log, now, clock }: RetentionOptions): Retention {
  const looked = new Map<SiteId, { at: number; like: string }>();
  const bytes = new Map<SiteId, number>();

  const limited = () => sites.list().filter(({ quotas }) => quotas?.maxDisk !== undefined);
  const likeOf = ({ timezone, quotas }: Site) =>
    `${dayOf(now(), timezone)} ${quotas?.keepEvents ?? ''} ${quotas?.maxDisk ?? ''}`;

  function isDue(site: Site): boolean {
    if (site.quotas?.keepEvents === undefined && site.quotas?.maxDisk === undefined) return false;
    const last = looked.get(site.id);
    return last?.like !== likeOf(site) || clock() - last.at >= AGAIN_MS;
  }

  async function measureSite(id: SiteId): Promise<SiteSize | undefined> {
    const [size] = await store.siteSizes.read(id);
    bytes.set(id, size?.bytes ?? 0);
    return size;
  }

  /** @returns The first day to be kept so that the rest fits. */
  async function dayThatFits(site: Site, limit: number): Promise<string | undefined> {
    const size = await measureSite(site.id);
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

  /** @returns The first day of a site to be kept; undefined: all are. */
  async function firstDayOf(site: Site): Promise<string | undefined> {
    const { keepEvents, maxDisk } = site.quotas ?? {};
    const byAge = keepEvents === undefined ? undefined : addDays(dayOf(now(), site.timezone), -keepEvents);
    const bySize = maxDisk === undefined ? undefined : await dayThatFits(site, maxDisk);
    return [byAge, bySize].reduce((later, day) => (day !== undefined && day > (later ?? '') ? day : later), undefined);
  }

  return {
    async tick() {
      const due = sites.list().filter(isDue);
      const seen = due.map((site) => [site.id, { at: clock(), like: likeOf(site) }] as const);
      const first: SiteDay[] = [];
      for (const site of due) {
        const day = await firstDayOf(site);
        if (day !== undefined) first.push({ site: site.id, day });
      }
      const removed = first.length === 0 ? new Map<string, number>() : await store.retention.removeBefore(first);
      for (const { site, day } of first) {
        const events = removed.get(site);
        if (events !== undefined)
          log.info({ site, before: day, events }, 'events beyond the retention of a site were removed');
        if (events !== undefined && bytes.has(site)) await measureSite(site);
      }
      for (const [id, look] of seen) looked.set(id, look);
    },

    async measure() {
      const [first, ...others] = limited();
      if (first === undefined) return;
      const sizes = await store.siteSizes.read(others.length > 0 ? undefined : first.id);
      for (const { id } of [first, ...others]) bytes.set(id, sizes.find(({ site }) => site === id)?.bytes ?? 0);
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
