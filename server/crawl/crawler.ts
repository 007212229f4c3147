// The crawler: pages that were viewed or asked for wait in the database, and are read one at a time per host.
//
//   const crawler = createCrawler({ store, sites, library, reading, now, log });
//   crawler.viewed(site, url);                a view came in; unknown pages are queued soon
//   await crawler.request(site, url);         queued when it resolves
//   { name: 'crawl', every: 250, run: crawler.tick }
import type { Logger } from 'pino';
import { createFailureLog } from '../failureLog.ts';
import { createHourlyAllowance } from '../ingest/cardinality/hourlyAllowance.ts';
import { pageUrl, withoutQuery } from '../posts/canonicalUrl.ts';
import { parseUrl } from '../posts/parseUrl.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site, SiteId } from '../sites/site.ts';
import { PostQuotaError } from '../sites/siteQuotas.ts';
import type { Store } from '../storage/store.ts';
import type { Copies, Share } from './copies.ts';
import { CrawlError, type Failure } from './failure.ts';
import { createHostSlots } from './hostSlots.ts';
import { type KeepsPosts, keepPage } from './keepPage.ts';
import { createLookUp } from './lookUp.ts';
import { createNewcomers, type SeenPage } from './newcomers.ts';
import { DECLARED, type QueueEntry } from './queueEntry.ts';
import type { Reading } from './reading.ts';
import { afterFailure, afterLeftOut, afterRead, queued } from './schedule.ts';
import { createSitemapCrawl } from './sitemaps/crawlSitemaps.ts';
import type { Crawler } from './types.ts';

export interface CrawlerOptions {
  store: { crawlQueue: Store['crawlQueue']; posts: Pick<Store['posts'], 'aliases' | 'withIds'> };
  sites: Pick<SiteDirectory, 'find'>;
  library: KeepsPosts;
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
  /** Starts nothing more, breaks off what is being read (it stays in the queue), and resolves when nothing runs. */
  drain(): Promise<void>;
}

/** Milliseconds between two calls of `tick`. */
export const CRAWL_MS = 250;
/** Pages read at the same time, each on another host. */
const CONCURRENCY = 4;
/** How often the database is asked for what is due. Pages queued by this process are seen at once. */
const POLL_MS = 5_000;
const POLL_ROWS = 200;
const POLL_ROWS_PER_SITE = 50;
/** Pages looked up in one tick. */
const LOOK_UPS = 200;
/** New pages queued per site and hour: a page a second is all that politeness reads. Declared posts are not counted. */
const NEW_PER_HOUR = 3_600;
/** Interval between two look-ups of an unknown id. */
const FORGET_IDS_MS = 60_000;

export function createCrawler({
  store,
  sites,
  library,
  reading,
  now,
  clock = now,
  log,
  copies,
}: CrawlerOptions): RunningCrawler {
  const newcomers = createNewcomers();
  const lookUp = createLookUp({ store, library });
  const slots = createHostSlots();
  const failures = createFailureLog(log, clock);
  const running = new Map<string, Promise<void>>();
  /** Done since the database was last asked: its answer may not know yet. */
  const finished = new Set<string>();
  const outcomes = new Map<'read' | 'left-out' | Failure, number>();
  const quota = createHourlyAllowance(NEW_PER_HOUR);
  let planned: QueueEntry[] = [];
  let share: Share | undefined;
  let nextPoll = 0;
  /** Ids that no post has yet. */
  const nobodys: { site: SiteId; name: string }[] = [];
  let nextForgetting = 0;
  /** After a failure of the database. */
  let resume = 0;
  let draining = false;

  const keyOf = ({ site, url }: Pick<QueueEntry, 'site' | 'url'>) => `${site} ${url}`;
  const count = (outcome: 'read' | 'left-out' | Failure) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

  /** Bounds pages that views queue, not those that are requested. One network with a part left is enough. */
  function withinQuota({ site, url, networks }: SeenPage): boolean {
    if (networks.some((network) => quota.take(site, network, now()))) return true;
    newcomers.forget(site, [url]);
    count('left-out');
    return false;
  }

  async function queueNewcomers(): Promise<void> {
    for (const [site, pages] of newcomers.take(LOOK_UPS)) {
      try {
        await queuePages(site, new Map(pages.map((page) => [page.url, page])));
      } catch (error) {
        newcomers.forget(
          site,
          pages.map(({ url }) => url),
        );
        throw error;
      }
    }
  }

  async function queuePages(site: SiteId, pages: ReadonlyMap<string, SeenPage>): Promise<void> {
    const { unknown, waiting, others, unresolved } = await lookUp(site, [...pages.keys()]);
    nobodys.push(...unresolved.map((name) => ({ site, name })));
    const tracked = new Set(waiting.map(({ url }) => url));
    for (const { url, declared } of unknown) if (!declared) tracked.add(url);
    for (const url of pages.keys()) if (!tracked.has(url)) newcomers.settle(site, url);
    await declare(site, new Map([...others].filter(([name]) => withinQuota(pages.get(name)!))));
    const admitted = unknown.filter(({ url, declared }) => declared || withinQuota(pages.get(url)!));
    const priorityOf = (url: string) => pages.get(url)!.networks.length;
    const added = admitted.map(({ url, declared }) =>
      queued(undefined, { site, url, requested: false, priority: declared ? DECLARED : priorityOf(url) }, now()),
    );
    // A page of the archive that a reader opens comes before the archive.
    await enqueue([...added, ...waiting.flatMap((entry) => raised(entry, priorityOf(entry.url)))]);
  }

  function raised(entry: QueueEntry, priority: number): QueueEntry[] {
    if (entry.due === 0 || entry.priority >= priority) return [];
    return [{ ...entry, priority, updatedAt: Math.max(now(), entry.updatedAt) }];
  }

  /** Pages that wait and were seen from more networks since come sooner. */
  async function raisePriorities(): Promise<void> {
    const risen: QueueEntry[] = [];
    for (const { site, url, networks } of newcomers.risen()) {
      const [entry] = await store.crawlQueue.get(site, [url]);
      if (entry !== undefined) risen.push(...raised(entry, networks.length));
    }
    await enqueue(risen);
  }

  /** The list of unknown ids is cleared from time to time: publishers may declare a film after its first views. */
  function forgetUnresolved(): void {
    if (clock() < nextForgetting) return;
    nextForgetting = clock() + FORGET_IDS_MS;
    for (const { site, name } of nobodys.splice(0)) newcomers.forget(site, [name]);
  }

  /** Views that came under such an address count for the post from now on, and those that came before. */
  async function declare(site: SiteId, others: ReadonlyMap<string, string>): Promise<void> {
    for (const url of new Set(others.values())) {
      const aliases = [...others].flatMap(([alias, owner]) => (owner === url ? [alias] : []));
      await library.write(site, url, { patch: {}, aliases, by: 'page' });
    }
  }

  async function enqueue(entries: readonly QueueEntry[]): Promise<void> {
    // A site that was removed meanwhile owns no rows.
    const owned = entries.filter(({ site }) => sites.find(site) !== undefined);
    if (owned.length === 0) return;
    await store.crawlQueue.save(owned);
    nextPoll = 0;
  }

  /** @returns false while another copy may have this one's hosts. A change of the copies makes a new plan. */
  function takeShare(): boolean {
    const now = copies?.share();
    if (now !== share) {
      share = now;
      planned = [];
      nextPoll = 0;
    }
    return copies === undefined || share !== undefined;
  }

  async function start(): Promise<void> {
    if (!takeShare()) return;
    if (clock() >= nextPoll) {
      nextPoll = clock() + POLL_MS;
      finished.clear();
      const due = await store.crawlQueue.due({ now: now(), limit: POLL_ROWS, perSite: POLL_ROWS_PER_SITE, share });
      planned = [];
      for (const entry of due) {
        if (finished.has(keyOf(entry))) continue;
        if (parseUrl(entry.url) && sites.find(entry.site) !== undefined) planned.push(entry);
        // Nothing that is no address, or of no site, may keep those behind it waiting.
        else await settle(entry, { ...entry, due: 0, updatedAt: now() });
      }
    }
    for (const entry of planned) {
      if (running.size >= CONCURRENCY || draining) break;
      const { host } = new URL(entry.url);
      if (running.has(keyOf(entry)) || !slots.take(host, clock())) continue;
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
      if (site === undefined) return;
      const next = await attempt(site, entry);
      pause = reading.pauseOf(site, new URL(entry.url));
      if (sites.find(entry.site) !== undefined) await settle(entry, next);
    } catch (err) {
      // The database is away, most likely: the entry stays due, and its host rests before the next attempt.
      failures.add('keep page', err, 'a page could not be kept', { site: entry.site, url: entry.url });
      pause = POLL_MS;
    } finally {
      slots.release(host, { now: clock(), pause });
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
      if (also !== undefined) await queueUrl(site.id, also, { priority: entry.priority });
      count('read');
      return afterRead(entry, now(), page.patch.pubDate);
    } catch (error) {
      if (error instanceof PostQuotaError) {
        count('left-out');
        return afterLeftOut(entry, now());
      }
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
    else await store.crawlQueue.save([{ ...after, priority: Math.max(after.priority, stored?.priority ?? 0) }]);
  }

  async function queueUrl(site: SiteId, url: string, how: { requested?: boolean; priority?: number }): Promise<void> {
    const [known] = await store.crawlQueue.get(site, [url]);
    await enqueue([queued(known, { site, url, requested: false, ...how }, now())]);
  }

  return {
    viewed: newcomers.see,
    async request(site, url) {
      await queueUrl(site, url, { requested: true });
    },
    async readNow(site, url, how) {
      const page = await reading.read(site, url, how);
      return {
        page,
        keep: async () => (await keepPage(library, { site: site.id, asked: pageUrl(url) ?? url, page })).url,
      };
    },
    sitemaps: createSitemapCrawl({ store, library, reading, slots, enqueue, now, clock }),
    counts: () => [...outcomes].map(([outcome, total]) => ({ outcome, count: total })),
    async tick() {
      if (draining || clock() < resume) return;
      try {
        forgetUnresolved();
        await queueNewcomers();
        await raisePriorities();
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
