// The interface of the crawler.

import type { Site, SiteId } from '../sites/site.ts';
import type { Failure } from './failure.ts';
import type { GoneCounts } from './gonePosts.ts';
import type { CrawledPage } from './readSitePage.ts';
import type { SitemapCrawl } from './sitemaps/crawlSitemaps.ts';

/** Reads the pages of sites. */
export interface Crawler {
  /**
   * A view came in. Costs a look-up in memory; an unknown page is queued soon after.
   * @param network Of the sender: pages seen from several are read first. Default: not known.
   */
  viewed(site: SiteId, url: string, network?: string): void;
  /** A reader opened a post from a list: it is read again when it was not for a day. Costs a look-up in memory. */
  clicked(site: SiteId, url: string): void;
  /** Queues a page to be read before all others. Resolves when durable. */
  request(site: SiteId, url: string): Promise<void>;
  /**
   * Reads a page at once. `framed`: with the page itself, as it can be shown to others. Default: without.
   * @throws {CrawlError} when it cannot be read.
   */
  readNow(
    site: Site,
    url: string,
    how?: { framed: boolean },
  ): Promise<{
    page: CrawledPage;
    /** Writes what was read; resolves with the URL of the record. */
    keep(): Promise<string>;
  }>;
  /** Filling a site from its archive. */
  readonly sitemaps: SitemapCrawl;
  /**
   * Totals since start. `left-out`: more new pages in an hour than are read in one, or a site without room for posts.
   */
  counts(): { outcome: 'read' | 'left-out' | Failure; count: number }[];
  /** Posts whose pages are gone, since start. */
  gone(): GoneCounts;
}
