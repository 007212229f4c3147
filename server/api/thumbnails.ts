// GET /thumb/:apikey/:signature/:size?of=…: a picture of a post, made small. Public; where there is no thumbnail, the answer leads to the
// picture itself, so that a list shows what it would show without thumbnails.
//
//   app.route('/', thumbnails(deps));
import { Hono } from 'hono';
import type { Deps } from '../context.ts';
import { clientAddress } from '../http/clientAddress.ts';
import { isFresh } from '../http/etag.ts';
import { FOR_EVER, PUBLIC_HEADERS } from '../http/headers.ts';
import { prefixOf } from '../ingest/rateLimit.ts';
import { parseWebUrl } from '../posts/canonicalUrl.ts';
import { toVariant } from '../thumbnails/variants.ts';

/** Seconds a redirect to the original is kept: the thumbnail may be there by then. */
const KEEP_REDIRECT_SECONDS = 60;

/** A cache keeps one copy for each kind of browser. */
const HEADERS = { ...PUBLIC_HEADERS, Vary: 'Accept' };

export function thumbnails(deps: Pick<Deps, 'sites' | 'thumbnails' | 'settings'>): Hono {
  const app = new Hono();
  const { sites, thumbnails: made, settings } = deps;

  app.get('/thumb/:apikey/:signature/:size', async (c) => {
    const { apikey, signature, size } = c.req.param();
    const picture = c.req.query('of') ?? '';
    const site = sites.find(apikey);
    const variant = toVariant(size, c.req.header('Accept'));
    const original = parseWebUrl(picture);
    // Before anything is done with what the address says.
    if (!made || !site || !variant || !original || !made.isSigned(site.id, picture, signature)) return c.notFound();
    const thumbnail = await made.get(picture, variant, prefixOf(clientAddress(c, settings.trustedProxies)));
    if (thumbnail === undefined)
      return c.body(null, 302, {
        ...HEADERS,
        'Cache-Control': `public, max-age=${KEEP_REDIRECT_SECONDS}`,
        Location: original.href,
      });
    const headers = { ...HEADERS, 'Cache-Control': FOR_EVER, ETag: `"${thumbnail.checksum}"` };
    if (isFresh(c.req.header('If-None-Match'), headers.ETag)) return c.body(null, 304, headers);
    return c.body(Uint8Array.from(thumbnail.bytes), 200, { ...headers, 'Content-Type': `image/${variant.format}` });
  });
  return app;
}
