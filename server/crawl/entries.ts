// Writes entries of the crawl queue, for sites that still exist.
import type { SiteDirectory } from '../sites/directory.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import type { QueueEntry } from './queueEntry.ts';
import { queued } from './schedule.ts';

export interface EntriesOptions {
  crawlQueue: Pick<Store['crawlQueue'], 'get' | 'save'>;
  sites: Pick<SiteDirectory, 'find'>;
  /** Called when something may be due sooner than the last list of due pages says. */
  changed(): void;
  /** Epoch milliseconds. */
  now(): number;
}

export interface Entries {
  add(entries: readonly QueueEntry[]): Promise<void>;
  /** Queues a URL, with what the queue has of it. */
  addUrl(site: SiteId, url: string, how: { requested?: boolean; priority?: number }): Promise<void>;
  /** Writes an entry as it is after its turn. A request for the page that came while it was read stays. */
  settle(before: QueueEntry, after: QueueEntry): Promise<void>;
}

export function createEntries({ crawlQueue, sites, changed, now }: EntriesOptions): Entries {
  async function add(entries: readonly QueueEntry[]): Promise<void> {
    // A site that was removed meanwhile owns no rows.
    const owned = entries.filter(({ site }) => sites.find(site) !== undefined);
    if (owned.length === 0) return;
    await crawlQueue.save(owned);
    changed();
  }

  return {
    add,

    async addUrl(site, url, how) {
      const [known] = await crawlQueue.get(site, [url]);
      await add([queued(known, { site, url, requested: false, ...how }, now())]);
    },

    async settle(before, after) {
      const [stored] = await crawlQueue.get(before.site, [before.url]);
      if (stored !== undefined && stored.updatedAt > before.updatedAt && stored.requested) changed();
      else await crawlQueue.save([{ ...after, priority: Math.max(after.priority, stored?.priority ?? 0) }]);
    },
  };
}
