// Headers shared by all answers. Implemented here: Hono's own cors costs a hot path four times as much.
import type { MiddlewareHandler } from 'hono';

/**
 * For all resources that a publisher's page loads: they may be read and executed there (a cross-origin isolated page
 * refuses scripts and pixels without the second line), timed, and keep their declared type.
 */
export const PUBLIC_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

/** Together with `Retry-After`: exposes it to scripts of a page on another origin. */
export const RETRY_AFTER_READABLE = { 'Access-Control-Expose-Headers': 'Retry-After' };

/** Headers of the answer to a preflight. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...PUBLIC_HEADERS,
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '86400',
};

/** Together with `PREFLIGHT_HEADERS`, below /v2: a secret may be sent as `Authorization: Bearer`. */
const AUTHORIZATION_ALLOWED = { 'Access-Control-Allow-Headers': 'Authorization, Content-Type' };

/** Together with both, where only reads are allowed: a browser remembers the methods of one answer for all requests. */
const READS_ALLOWED = { 'Access-Control-Allow-Methods': 'GET, OPTIONS' };

/**
 * Any origin may read answers. Credentials are never allowed; secrets are sent in the query or in an explicit header.
 * Metadata is written by servers, so the answer to a write of it allows no origin.
 */
export const cors: MiddlewareHandler = async (c, next) => {
  const isPreflight = c.req.method === 'OPTIONS';
  const method = isPreflight ? c.req.header('Access-Control-Request-Method') : c.req.method;
  const isMetadata = c.req.path.startsWith('/v2/metadata/');
  const allows = !isMetadata || method === 'GET' || method === 'HEAD';
  if (isPreflight && allows)
    return c.body(null, 204, { ...PREFLIGHT_HEADERS, ...AUTHORIZATION_ALLOWED, ...(isMetadata && READS_ALLOWED) });
  await next();
  if (!allows) return;
  for (const [name, value] of Object.entries(PUBLIC_HEADERS)) c.res.headers.set(name, value);
};

/** `Cache-Control` of immutable resources. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** `Cache-Control` of an answer: public for some seconds, or not cached. */
export type CachePolicy = { public: number } | 'private';

/**
 * Longest cache lifetime of a list without records, in seconds: on a new site the first posts come within seconds. A
 * shared cache asks for each address twelve times a minute at most, and a list without records is cheap.
 */
const EMPTY_SECONDS = 5;

/** Cache lifetime of a public answer, in seconds. */
export const lifetimeOf = (body: object, seconds: number): number =>
  'data' in body && Array.isArray(body.data) && body.data.length === 0 ? Math.min(seconds, EMPTY_SECONDS) : seconds;

export function cacheControl(policy: CachePolicy): string {
  return policy === 'private' ? 'private, no-store' : `public, max-age=${policy.public}`;
}
