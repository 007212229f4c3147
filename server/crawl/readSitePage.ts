// One page of a site, fetched and read: what the queue does for each URL, and what `afterword crawl` shows.
import { belongsToSite } from '../ingest/siteHosts.ts';
import { parseUrl } from '../posts/parseUrl.ts';
import type { FramedPage } from '../posts/readPage/framePage.ts';
import type { PageRecord } from '../posts/readPage/readPage.ts';
import type { Site } from '../sites/site.ts';
import { CrawlError } from './failure.ts';
import { type FetchOptions, type FetchRules, fetchFrom } from './fetchPage.ts';
import type { KeptPages } from './keptPages.ts';
import type { PageReader } from './pageReader.ts';
import type { Robots } from './robots.ts';

/** HTML read of one page, packed and unpacked. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

export interface CrawledPage extends PageRecord {
  /** Where it was read, after redirects. */
  fetched: string;
  encoding: string;
  bytes: number;
  /** Only its beginning was read. */
  cut: boolean;
  /** The page itself, where that was asked for. */
  frame?: FramedPage | undefined;
}

export interface SitePageReader {
  rules: FetchRules;
  reader: PageReader;
  robots: Robots;
  /** Given where a page that has not changed since need not be read. */
  kept?: KeptPages;
  /** Ask only whether it has changed. Default: false. */
  again?: boolean;
  /** The page itself is wanted, too, as it can be shown to others. Default: false. */
  framed?: boolean;
}

/** @throws {CrawlError} */
export async function readSitePage(
  site: Pick<Site, 'id' | 'domains'>,
  url: string,
  { rules, reader, robots, kept, again = false, framed = false }: SitePageReader,
): Promise<CrawledPage> {
  const known = again ? kept?.get(site, url) : undefined;
  const options: FetchOptions = {
    site,
    known: known?.validators,
    accept: 'text/html, application/xhtml+xml;q=0.9',
    max: MAX_PAGE_BYTES,
    before: (address) => robots.require(address),
    check: requirePage,
  };
  const page = await fetchFrom(url, options, rules);
  if (page.status === 304 && known !== undefined) return known.page;
  const { encoding, record, frame } = await reader.read({
    url: page.url.href,
    bytes: page.bytes,
    contentType: page.contentType,
    language: page.language,
    site: { id: site.id, domains: site.domains },
    framed,
  });
  const bytes = page.bytes.length;
  // A header may carry several policies, with commas between.
  const policies = [...(page.policy?.split(',') ?? []), ...record.policies];
  const read = { ...record, policies, fetched: page.url.href, encoding, bytes, cut: page.cut };
  kept?.set(site, url, { page: read, validators: page.validators });
  return { ...read, frame };
}

/** Whether an address can be one of a site's pages, before anything is asked of the network. */
export function isSiteAddress(site: Pick<Site, 'id' | 'domains'>, url: string): boolean {
  const address = parseUrl(url);
  return address !== undefined && belongsToSite(address, site);
}

function requirePage({
  url,
  status,
  contentType,
  retryAfter,
}: Parameters<NonNullable<FetchOptions['check']>>[0]): void {
  if (status === 404 || status === 410) throw new CrawlError('gone', `${url.href} answers ${status}.`);
  if (status !== 200) throw new CrawlError('bad-status', `${url.href} answers ${status}.`, { retryAfter });
  if (!HTML.test(contentType))
    throw new CrawlError('not-html', `${url.href} is ${contentType.slice(0, 100) || 'of no named type'}, not HTML.`);
}
