// /preview/own: a page of the site with a list in it, and why there is none.
//
//   app.route('/', ownPages({ sites, settings, reads }, app));
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type Finding, ok } from '../checkup/finding.ts';
import type { Deps } from '../context.ts';
import { findSite } from '../http/auth.ts';
import { addressOf } from '../http/envelope.ts';
import { parseParams, url } from '../http/params.ts';
import { type Query, readQuery } from '../http/query.ts';
import { send } from '../http/send.ts';
import type { FramedPage } from '../posts/readPage/framePage.ts';
import type { Site } from '../sites/site.ts';
import { type BoundedReads, isFinding } from './boundedReads.ts';
import { createKeptFrames, excuse, excuseFor, fragmentPath, OWN_PAGE_POLICY, ownPage, SENTENCES } from './ownPage.ts';
import { PAGE_HEADERS, requireKnown } from './shell.ts';

const OWN = z.object({ url, kind: z.enum(['related', 'top']).default('related') });

const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': OWN_PAGE_POLICY,
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

interface Wish {
  kind: 'related' | 'top';
  site: Site;
  query: Query;
}

/** @param api The application that has the lists. */
export function ownPages(
  { sites, settings, reads }: Pick<Deps, 'sites' | 'settings'> & { reads: BoundedReads },
  api: Hono,
): Hono {
  const app = new Hono();
  const kept = createKeptFrames();

  app.get('/preview/own', async (c) => {
    const query = readQuery(c.req.url);
    const site = requireKnown(findSite(sites, query));
    const wish = parseParams(OWN, query);
    return reads.admitted(c, async () => {
      const read = await readOwn(site, wish.url);
      const data = isFinding(read)
        ? read
        : ok('page', `Shown without its scripts; the list stands ${SENTENCES[read.places[wish.kind].is]}.`);
      return send(c, { data, success: true });
    });
  });

  app.get('/preview/own/page', async (c) => {
    const query = readQuery(c.req.url);
    const site = requireKnown(findSite(sites, query));
    const { url: page, kind } = parseParams(OWN, query);
    const known = kept.get(site.id, page);
    if (known !== undefined) return frame(c, known, { kind, site, query });
    return reads.admitted(c, async () => {
      const read = await readOwn(site, page);
      if (isFinding(read)) return c.html(excuse(read.says), 200, HEADERS);
      return frame(c, read, { kind, site, query });
    });
  });

  async function readOwn(site: Site, address: string): Promise<FramedPage | Finding> {
    const page = await reads.read(site, address, { framed: true });
    if (isFinding(page)) return page;
    // The reader was asked for it.
    const framed = page.frame!;
    kept.set(site.id, address, framed);
    return framed;
  }

  async function frame(c: Context, page: FramedPage, { kind, site, query }: Wish): Promise<Response> {
    // Pictures may be of this server, on the host it was asked on.
    const answer = await api.request(new URL(fragmentPath(site.id, kind, query), addressOf(c, settings)).href);
    const body = await answer.text();
    const list = answer.ok ? body : excuseFor(answer.status, body);
    const shown = list.includes('<li') || !answer.ok ? list : excuse('The list has no post now.');
    return c.html(ownPage(page, kind, shown, query), 200, HEADERS);
  }

  return app;
}
