// Everything a page is read with, put together once: rules of fetching, robots.txt, the reading thread.
import { MINUTE } from '../durations.ts';
import type { Site } from '../sites/site.ts';
import { outgoingRules, type Resolve } from './address.ts';
import type { FetchRules } from './fetchPage.ts';
import { createKeptPages } from './keptPages.ts';
import { createPageReader } from './pageReader.ts';
import { type CrawledPage, readSitePage } from './readSitePage.ts';
import { createRobots } from './robots.ts';
import { type FoundSitemaps, findSitemaps } from './sitemaps/findSitemaps.ts';
import { type ReadSitemap, readSitemap } from './sitemaps/readSitemap.ts';

export interface Reading {
  /**
   * @param how `again`: its server is asked only whether the page has changed since it was read last. `framed`: the
   * page itself is wanted, too, as it can be shown to others. Default: neither.
   * @throws {CrawlError}
   */
  read(
    site: Pick<Site, 'id' | 'domains'>,
    url: string,
    how?: { again?: boolean; framed?: boolean },
  ): Promise<CrawledPage>;
  /**
   * Reads one sitemap or feed; entries of other hosts are left out.
   * @throws {CrawlError} when it cannot be fetched. @throws {SitemapError} when it is no sitemap and no feed.
   */
  readSitemap(site: Pick<Site, 'id' | 'domains'>, url: string): Promise<ReadSitemap>;
  /**
   * Looks for the sitemaps of a site, or its feed.
   * @param within Milliseconds for all requests together.
   */
  findSitemaps(site: Pick<Site, 'id' | 'domains'>, within: number): Promise<FoundSitemaps>;
  /** Milliseconds a host is left alone between two requests. */
  pauseOf(site: Pick<Site, 'id'>, url: URL): number;
  /** Breaks off what is being read, and ends the thread. */
  close(): Promise<void>;
}

export interface ReadingOptions {
  /** File of the reading thread, as it was built. */
  thread: URL;
  version: string;
  /** Where the operator of this crawler can be found; undefined: not said. */
  publicUrl: string | undefined;
  /** Private and loopback addresses are read too: for development. */
  allowPrivate: boolean;
  /** Monotonic milliseconds. */
  clock(): number;
  /** Default: the system's resolver. */
  resolve?: Resolve;
}

/** Name in robots.txt. */
const CRAWLER_NAME = 'AfterwordBot';

/**
 * `User-Agent` of everything that is fetched. @param publicUrl Where its operator can be found; undefined: not said.
 */
export const crawlerAgent = (version: string, publicUrl: string | undefined): string =>
  `${CRAWLER_NAME}/${version}${publicUrl === undefined ? '' : ` (+${publicUrl})`}`;

/** Between two requests to one host, unless its robots.txt asks for more. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = MINUTE;

export function openReading(options: ReadingOptions): Reading {
  const { thread, version, publicUrl, allowPrivate, clock, resolve } = options;
  const stop = new AbortController();
  const rules: FetchRules = {
    ...outgoingRules(allowPrivate, resolve),
    userAgent: crawlerAgent(version, publicUrl),
    stop: stop.signal,
  };
  const reader = createPageReader({ thread });
  const robots = createRobots({ rules, agent: CRAWLER_NAME, clock });
  const kept = createKeptPages();
  return {
    read: (site, url, how) => readSitePage(site, url, { rules, reader, robots: robots.of(site), kept, ...how }),
    readSitemap: (site, url) => readSitemap(site, url, { rules, robots: robots.of(site) }),
    async findSitemaps(site, within) {
      const late = AbortSignal.timeout(within);
      const bounded = { ...rules, stop: AbortSignal.any([stop.signal, late]) };
      const own = createRobots({ rules: bounded, agent: CRAWLER_NAME, clock }).of(site);
      return await findSitemaps(site, {
        robots: own,
        read: (url) => readSitemap(site, url, { rules: bounded, robots: own }),
        feedsOf: async (url) => (await readSitePage(site, url, { rules: bounded, reader, robots: own })).feeds,
      });
    },
    pauseOf: (site, url) => Math.min(Math.max(robots.delayOf(site, url) * 1000, PAUSE_MS), MAX_PAUSE_MS),
    async close() {
      stop.abort();
      await reader.close();
    },
  };
}
