// Crawls posts again that readers opened from lists, once a day at most: lists show what their pages say now. The first
// click on a post whose page is gone reveals it.
import { LRUCache } from 'lru-cache';
import { DAY } from '../durations.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { keyOf, LISTED, type QueueEntry } from './queueEntry.ts';
import { queued } from './schedule.ts';

export interface ClickedPostsOptions {
  crawlQueue: Pick<Store['crawlQueue'], 'get'>;
  library: Pick<Library, 'isPost'>;
  /** Writes entries to the queue. */
  enqueue(entries: readonly QueueEntry[]): Promise<void>;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
}

export interface ClickedPosts {
  /** Called for every click on an item of a list: costs a look-up in memory. */
  click(site: SiteId, url: string): void;
  /** Queues those that were not read for a day. */
  tick(): Promise<void>;
}

/** Posts that are remembered as looked at, and those that wait. More are looked at when they are clicked next. */
const MAX_LOOKED_AT = 20_000;
const MAX_WAITING = 2_000;

export function createClickedPosts({ crawlQueue, library, enqueue, now, clock }: ClickedPostsOptions): ClickedPosts {
  const lookedAt = new LRUCache<string, number>({ max: MAX_LOOKED_AT });
  const waiting = new Map<string, { site: SiteId; url: string }>();

  return {
    click(site, url) {
      const key = keyOf({ site, url });
      if (waiting.size >= MAX_WAITING || clock() - (lookedAt.get(key) ?? Number.NEGATIVE_INFINITY) < DAY) return;
      // Anyone can report a click: an address that is no post takes no place, and is not read for it.
      if (library.isPost(site, url)) waiting.set(key, { site, url });
    },

    async tick() {
      const bySite = new Map<SiteId, string[]>();
      for (const { site, url } of waiting.values()) bySite.set(site, [...(bySite.get(site) ?? []), url]);
      waiting.clear();
      for (const [site, urls] of bySite) {
        const known = new Map((await crawlQueue.get(site, urls)).map((entry) => [entry.url, entry]));
        const stale = urls.filter((url) => isStale(known.get(url), now()));
        // Behind all that was never read.
        await enqueue(
          stale.map((url) => ({
            ...queued(known.get(url), { site, url, requested: false }, now()),
            priority: LISTED,
          })),
        );
        for (const url of urls) lookedAt.set(keyOf({ site, url }), clock());
      }
    },
  };
}

/** Whether no attempt is due, and the last one was a day ago, or is yet to come: a clock was ahead when it was made. */
const isStale = (entry: QueueEntry | undefined, now: number): boolean =>
  entry === undefined || (entry.due === 0 && Math.abs(now - entry.updatedAt) >= DAY);
