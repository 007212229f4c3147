// The article crawl: a publisher's system says that a page is new or has changed, and it is read again before all others.
//
//   app.route('/', pingCrawl(deps));        GET and POST /{apikey}/ping_crawl
//   v2.route('/', crawl(deps));             GET and POST /v2/crawl
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { isSiteAddress } from '../crawl/readSitePage.ts';
import { findSite, type HttpEnv, secretOf } from '../http/auth.ts';
import { BadParameters, Forbidden } from '../http/errors.ts';
import { cors } from '../http/headers.ts';
import { jsonp } from '../http/jsonp.ts';
import { parseParams, url } from '../http/params.ts';
import { type Query, readQuery } from '../http/query.ts';
import { type Bodies, createBodies } from '../http/readBody.ts';
import { send } from '../http/send.ts';
import { pageUrl } from '../posts/canonicalUrl.ts';
import { isWithin } from '../posts/jsonBounds.ts';
import { opens } from '../sites/secrets.ts';
import type { Site } from '../sites/site.ts';

type CrawlDeps = Pick<Deps, 'sites' | 'crawler' | 'now'>;

const PARAMS = z.object({ url });
const MAX_BODY_BYTES = 64 * 1024;
const BODY_BOUNDS = { depth: 8, values: 100 };

export function pingCrawl(deps: CrawlDeps, bodies: Bodies = createBodies()): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use('/:apikey/ping_crawl', cors, jsonp);
  app.on(['GET', 'POST'], '/:apikey/ping_crawl', async (c) => {
    const said = await readSaid(c, bodies);
    return await queue(c, deps, { said, site: deps.sites.find(c.req.param('apikey')) });
  });
  return app;
}

export function crawl(deps: CrawlDeps, bodies: Bodies = createBodies()): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.on(['GET', 'POST'], '/crawl', async (c) => {
    const said = await readSaid(c, bodies);
    return await queue(c, deps, { said, site: findSite(deps.sites, said) });
  });
  return app;
}

async function queue(c: Context, { crawler, now }: CrawlDeps, asked: { said: Query; site: Site | undefined }) {
  const site = requireEitherSecret(asked.site, secretOf(c, asked.said), now());
  const params = parseParams(PARAMS, asked.said);
  const address = pageUrl(params.url);
  if (address === undefined || !isSiteAddress(site, address))
    throw new BadParameters({ url: [`Give the address of a page of ${site.id}.`] });
  await crawler.request(site.id, address);
  return send(c, { data: { url: address, status: 'queued' }, success: true });
}

/** Both of a site's secrets may ask: systems that write metadata know only the one that writes. */
function requireEitherSecret(site: Site | undefined, secret: string | undefined, now: number): Site {
  const reads = opens(secret, { site, kind: 'read', now });
  const writes = opens(secret, { site, kind: 'write', now });
  if (site === undefined || !(reads || writes)) throw new Forbidden();
  return site;
}

/** Parameters of the query, and of a POST's body, JSON or form; the query wins. */
async function readSaid(c: Context, bodies: Bodies): Promise<Query> {
  const query = readQuery(c.req.url);
  if (c.req.method !== 'POST') return query;
  return await bodies.read(c.req.raw, { max: MAX_BODY_BYTES }, async (text) => {
    const body = text.trimStart().startsWith('{') ? readObject(text) : readQuery(`?${text}`);
    return new Map([...body, ...query]);
  });
}

function readObject(text: string): Query {
  if (!isWithin(text, BODY_BOUNDS)) throw new BadParameters({ body: ['Send an object with a few fields.'] });
  try {
    const fields = Object.entries(JSON.parse(text) as object);
    return new Map(fields.flatMap(([name, value]) => (typeof value === 'string' && value ? [[name, [value]]] : [])));
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadParameters({ body: ['Send well-formed JSON.'] });
    throw error;
  }
}
