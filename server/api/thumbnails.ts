// Thumbnails of the pictures of posts. Without a thumbnail, the answer redirects to the original picture, so that a
// list shows the same as without thumbnails.
import { z } from 'zod';
import { clientAddress } from '../http/clientAddress.ts';
import { door } from '../http/endpoint.ts';
import { isFresh, UNCHANGED } from '../http/etag.ts';
import type { OfPicture } from '../http/guards.ts';
import { FOR_EVER, PUBLIC_HEADERS } from '../http/headers.ts';
import { prefixOf } from '../ingest/rateLimit.ts';
import { parseWebUrl } from '../posts/canonicalUrl.ts';
import { toVariant } from '../thumbnails/variants.ts';

/** Cache lifetime of a redirect to the original, in seconds: the thumbnail may exist by then. */
const KEEP_REDIRECT_SECONDS = 60;

/** The format depends on the browser, so a cache stores one copy per Accept header. */
const HEADERS = { ...PUBLIC_HEADERS, Vary: 'Accept' };

const PARAMS = z.object({
  size: z.string().meta({
    description:
      'Pixels: 160, 320, 480, 640 or 960, others are rounded up; with a ratio, such as 480x1.5. Default ratio: 16:9.',
  }),
});

export const thumbnail = door<typeof PARAMS, OfPicture>({
  summary:
    'A picture of a post, made small: WebP, or JPEG for what does not accept it. Answered with 302 to the picture itself ' +
    'where there is no thumbnail.',
  tag: 'pictures',
  params: PARAMS,
  answers: 'image/webp',
  statuses: {
    302: 'To the picture itself: there is no thumbnail.',
    ...UNCHANGED,
    404: 'This server did not make the address.',
  },
  async handle(c, { thumbnails, settings }, { picture }) {
    const variant = toVariant(c.req.param('size') ?? '', c.req.header('Accept'));
    const original = parseWebUrl(picture);
    if (!thumbnails || !variant || !original) return c.notFound();
    const made = await thumbnails.get(picture, variant, prefixOf(clientAddress(c, settings.trustedProxies)));
    if (made === undefined)
      return c.body(null, 302, {
        ...HEADERS,
        'Cache-Control': `public, max-age=${KEEP_REDIRECT_SECONDS}`,
        Location: original.href,
      });
    const headers = { ...HEADERS, 'Cache-Control': FOR_EVER, ETag: `"${made.checksum}"` };
    if (isFresh(c.req.header('If-None-Match'), headers.ETag)) return c.body(null, 304, headers);
    return c.body(Uint8Array.from(made.bytes), 200, { ...headers, 'Content-Type': `image/${variant.format}` });
  },
});
