// Filling a site from its sitemaps and feeds, for `afterword crawl --sitemap` and `site add`: the command asks file by
// file and batch by batch, so that it can show how far it is and be broken off between any two.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { isSiteAddress } from '../../crawl/readSitePage.ts';
import type { PageOutcome, Queued } from '../../crawl/sitemaps/crawlSitemaps.ts';
import { MAX_LISTED } from '../../crawl/sitemaps/crawlSitemaps.ts';
import type { FoundSitemaps } from '../../crawl/sitemaps/findSitemaps.ts';
import type { ReadSitemap } from '../../crawl/sitemaps/readSitemap.ts';
import { SITEMAP_BATCH, SitemapError } from '../../crawl/sitemaps/sitemapFile.ts';
import { MINUTE } from '../../durations.ts';
import { parseWebUrl } from '../../posts/canonicalUrl.ts';
import { CommandError } from '../commandError.ts';
import { ownerOf, refuse } from './crawl.ts';
import { requireSite } from './sites.ts';

const MAX_WITHIN_MS = MINUTE;

const url = z.string().max(2 ** 14);
const file = z.object({ url, site: z.string().optional() });
const search = z.object({ site: z.string(), within: z.number().int().min(0).max(MAX_WITHIN_MS) });
const batch = z.object({
  pages: z.array(z.object({ url, changed: z.number().nullable() })).max(SITEMAP_BATCH),
  /** Pages given before, in the same order. */
  rank: z.number().int().min(0).max(MAX_LISTED),
});
const question = z.object({ urls: z.array(url).max(SITEMAP_BATCH), since: z.number() });

export type SitemapRequest = z.infer<typeof file>;
export type SitemapSearch = z.infer<typeof search>;
export type SitemapBatch = z.infer<typeof batch>;
export type SitemapQuestion = z.infer<typeof question>;

export type SitemapAnswer = ReadSitemap & { site: string };

export interface QueuedPages {
  /** Of each page, in the order it was given. */
  outcomes: Queued[];
  /** Epoch milliseconds, by the clock that times of reading are written with. */
  at: number;
}

export interface PageOutcomes {
  outcomes: PageOutcome[];
}

export function sitemapAdmin({ sites, crawler, now }: Pick<Deps, 'sites' | 'crawler' | 'now'>): Hono {
  const admin = new Hono();

  admin.post('/sitemaps/read', async (c) => {
    const asked = file.parse(await c.req.json());
    const address = parseWebUrl(asked.url)?.href;
    if (address === undefined) throw new CommandError(`"${asked.url}" is no http or https address.`, 2);
    const site = asked.site === undefined ? ownerOf(sites.list(), address) : requireSite(sites, asked.site);
    if (!isSiteAddress(site, address))
      throw new CommandError(
        `${address} is on no host of ${site.id}: a sitemap has to be on one. Add the host: afterword site change ${site.id} --domain <host>`,
      );
    const read = await crawler.sitemaps.read(site, address).catch(inWords);
    return c.json({ ...read, site: site.id } satisfies SitemapAnswer);
  });

  admin.post('/sitemaps/find', async (c) => {
    const { site, within } = search.parse(await c.req.json());
    const found = await crawler.sitemaps.find(requireSite(sites, site), within).catch(inWords);
    return c.json(found satisfies FoundSitemaps);
  });

  admin.post('/sites/:id/listed', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { pages, rank } = batch.parse(await c.req.json());
    const at = now();
    const own = pages.every((page) => isSiteAddress(site, page.url));
    if (!own) throw new CommandError(`A page of another host than those of ${site.id} is not queued.`);
    return c.json({ outcomes: await crawler.sitemaps.queue(site.id, pages, rank), at } satisfies QueuedPages);
  });

  admin.post('/sites/:id/listed/outcomes', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { urls, since } = question.parse(await c.req.json());
    return c.json({ outcomes: await crawler.sitemaps.outcomes(site.id, urls, since) } satisfies PageOutcomes);
  });

  return admin;
}

function inWords(error: unknown): never {
  if (error instanceof SitemapError) throw new CommandError(error.message);
  return refuse(error);
}
