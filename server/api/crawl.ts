// The article crawl: a publisher's system reports that a page is new or has changed, and the page is crawled again
// before all others.
import { z } from 'zod';
import { isSiteAddress } from '../crawl/readSitePage.ts';
import { endpoint } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { flag, url } from '../http/params.ts';
import { send } from '../http/send.ts';
import { pageUrl } from '../posts/canonicalUrl.ts';

export const crawl = endpoint({
  summary: 'Queues a page to be read again now.',
  tag: 'metadata',
  script: true,
  params: z.object({
    url: url.meta({ description: 'Address of the page.' }),
    dry_run: flag('1: queues nothing, and answers whether it would be.').optional(),
  }),
  tool: false,
  changes: true,
  body: 'fields',
  async answer({ site, params, c }, { crawler }) {
    const address = pageUrl(params.url);
    if (address === undefined || !isSiteAddress(site, address))
      throw new BadParameters({ url: [`Give the address of a page of ${site.id}.`] });
    if (!params.dry_run) await crawler.request(site.id, address);
    return send(c, { data: { url: address, status: params.dry_run ? 'would be queued' : 'queued' }, success: true });
  },
});
