// Hidden URLs in memory, in front of their table: every question about traffic and every recommendation asks for them.

import { LRUCache } from 'lru-cache';
import { MAX_EXCLUDED_URLS } from '../contract/limits.ts';
import { StoreUnavailableError } from '../errors.ts';
import { createKeyedQueue } from '../keyedQueue.ts';
import type { ExclusionStore } from '../storage/store.ts';
import type { SiteId } from './site.ts';

/** URLs hidden from every answer, in memory. */
export interface Exclusions {
  /** The excluded canonical URLs of a site now. */
  of(site: SiteId): Promise<ReadonlySet<string>>;
  /**
   * Hides a URL for 90 days from now on.
   * @returns false, with nothing changed, when the site has 200 others already.
   */
  ignore(site: SiteId, url: string): Promise<boolean>;
  include(site: SiteId, url: string): Promise<void>;
}

/**
 * A list is read again when older than this: another copy of the server may have changed it, or 90 days may be over.
 */
const REFRESH_MS = 10_000;
/** Sites whose lists are in memory. */
const MAX_SITES = 10_000;

export interface ExclusionsOptions {
  store: ExclusionStore;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. Default: `now`. */
  clock?(): number;
}

/**
 * Lists are read from the table when first asked for; our own changes count at once, and only after they are stored.
 */
export function createExclusions({ store, now, clock = now }: ExclusionsOptions): Exclusions {
  const lists = new LRUCache<SiteId, ReadonlySet<string>>({
    max: MAX_SITES,
    ttl: REFRESH_MS,
    ttlResolution: 0,
    perf: { now: clock },
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    async fetchMethod(site, stale) {
      try {
        return new Set(await store.list(site, now()));
      } catch (error) {
        // While the database is away, what was hidden stays hidden, and the lists in memory can be shown.
        if (stale && error instanceof StoreUnavailableError) return stale;
        throw error;
      }
    },
  });
  /** Runs a site's reads and changes in sequence, so that none undoes another and the limit holds. */
  const queue = createKeyedQueue();

  /** A change of ours leaves the time of the next read as it is. */
  const replace = (site: SiteId, urls: Iterable<string>) => void lists.set(site, new Set(urls), { noUpdateTTL: true });

  return {
    of(site) {
      const known = lists.get(site);
      return known ? Promise.resolve(known) : queue.run(site, () => lists.forceFetch(site));
    },

    ignore: (site, url) =>
      queue.run(site, async () => {
        const urls = await lists.forceFetch(site);
        if (!urls.has(url) && urls.size >= MAX_EXCLUDED_URLS) return false;
        // Also where it is hidden already: its 90 days begin anew.
        await store.add(site, url, now());
        replace(site, [...urls, url]);
        return true;
      }),

    include: (site, url) =>
      queue.run(site, async () => {
        const urls = await lists.forceFetch(site);
        if (!urls.has(url)) return;
        await store.remove(site, url, now());
        replace(
          site,
          [...urls].filter((other) => other !== url),
        );
      }),
  };
}
