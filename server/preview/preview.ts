// /preview: pick a list, see it live, on a page of one's own, too, copy what a page needs, have a page checked. For
// publishers, without any secret.
//
//   app.route('/', preview(deps, app));
import { Hono } from 'hono';
import { z } from 'zod';
import { askLists } from '../checkup/askLists.ts';
import { checkPage, findTag } from '../checkup/checkPage.ts';
import { type Finding, ok } from '../checkup/finding.ts';
import type { Deps } from '../context.ts';
import { findSite } from '../http/auth.ts';
import { addressOf } from '../http/envelope.ts';
import { parseParams, url } from '../http/params.ts';
import { readQuery } from '../http/query.ts';
import { send } from '../http/send.ts';
import type { Site } from '../sites/site.ts';
import { createBoundedReads, isFinding } from './boundedReads.ts';
import { ownPages } from './ownPages.ts';
import { samplePage } from './samplePage.ts';
import { PAGE_HEADERS, requireKnown, SHELL_POLICY, shell } from './shell.ts';

type PreviewDeps = Pick<Deps, 'sites' | 'crawler' | 'settings' | 'now' | 'clock' | 'log'>;

const CHECK = z.object({ url });

/** @param api The application that has the lists. */
export function preview({ sites, crawler, settings, now, clock = now, log }: PreviewDeps, api: Hono): Hono {
  const app = new Hono();
  const reads = createBoundedReads({ crawler, settings, clock, log });

  app.get('/preview', (c) => {
    const list = sites.list();
    const facts = { server: addressOf(c, settings).origin, site: list.length === 1 ? list[0]!.id : '' };
    return c.html(shell(facts), 200, {
      ...PAGE_HEADERS,
      'Content-Security-Policy': SHELL_POLICY,
      'Cache-Control': 'no-cache',
    });
  });

  app.get('/preview/page', (c) => {
    const query = readQuery(c.req.url);
    const { html, policy } = samplePage(requireKnown(findSite(sites, query)).id, query);
    return c.html(html, 200, { ...PAGE_HEADERS, 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
  });

  app.get('/preview/check', async (c) => {
    const query = readQuery(c.req.url);
    const site = requireKnown(findSite(sites, query));
    const wish = parseParams(CHECK, query);
    return reads.admitted(c, async () =>
      send(c, { data: await check(site, wish.url, addressOf(c, settings).origin), success: true }),
    );
  });

  async function check(site: Site, address: string, server: string): Promise<Finding[]> {
    const page = await reads.read(site, address, { framed: false });
    if (isFinding(page)) return [page];
    const { fetched, slots } = page;
    const record = { fetched, record: page };
    const against = { site: site.id, knows: (id: string) => sites.find(id) !== undefined, server };
    const lists = await askLists({ site: site.id, slots, tag: findTag(record), page: page.url }, async (path) =>
      (await api.request(path)).json(),
    );
    return [ok('page', `${fetched} answers.`), ...checkPage(record, against), ...lists];
  }

  return app.route('/', ownPages({ sites, settings, reads }, api));
}
