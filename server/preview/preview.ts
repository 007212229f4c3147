// /preview: pick a list, see it live, copy what a page needs, have a page checked. For publishers, without any secret.
//
//   app.route('/', preview(deps));
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { checkPage } from '../checkup/checkPage.ts';
import { type Finding, ok, problem } from '../checkup/finding.ts';
import { remedyFor } from '../checkup/remedies.ts';
import { CrawlError } from '../crawl/failure.ts';
import type { Deps } from '../deps.ts';
import { findSite } from '../http/auth.ts';
import { clientAddress } from '../http/clientAddress.ts';
import { addressOf } from '../http/envelope.ts';
import { Forbidden } from '../http/errors.ts';
import { parseParams, url } from '../http/params.ts';
import { readQuery } from '../http/query.ts';
import { send, sendError } from '../http/send.ts';
import { createRateLimit, prefixOf } from '../ingest/rateLimit.ts';
import type { Site } from '../sites/site.ts';
import { samplePage } from './samplePage.ts';
import { SHELL_POLICY, shell } from './shell.ts';

type PreviewDeps = Pick<Deps, 'sites' | 'crawler' | 'settings' | 'now'>;

const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };
const CHECK = z.object({ url });

/** Somebody else's page is fetched for whoever asks: seldom enough to be of no use to anyone but a publisher. */
const CHECKS = { perSecond: 0.1, burst: 6 };
const CHECKS_AT_ONCE = 2;

export function preview({ sites, crawler, settings, now }: PreviewDeps): Hono {
  const app = new Hono();
  const rate = createRateLimit(CHECKS);
  let checking = 0;

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
    const sender = prefixOf(clientAddress(c, settings.trustedProxies)) ?? '';
    if (checking >= CHECKS_AT_ONCE || rate.take(sender, 1, now()) === 0) return tooMany(c);
    checking++;
    try {
      return send(c, { data: await check(site, wish.url, addressOf(c, settings).origin), success: true });
    } finally {
      checking--;
    }
  });

  /** The crawler's own reading: the site's hosts only, robots.txt obeyed, nothing private touched. */
  async function check(site: Site, address: string, server: string): Promise<Finding[]> {
    try {
      const { page } = await crawler.readNow(site, address);
      const { fetched } = page;
      const against = { site: site.id, knows: (id: string) => sites.find(id) !== undefined, server };
      return [ok('page', `${fetched} answers.`), ...checkPage({ fetched, record: page }, against)];
    } catch (error) {
      if (!(error instanceof CrawlError)) throw error;
      return [problem('page', error.message, remedyFor(error.failure))];
    }
  }

  return app;
}

function requireKnown(site: Site | undefined): Site {
  if (site === undefined) throw new Forbidden();
  return site;
}

function tooMany(c: Context): Response {
  c.header('Retry-After', '10');
  return sendError(c, { code: 429, message: 'Too many checks: try again in ten seconds.', success: false }, 429);
}
