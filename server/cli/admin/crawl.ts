// Reading one page now, for `afterword crawl`.
import { Hono } from 'hono';
import { z } from 'zod';
import { remedyFor } from '../../checkup/remedies.ts';
import type { Deps } from '../../context.ts';
import { CrawlError } from '../../crawl/failure.ts';
import { isSiteAddress } from '../../crawl/readSitePage.ts';
import { pageUrl } from '../../posts/canonicalUrl.ts';
import type { PageRecord } from '../../posts/readPage/readPage.ts';
import type { Site } from '../../sites/site.ts';
import { CommandError } from '../commandError.ts';
import { requireSite } from './sites.ts';

const body = z.object({ url: z.string(), site: z.string().optional(), keep: z.boolean() });

export type CrawlRequest = z.infer<typeof body>;

export interface CrawlReport {
  site: string;
  /** Where it was read, after redirects. */
  fetched: string;
  encoding: string;
  bytes: number;
  /** Only its beginning was read: it is longer than the crawler reads. */
  cut: boolean;
  /** URL of the record that was written; null: nothing was. */
  kept: string | null;
  fields: { name: string; value: unknown; source: string | null }[];
  notes: string[];
}

export function crawlAdmin({ sites, crawler }: Pick<Deps, 'sites' | 'crawler'>): Hono {
  const admin = new Hono();

  admin.post('/crawl', async (c) => {
    const { url, keep, ...asked } = body.parse(await c.req.json());
    const address = pageUrl(url);
    if (address === undefined) throw new CommandError(`"${url}" is no http or https address.`, 2);
    const site = asked.site === undefined ? ownerOf(sites.list(), address) : requireSite(sites, asked.site);
    const { page, keep: write } = await crawler.readNow(site, address).catch(refuse);
    const report: CrawlReport = {
      site: site.id,
      fetched: page.fetched,
      encoding: page.encoding,
      bytes: page.bytes,
      cut: page.cut,
      kept: keep ? await write() : null,
      fields: fieldsOf(page),
      notes: page.notes,
    };
    return c.json(report);
  });

  return admin;
}

/** @throws {CommandError} what hindered the crawler, and what to do about it; else the error itself. */
export function refuse(error: unknown): never {
  if (!(error instanceof CrawlError)) throw error;
  throw new CommandError(`${error.message} (${error.failure})\n  ${remedyFor(error.failure)}`);
}

/** The one site that has the host of an address. @throws {CommandError} */
export function ownerOf(sites: readonly Site[], url: string): Site {
  const owners = sites.filter((site) => isSiteAddress(site, url));
  const { host } = new URL(url);
  if (owners.length === 0) {
    const how = 'Make it with afterword site add, or give the host to a site with --domain.';
    throw new CommandError(`No site has the host ${host}. ${how}`);
  }
  if (owners.length > 1)
    throw new CommandError(`${owners.map(({ id }) => id).join(' and ')} have the host ${host}: name one with --site.`);
  return owners[0]!;
}

function fieldsOf({ url, patch, wordCount, sources }: PageRecord): CrawlReport['fields'] {
  const row = (name: string, value: unknown, source: keyof PageRecord['sources']) => ({
    name,
    value,
    source: sources[source] ?? null,
  });
  return [
    row('canonical_url', url, 'url'),
    row('page_type', patch.pageType, 'pageType'),
    row('title', patch.title, 'title'),
    row('image_url', patch.imageUrl, 'imageUrl'),
    row('pub_date', patch.pubDate === null ? '' : new Date(patch.pubDate).toISOString(), 'pubDate'),
    row('section', patch.section, 'section'),
    row('authors', patch.authors, 'authors'),
    row('tags', patch.tags, 'tags'),
    row('language', patch.language, 'language'),
    row('post_id', patch.postId, 'postId'),
    row('metadata', patch.metadata, 'metadata'),
    row('full_content', patch.fullContent, 'fullContent'),
    row('word_count', wordCount, 'fullContent'),
  ];
}
