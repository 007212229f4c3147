// Filling a site from its archive: pages that a sitemap or a feed lists are queued, and what became of them is looked
// up.
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY } from '../../durations.ts';
import { isOneThing } from '../../posts/post.ts';
import type { Library } from '../../siteIndex/types.ts';
import type { Site, SiteId } from '../../sites/site.ts';
import type { Store } from '../../storage/store.ts';
import type { Failure } from '../failure.ts';
import type { HostSlots } from '../hostSlots.ts';
import { isRead } from '../lookUp.ts';
import { LISTED, type QueueEntry } from '../queueEntry.ts';
import type { Reading } from '../reading.ts';
import { isLeftOut } from '../schedule.ts';
import type { FoundSitemaps } from './findSitemaps.ts';
import type { ReadSitemap } from './readSitemap.ts';

/** A page as a sitemap lists it. */
export interface ListedPage {
  /** As `pageUrl` writes it. */
  url: string;
  /** Epoch milliseconds of its last change; null where the sitemap does not say. */
  changed: number | null;
}

/** `waiting`: it was in the queue before. `known`: it was read before, and has not changed since. */
export type Queued = 'queued' | 'waiting' | 'known';

/**
 * `later`: it could not be read now, and is tried again. `other`: it was read, and is no post. `left-out`: the site has
 * as many posts as it may.
 */
export type PageState = 'waiting' | 'post' | 'other' | 'later' | 'refused' | 'left-out';

export interface PageOutcome {
  state: PageState;
  failure?: Failure;
}

export interface SitemapCrawl {
  /**
   * Reads one sitemap or feed, in the turn of its host.
   * @throws {CrawlError} @throws {SitemapError}
   */
  read(site: Site, url: string): Promise<ReadSitemap>;
  /** @param within Milliseconds for all requests together. */
  find(site: Site, within: number): Promise<FoundSitemaps>;
  /**
   * Queues pages behind all that were viewed or asked for. Resolves when durable.
   * @param pages In the order they are to be read, each once.
   * @param rank Pages that were given before, in the same order; below `MAX_LISTED`.
   */
  queue(site: SiteId, pages: readonly ListedPage[], rank: number): Promise<Queued[]>;
  /** What became of pages since they were queued. @param since Epoch milliseconds. */
  outcomes(site: SiteId, urls: readonly string[], since: number): Promise<PageOutcome[]>;
}

export interface SitemapCrawlOptions {
  store: { crawlQueue: Pick<Store['crawlQueue'], 'get'>; posts: Pick<Store['posts'], 'aliases'> };
  library: Pick<Library, 'get'>;
  reading: Pick<Reading, 'readSitemap' | 'findSitemaps' | 'pauseOf'>;
  slots: HostSlots;
  /** Writes entries into the queue. */
  enqueue(entries: readonly QueueEntry[]): Promise<void>;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
}

/** Pages of one run: their order is kept in their due times, which lie as many milliseconds back. */
export const MAX_LISTED = 1_000_000;
/** Rows of the queue are removed 90 days after they were written: a post without one was read before that. */
const QUEUE_KEEPS_MS = 90 * DAY;
/** Interval between two checks whether a host may be asked again. */
const TURN_MS = 100;

export function createSitemapCrawl(options: SitemapCrawlOptions): SitemapCrawl {
  const { store, library, reading, slots, enqueue, now, clock } = options;

  async function lookUp(site: SiteId, urls: readonly string[]) {
    const [entries, posts, aliases] = await Promise.all([
      store.crawlQueue.get(site, urls),
      library.get(site, urls),
      store.posts.aliases(site, urls),
    ]);
    return {
      entries: new Map(entries.map((entry) => [entry.url, entry])),
      posts: new Map(posts.map((post) => [post.url, post])),
      aliases,
    };
  }

  return {
    async read(site, url) {
      const address = new URL(url);
      while (!slots.take(address.host, clock())) await sleep(TURN_MS);
      try {
        return await reading.readSitemap(site, url);
      } finally {
        slots.release(address.host, { now: clock(), pause: reading.pauseOf(site, address) });
      }
    },

    find: (site, within) => reading.findSitemaps(site, within),

    async queue(site, pages, rank) {
      const { entries, posts, aliases } = await lookUp(
        site,
        pages.map(({ url }) => url),
      );
      const time = now();
      const added: QueueEntry[] = [];
      const outcomes = pages.map(({ url, changed }, index): Queued => {
        const entry = entries.get(url);
        if (entry !== undefined && isWaiting(entry)) return 'waiting';
        const lastRead = entry?.lastRead || time - QUEUE_KEEPS_MS;
        const isKnown = aliases.has(url) || isRead(posts.get(url));
        // A change that is yet to come would make the page new every time.
        const isChanged = changed !== null && changed > lastRead && changed <= time;
        if (isKnown && !isChanged) return 'known';
        added.push(listed(entry ?? { site, url }, { now: time, rank: rank + index }));
        return 'queued';
      });
      await enqueue(added);
      return outcomes;
    },

    async outcomes(site, urls, since) {
      const { entries, posts, aliases } = await lookUp(site, urls);
      return urls.map((url): PageOutcome => {
        const entry = entries.get(url);
        if (entry !== undefined && entry.lastFailure !== '')
          return { state: entry.due > 0 ? 'later' : 'refused', failure: entry.lastFailure };
        if (entry !== undefined && entry.due > 0 && entry.lastRead < since)
          return { state: isLeftOut(entry) ? 'left-out' : 'waiting' };
        return { state: aliases.has(url) || isOneThing(posts.get(url)) ? 'post' : 'other' };
      });
    },
  };
}

/**
 * Not yet read, or asked for again. One that failed or was left out is tried again at once: the operator may have
 * mended what failed, or raised the quota.
 */
const isWaiting = (entry: QueueEntry): boolean =>
  entry.due > 0 && entry.lastFailure === '' && !isLeftOut(entry) && (entry.lastRead === 0 || entry.requested);

function listed(
  entry: Pick<QueueEntry, 'site' | 'url'> & Partial<QueueEntry>,
  { now, rank }: { now: number; rank: number },
): QueueEntry {
  return {
    firstSeen: now,
    requested: false,
    priority: LISTED,
    lastRead: 0,
    ...entry,
    due: now - MAX_LISTED + rank,
    attempts: 0,
    lastFailure: '',
    updatedAt: Math.max(now, entry.updatedAt ?? 0),
  };
}
