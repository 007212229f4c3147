// /preview: pick a list, see it live, copy what a page needs, have a page checked. For publishers, without any secret.
//
//   app.route('/', preview(deps, app));
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { askLists } from '../checkup/askLists.ts';
import { checkPage, findTag } from '../checkup/checkPage.ts';
import { type Finding, ok, problem } from '../checkup/finding.ts';
import { remedyFor } from '../checkup/remedies.ts';
import { CrawlError, type Failure } from '../crawl/failure.ts';
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

type PreviewDeps = Pick<Deps, 'sites' | 'crawler' | 'settings' | 'now' | 'clock' | 'log'>;

const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };
const CHECK = z.object({ url });

/** Somebody else's page is fetched for whoever asks: seldom enough to be of no use to anyone but a publisher. */
const CHECKS = { perSecond: 0.1, burst: 6 };
const CHECKS_AT_ONCE = 2;

/**
 * Failures that tell what a name means on this network: a private address, no address, a closed port. Without a secret they
 * have one answer, which comes no sooner than `UNREAD_MS`: a name that is known nearby is looked up faster than one that is not.
 */
const OF_NETWORK: ReadonlySet<Failure> = new Set<Failure>(['private-address', 'unknown-host', 'unreachable']);
const UNREAD_MS = 2_000;

/** @param api The application that has the lists. */
export function preview({ sites, crawler, settings, now, clock = now, log }: PreviewDeps, api: Hono): Hono {
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
    if (checking >= CHECKS_AT_ONCE || rate.take(sender, 1, clock()) === 0) return tooMany(c);
    checking++;
    try {
      return send(c, { data: await check(site, wish.url, addressOf(c, settings).origin), success: true });
    } finally {
      checking--;
    }
  });

  /** The crawler's own reading: the site's hosts only, robots.txt obeyed, nothing private touched. */
  async function check(site: Site, address: string, server: string): Promise<Finding[]> {
    const pause = sleep(UNREAD_MS, undefined, { ref: false });
    try {
      const { page } = await crawler.readNow(site, address);
      const { fetched, slots } = page;
      const read = { fetched, record: page };
      const against = { site: site.id, knows: (id: string) => sites.find(id) !== undefined, server };
      const lists = await askLists({ site: site.id, slots, tag: findTag(read), page: page.url }, async (path) =>
        (await api.request(path)).json(),
      );
      return [ok('page', `${fetched} answers.`), ...checkPage(read, against), ...lists];
    } catch (error) {
      if (!(error instanceof CrawlError)) throw error;
      if (OF_NETWORK.has(error.failure)) {
        const { host } = new URL(address);
        log.info({ site: site.id, host, failure: error.failure, err: error }, 'a page to check could not be read');
        await pause;
        return [unread(address)];
      }
      return [problem('page', error.message, remedyFor(error.failure))];
    }
  }

  return app;
}

const unread = (address: string): Finding =>
  problem(
    'page',
    `${new URL(address).host} cannot be read from here: it has no address on the public internet, or does not answer there.`,
    'Is the name of the host spelt right, and the page up? The log of the server says more; so does afterword crawl.',
  );

function requireKnown(site: Site | undefined): Site {
  if (site === undefined) throw new Forbidden();
  return site;
}

function tooMany(c: Context): Response {
  c.header('Retry-After', '10');
  return sendError(c, { code: 429, message: 'Too many checks: try again in ten seconds.', success: false }, 429);
}
