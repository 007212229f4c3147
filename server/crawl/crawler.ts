// The crawler: pages that were viewed or asked for wait in the database, and are read one at a time per host.
//
//   const crawler = createCrawler({ store, sites, library, reading, now, log });
//   crawler.viewed(site, url);                a view came in; unknown pages are queued soon
//   await crawler.request(site, url);         queued when it resolves
//   { name: 'crawl', every: 250, run: crawler.tick }
import type { Logger } from 'pino';
import type { Crawler, Library, SiteDirectory } from '../deps.ts';
import { pageUrl, withoutQuery } from '../posts/canonicalUrl.ts';
import type { Post } from '../posts/post.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { CrawlError, type Failure } from './failure.ts';
import { keepPage } from './keepPage.ts';
import { createNewcomers } from './newcomers.ts';
import type { QueueEntry } from './queueEntry.ts';
import type { Reading } from './reading.ts';
import { afterFailure, afterRead, queued } from './schedule.ts';
import { createTurns } from './turns.ts';

export interface CrawlerOptions {
  store: { crawlQueue: Store['crawlQueue']; posts: Pick<Store['posts'], 'aliases'> };
  sites: Pick<SiteDirectory, 'find'>;
  library: Pick<Library, 'get' | 'write'>;
  reading: Reading;
  /** Epoch milliseconds. */
  now(): number;
  log: Logger;
}

/** The crawler, and what the server's jobs and its end ask of it. */
export interface RunningCrawler extends Crawler {
  /** Queues what was seen, and starts what is due. Never waits for a page. */
  tick(): Promise<void>;
  /** Starts nothing more, breaks off what is being read (it stays in the queue), and resolves when nothing runs. */
  drain(): Promise<void>;
}

/** Pages read at the same time, each on another host. */
const CONCURRENCY = 4;
/** How often the database is asked for what is due. Pages queued by this process are seen at once. */
const POLL_MS = 5_000;
const POLL_ROWS = 200;
const POLL_ROWS_PER_SITE = 50;
/** Pages looked up in one tick. */
const LOOK_UPS = 200;
/** New pages queued per site and hour: a page a second is all that politeness reads. */
const NEW_PER_HOUR = 3_600;
const HOUR_MS = 3_600_000;

export function createCrawler({ store, sites, library, reading, now, log }: CrawlerOptions): RunningCrawler {
  const newcomers = createNewcomers();
  const turns = createTurns();
  const running = new Map<string, Promise<void>>();
  /** Done since the database was last asked: its answer may not know yet. */
  const finished = new Set<string>();
  const outcomes = new Map<'read' | 'left-out' | Failure, number>();
  const quota = { hour: 0, used: new Map<SiteId, number>() };
  let planned: QueueEntry[] = [];
  let nextPoll = 0;
  /** After a failure of the database. */
  let resume = 0;
  let draining = false;

  const keyOf = ({ site, url }: Pick<QueueEntry, 'site' | 'url'>) => `${site} ${url}`;
  const count = (outcome: 'read' | 'left-out' | Failure) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

  /** Pages that are queued by views are bounded; those somebody asks for are not. */
  function withinQuota(site: SiteId): boolean {
    const hour = Math.floor(now() / HOUR_MS);
    if (hour !== quota.hour) {
      quota.hour = hour;
      quota.used.clear();
    }
    const used = quota.used.get(site) ?? 0;
    if (used >= NEW_PER_HOUR) return false;
    quota.used.set(site, used + 1);
    return true;
  }

  /**
   * What becomes of pages that were viewed: those whose reading can tell anything new, and other addresses of posts (alias → post).
   * Posts that were sent without their text are read for it.
   */
  async function lookUp(
    site: SiteId,
    urls: readonly string[],
  ): Promise<{ unknown: string[]; others: Map<string, string> }> {
    const addresses = [...new Set([...urls, ...urls.map(withoutQuery)])];
    const [met, posts, aliases] = await Promise.all([
      store.crawlQueue.get(site, urls),
      library.get(site, addresses),
      store.posts.aliases(site, addresses),
    ]);
    const pages = new Map(posts.map((post) => [post.url, post]));
    const waiting = new Set(met.map(({ url }) => url));
    // Parameters make no new page of a post; of any other page they may.
    const ownerOf = (bare: string) => aliases.get(bare) ?? (isOneThing(pages.get(bare)) ? bare : undefined);
    const unknown: string[] = [];
    const others = new Map<string, string>();
    for (const url of urls) {
      if (aliases.has(url)) continue;
      const bare = withoutQuery(url);
      const page = pages.get(url);
      const owner = bare === url || page !== undefined ? undefined : ownerOf(bare);
      if (owner !== undefined) others.set(url, owner);
      else if (!waiting.has(url) && !isRead(page)) unknown.push(url);
    }
    return { unknown, others };
  }

  async function queueNewcomers(): Promise<void> {
    for (const [site, urls] of newcomers.take(LOOK_UPS)) {
      try {
        const { unknown, others } = await lookUp(site, urls);
        const allowed = (url: string) => {
          if (withinQuota(site)) return true;
          newcomers.forget(site, [url]);
          count('left-out');
          return false;
        };
        await declare(site, new Map([...others].filter(([url]) => allowed(url))));
        await enqueue(unknown.filter(allowed).map((url) => queued(undefined, { site, url, requested: false }, now())));
      } catch (error) {
        newcomers.forget(site, urls);
        throw error;
      }
    }
  }

  /** Views that came under such an address count for the post from now on, and those that came before. */
  async function declare(site: SiteId, others: ReadonlyMap<string, string>): Promise<void> {
    for (const url of new Set(others.values())) {
      const aliases = [...others].flatMap(([alias, owner]) => (owner === url ? [alias] : []));
      await library.write(site, url, { patch: {}, aliases, by: 'page' });
    }
  }

  async function enqueue(entries: readonly QueueEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await store.crawlQueue.save(entries);
    nextPoll = 0;
  }

  async function start(): Promise<void> {
    if (now() >= nextPoll) {
      nextPoll = now() + POLL_MS;
      finished.clear();
      const due = await store.crawlQueue.due({ now: now(), limit: POLL_ROWS, perSite: POLL_ROWS_PER_SITE });
      planned = [];
      for (const entry of due) {
        if (finished.has(keyOf(entry))) continue;
        if (URL.canParse(entry.url)) planned.push(entry);
        // Nothing that is no address may keep those behind it waiting.
        else await settle(entry, { ...entry, due: 0, updatedAt: now() });
      }
    }
    for (const entry of planned) {
      if (running.size >= CONCURRENCY || draining) break;
      const { host } = new URL(entry.url);
      if (running.has(keyOf(entry)) || !turns.take(host, now())) continue;
      const work = visit(entry, host).finally(() => {
        running.delete(keyOf(entry));
        finished.add(keyOf(entry));
      });
      running.set(keyOf(entry), work);
    }
    planned = planned.filter((entry) => !running.has(keyOf(entry)));
  }

  async function visit(entry: QueueEntry, host: string): Promise<void> {
    const site = sites.find(entry.site);
    let pause = 0;
    try {
      if (site === undefined) return await settle(entry, { ...entry, due: 0, updatedAt: now() });
      const next = await attempt(site, entry);
      pause = reading.pauseOf(site, new URL(entry.url));
      await settle(entry, next);
    } catch (err) {
      // The database is away, most likely: the entry stays due, and its host rests before the next attempt.
      log.error({ err, site: entry.site, url: entry.url }, 'a page could not be kept');
      pause = POLL_MS;
    } finally {
      turns.release(host, { now: now(), pause });
    }
  }

  /** Reads a page and keeps it. @returns The entry as it goes back into the queue. */
  async function attempt(site: Site, entry: QueueEntry): Promise<QueueEntry> {
    try {
      if (!entry.requested && withoutQuery(entry.url) !== entry.url) {
        // The post whose address this is may have become known since.
        const { others } = await lookUp(site.id, [entry.url]);
        await declare(site.id, others);
        if (others.size > 0) return { ...entry, due: 0, updatedAt: now() };
      }
      // Who asks for a page knows that it has changed, whatever its server believes.
      const page = await reading.read(site, entry.url, { again: !entry.requested });
      const { also } = await keepPage(library, { site: site.id, asked: entry.url, page });
      if (also !== undefined) await queueUrl(site.id, also, false);
      count('read');
      return afterRead(entry, now(), page.patch.pubDate);
    } catch (error) {
      if (!(error instanceof CrawlError)) throw error;
      count(error.failure);
      log.info({ site: site.id, url: entry.url, failure: error.failure }, error.message);
      return afterFailure(entry, error, now());
    }
  }

  /** Somebody may have asked for the page again while it was read: that request stays. */
  async function settle(before: QueueEntry, after: QueueEntry): Promise<void> {
    if (draining) return;
    const [stored] = await store.crawlQueue.get(before.site, [before.url]);
    if (stored !== undefined && stored.updatedAt > before.updatedAt && stored.requested) nextPoll = 0;
    else await store.crawlQueue.save([after]);
  }

  async function queueUrl(site: SiteId, url: string, requested: boolean): Promise<void> {
    const [known] = await store.crawlQueue.get(site, [url]);
    await enqueue([queued(known, { site, url, requested }, now())]);
  }

  return {
    viewed(site, url) {
      newcomers.see(site, url);
    },
    async request(site, url) {
      await queueUrl(site, url, true);
    },
    async readNow(site, url) {
      const page = await reading.read(site, url);
      return {
        page,
        keep: async () => (await keepPage(library, { site: site.id, asked: pageUrl(url) ?? url, page })).url,
      };
    },
    counts: () => [...outcomes].map(([outcome, total]) => ({ outcome, count: total })),
    async tick() {
      if (draining || now() < resume) return;
      try {
        await queueNewcomers();
        await start();
      } catch (error) {
        resume = now() + POLL_MS;
        throw error;
      }
    },
    async drain() {
      draining = true;
      await reading.close();
      await Promise.allSettled(running.values());
    },
  };
}

const isRead = (post: Post | undefined) => post !== undefined && (post.pageType !== 'post' || post.wordCount > 0);

/** A list of pages may show something else for each query. */
const isOneThing = (page: Post | undefined) => page?.pageType === 'post' || page?.pageType === 'video';
