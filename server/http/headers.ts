// Headers every answer shares. Hand-written: Hono's own cors costs a hot path four times as much.
import type { MiddlewareHandler } from 'hono';

/**
 * On everything a publisher's page loads: it may be read there, run there (a page that isolates itself refuses scripts and
 * pixels without the second line), timed, and is what its type says.
 */
export const PUBLIC_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

/** Beside `Retry-After`: lets a page's scripts read it, where the answer comes from another origin. */
export const RETRY_AFTER_READABLE = { 'Access-Control-Expose-Headers': 'Retry-After' };

/** Answer to a browser that asks before it sends. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...PUBLIC_HEADERS,
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '86400',
};

/** Beside `PREFLIGHT_HEADERS`, below /v2: a secret may come as `Authorization: Bearer`. */
const AUTHORIZATION_ALLOWED = { 'Access-Control-Allow-Headers': 'Authorization, Content-Type' };

/**
 * Anyone may read from any page; credentials are never allowed, secrets travel in the query or in a header of the request's own.
 * Writing metadata belongs on a server, so that answer names no origin.
 */
export const cors: MiddlewareHandler = async (c, next) => {
  const metadata = c.req.path.startsWith('/v2/metadata/');
  if (c.req.method === 'OPTIONS' && !metadata) {
    return c.body(null, 204, { ...PREFLIGHT_HEADERS, ...AUTHORIZATION_ALLOWED });
  }
  await next();
  if (metadata) return;
  for (const [name, value] of Object.entries(PUBLIC_HEADERS)) c.res.headers.set(name, value);
};

/** `Cache-Control` of what never changes under its address. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** Who may keep an answer: anyone for some seconds, or nobody. */
export type CachePolicy = { public: number } | 'private';

export function cacheControl(policy: CachePolicy): string {
  return policy === 'private' ? 'private, no-store' : `public, max-age=${policy.public}`;
}
