// Headers every answer shares. Hand-written: Hono's own cors costs a hot path four times as much.
import type { MiddlewareHandler } from 'hono';

/**
 * Anyone may read from any page; credentials are never allowed, secrets travel in the query.
 * Writing metadata belongs on a server, so that answer names no origin.
 */
export const cors: MiddlewareHandler = async (c, next) => {
  const metadata = c.req.path.startsWith('/v2/metadata/');
  if (c.req.method === 'OPTIONS' && !metadata) {
    return c.body(null, 204, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': '86400',
    });
  }
  await next();
  if (!metadata) c.res.headers.set('Access-Control-Allow-Origin', '*');
};

/** Who may keep an answer: anyone for some seconds, or nobody. */
export type CachePolicy = { public: number } | 'private';

export function cacheControl(policy: CachePolicy): string {
  return policy === 'private' ? 'private, no-store' : `public, max-age=${policy.public}`;
}
