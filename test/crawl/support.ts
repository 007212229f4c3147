// What the crawler's tests share: a reader in this process, rules that allow loopback, and a site that owns it.
import type { FetchRules } from '../../server/crawl/fetchPage.ts';
import type { PageReader } from '../../server/crawl/pageReader.ts';
import { readBytes } from '../../server/crawl/readingThread.ts';
import type { SitePageReader } from '../../server/crawl/readSitePage.ts';
import { createRobots } from '../../server/crawl/robots.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';

export const USER_AGENT = 'AfterwordBot/0 (+https://stats.example)';

export const loopbackSite: Pick<Site, 'id' | 'domains'> = { id: parseSiteId('127.0.0.1')!, domains: [] };

export const loopbackRules: FetchRules = {
  resolve: async () => ['127.0.0.1'],
  allows: () => true,
  anyPort: true,
  userAgent: USER_AGENT,
  timeout: 100_000,
};

/** Reads in this process: the thread itself is tested on the built server. */
export const readHere: PageReader = {
  read: async (page) => readBytes(page),
  close: async () => {},
};

export function pageReaderFor(rules: FetchRules, site = loopbackSite): SitePageReader {
  const robots = createRobots({ rules, agent: 'AfterwordBot', clock: () => 0 }).of(site);
  return { rules, reader: readHere, robots };
}
