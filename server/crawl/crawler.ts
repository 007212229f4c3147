// The crawler: pages that were viewed or asked for wait in the database, and are read one at a time per host.
//
//   const crawler = createCrawler({ store, sites, library, reading, now, log });
//   crawler.viewed(site, url);                a view came in; unknown pages are queued soon
//   crawler.clicked(site, url);               a reader opened a post from a list; it is read again soon
//   await crawler.request(site, url);         queued when it resolves
//   { name: 'crawl', every: 250, run: crawler.tick }
import type { Logger } from 'pino';
import { createFailureLog } from '../failureLog.ts';
import { pageUrl, withoutQuery } from '../posts/canonicalUrl.ts';
import type { Library } from '../siteIndex/types.ts';
import type { LoadedDirectory } from '../sites/directory.ts';
import type { Site, SiteId } from '../sites/site.ts';
import { PostQuotaError } from '../sites/siteQuotas.ts';
import type { Store } from '../storage/store.ts';
import { createClickedPosts } from './clickedPosts.ts';
import type { Copies } from './copies.ts';
import { createDuePages, POLL_MS } from './duePages.ts';
import { createEntries, type Entries } from './entries.ts';
import { CrawlError, type Failure } from './failure.ts';
import { createGonePosts, type GonePosts } from './gonePosts.ts';
import { createHostSlots } from './hostSlots.ts';
import { type KeepsPosts, keepPage } from './keepPage.ts';
import { createLookUp, type LookUp } from './lookUp.ts';
import { pageSaid } from './pageSaid.ts';
import { keyOf, type QueueEntry } from './queueEntry.ts';
import { createQueueSeen, declareAliases } from './queueSeen.ts';
import type { Reading } from './reading.ts';
import { afterLeftOut, afterRead } from './schedule.ts';
import { createSitemapCrawl } from './sitemaps/crawlSitemaps.ts';
import type { Crawler } from './types.ts';

export interface CrawlerOptions {
  store: { crawlQueue: Store['crawlQueue']; posts: Pick<Store['posts'], 'aliases' | 'withIds'> };
  sites: Pick<LoadedDirectory, 'find' | 'refresh'>;
  library: KeepsPosts & Pick<Library, 'isPost' | 'recent'>;
  reading: Reading;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds, for pauses and polls. Default: `now`. */
  clock?(): number;
  log: Logger;
  /** The copies of the server that share the queue. Default: this one is alone. */
  copies?: Pick<Copies, 'share'> | undefined;
}

/** The crawler, and what the server's jobs and its end ask of it. */
export interface RunningCrawler extends Crawler {
  /** Queues what was seen, and starts what is due. Never waits for a page. */
  tick(): Promise<void>;
  /** A site was removed: pages that are viewed of one made under its id are new. */
  forget(site: SiteId): void;
  /** Starts nothing more, breaks off what is being read (it stays in the queue), and resolves when nothing runs. */
  drain(): Promise<void>;
}

/** Milliseconds between two calls of `tick`. */
export const CRAWL_MS = 250;
/** Pages read at the same time, each on another host. */
const CONCURRENCY = 4;

/** What became of a page. */
type Outcome = 'read' | 'left-out' | Failure;

export function createCrawler(options: CrawlerOptions): RunningCrawler {
  const { store, sites, library, reading, now, clock = now, log, copies } = options;
  const lookUp = createLookUp({ store, library });
  const slots = createHostSlots();
  const failures = createFailureLog(log, clock);
  const running = new Map<string, Promise<void>>();
  const { count, counts } = createOutcomes();
  const { crawlQueue } = store;
  const entries = createEntries({ crawlQueue, sites, changed: () => due.expire(), now });
  const settle: Entries['settle'] = async (...entry) => (draining ? undefined : await entries.settle(...entry));
  const due = createDuePages({ crawlQueue, sites, copies, settle, now, clock });
  const queueing = { crawlQueue, library, enqueue: entries.add, now, clock };
  const seen = createQueueSeen({ ...queueing, lookUp, leftOut: () => count('left-out') });
  const clicked = createClickedPosts(queueing);
  const gone = createGonePosts({ ...queueing, log });
  const attempt = createAttempt({ gone, library, reading, lookUp, count, queueUrl: entries.addUrl, log, now });
  /** After a failure of the database. */
  let resume = 0;
  let draining = false;

  async function start(): Promise<void> {
    for (const entry of await due.list()) {
      if (running.size >= CONCURRENCY || draining) break;
      const { host } = new URL(entry.url);
      if (running.has(keyOf(entry))) due.started(entry);
      if (running.has(keyOf(entry)) || !slots.take(host, clock())) continue;
      const work = visit(entry, host).finally(() => {
        running.delete(keyOf(entry));
        due.finished(entry);
      });
      running.set(keyOf(entry), work);
      due.started(entry);
    }
  }

  async function visit(entry: QueueEntry, host: string): Promise<void> {
    const site = sites.find(entry.site);
    let pause = 0;
    try {
      if (site === undefined) return;
      const next = await attempt(site, entry);
      pause = reading.pauseOf(site, new URL(entry.url));
      if (sites.find(entry.site) !== undefined) await settle(entry, next);
    } catch (err) {
      // The database is away, most likely: the entry stays due, and its host is paused before the next attempt.
      failures.add('keep page', err, 'a page could not be kept', { site: entry.site, url: entry.url });
      pause = POLL_MS;
    } finally {
      slots.release(host, { now: clock(), pause });
    }
  }

  return {
    viewed: seen.see,
    clicked: clicked.click,
    forget(site) {
      seen.forgetSite(site);
      gone.served(site);
    },
    request: (site, url) => entries.addUrl(site, url, { requested: true }),
    readNow: readsNow({ library, reading }),
    sitemaps: createSitemapCrawl({ store, library, reading, slots, enqueue: entries.add, now, clock }),
    counts,
    gone: gone.counts,
    async tick() {
      if (draining || clock() < resume) return;
      try {
        await Promise.all([seen.tick(), clicked.tick()]);
        await start();
      } catch (error) {
        resume = clock() + POLL_MS;
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

const readsNow =
  ({ library, reading }: Pick<CrawlerOptions, 'library' | 'reading'>): Crawler['readNow'] =>
  async (site, url, how) => {
    const page = await reading.read(site, url, how);
    return {
      page,
      keep: async () => (await keepPage(library, { site: site.id, asked: pageUrl(url) ?? url, page })).url,
    };
  };

function createOutcomes() {
  const outcomes = new Map<Outcome, number>();
  return {
    count: (outcome: Outcome): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
    counts: () => [...outcomes].map(([outcome, total]) => ({ outcome, count: total })),
  };
}

interface AttemptOptions extends Pick<CrawlerOptions, 'library' | 'reading' | 'log' | 'now'> {
  gone: GonePosts;
  lookUp: LookUp;
  count(outcome: Outcome): void;
  queueUrl(site: SiteId, url: string, how: { priority: number }): Promise<void>;
}

/** Reads a page and keeps it. @returns The entry as it goes back into the queue. */
function createAttempt(options: AttemptOptions) {
  const { gone, library, reading, lookUp, count, queueUrl, log, now } = options;
  return async (site: Site, entry: QueueEntry): Promise<QueueEntry> => {
    try {
      if (!entry.requested && withoutQuery(entry.url) !== entry.url) {
        // The post whose address this is may have become known since.
        const { others } = await lookUp(site.id, [entry.url]);
        await declareAliases(library, site.id, others);
        if (others.size > 0) return { ...entry, due: 0, updatedAt: now() };
      }
      // A requested page is read again even where its server reports no change.
      const page = await reading.read(site, entry.url, { again: !entry.requested });
      await gone.requireArticle(site, entry, page);
      const { also } = await keepPage(library, { site: site.id, asked: entry.url, page });
      if (also !== undefined) await queueUrl(site.id, also, { priority: entry.priority });
      count('read');
      if (page.patch.pageType === 'post') gone.served(site.id);
      return afterRead({ ...entry, said: pageSaid(page) }, now(), page.patch.pubDate);
    } catch (error) {
      if (error instanceof PostQuotaError) {
        count('left-out');
        return afterLeftOut(entry, now());
      }
      if (!(error instanceof CrawlError)) throw error;
      count(error.failure);
      log.info({ site: site.id, url: entry.url, failure: error.failure }, error.message);
      return await gone.afterFailure(site, entry, error);
    }
  };
}
