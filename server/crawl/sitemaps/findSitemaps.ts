// Where a site lists its pages: the lines of robots.txt, the usual addresses, the feed that its home page names. A
// handful of requests.

import { belongsToSite } from '../../ingest/siteHosts.ts';
import { parseUrl } from '../../posts/parseUrl.ts';
import type { Site } from '../../sites/site.ts';
import { CrawlError, type Failure } from '../failure.ts';
import type { Robots } from '../robots.ts';
import { SitemapError } from './sitemapFile.ts';

export interface FoundSitemaps {
  /** None: nothing was found. */
  urls: string[];
  /** Whether any of its hosts could be asked. */
  answered: boolean;
  /** What hindered the others, in sentences. */
  hindered: { failure: Failure; message: string }[];
}

export interface SitemapFinder {
  robots: Robots;
  /** @throws as `readSitemap`. */
  read(url: string): Promise<unknown>;
  /** Addresses of the feeds a page names. @throws {CrawlError} */
  feedsOf(url: string): Promise<readonly string[]>;
}

/** Where sitemaps stand that robots.txt does not name. */
const USUAL = ['/sitemap.xml', '/sitemap_index.xml', '/wp-sitemap.xml'];
/** Hosts of a site that are asked. */
const MAX_HOSTS = 3;

type SiteHosts = Pick<Site, 'id' | 'domains'>;

export async function findSitemaps(site: SiteHosts, finder: SitemapFinder): Promise<FoundSitemaps> {
  const hindered: FoundSitemaps['hindered'] = [];
  let answered = false;
  for (const origin of originsOf(site)) {
    try {
      const urls = await findAt(origin, site, finder);
      if (urls.length > 0) return { urls, answered: true, hindered };
      answered = true;
    } catch (error) {
      if (!(error instanceof CrawlError)) throw error;
      hindered.push({ failure: error.failure, message: error.message });
    }
  }
  return { urls: [], answered, hindered };
}

/** A host with a port, and one of no public domain, is a development server more likely than not. */
function originsOf({ id, domains }: SiteHosts): URL[] {
  const hosts = [...new Set([...domains, id])].sort((one, other) => Number(isPlain(one)) - Number(isPlain(other)));
  return hosts
    .slice(0, MAX_HOSTS)
    .flatMap((host) =>
      isPlain(host) ? [`https://${host}/`, `http://${host}/`] : [`http://${host}/`, `https://${host}/`],
    )
    .flatMap((origin) => parseUrl(origin) ?? []);
}

const isPlain = (host: string): boolean => host.includes('.') && !host.includes(':') && !/^[\d.]+$/.test(host);

async function findAt(origin: URL, site: SiteHosts, { robots, read, feedsOf }: SitemapFinder): Promise<string[]> {
  const isOwn = (text: string) => {
    const url = parseUrl(text, origin.href);
    return url !== undefined && belongsToSite(url, site) ? [url.href] : [];
  };
  const named = (await robots.sitemaps(origin)).flatMap(isOwn);
  if (named.length > 0) return [...new Set(named)].slice(0, 100);
  for (const path of USUAL) {
    const url = new URL(path, origin).href;
    if (await isThere(() => read(url))) return [url];
  }
  return (await feedsOf(origin.href)).flatMap(isOwn).slice(0, 1);
}

/** A page that robots.txt closes, that leads to another host, or that redirects without end is not there for us. */
async function isThere(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof SitemapError) return false;
    if (error instanceof CrawlError && ['robots', 'foreign-host', 'too-many-redirects'].includes(error.failure))
      return false;
    throw error;
  }
}
