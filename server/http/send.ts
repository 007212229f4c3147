// Answers with a JSON body: successes with their cache policy, errors that are never cached.
//
//   return send(c, { data: [], success: true });                          private, no-store
//   return send(c, { data, success: true }, { public: 60 });              cacheable for 60 s, for less without records
import type { Context } from 'hono';
import type { ErrorBody } from '../contract/wire.ts';
import { hashOf } from './etag.ts';
import { type CachePolicy, cacheControl, lifetimeOf } from './headers.ts';
import { isLong, toJsonBytes } from './jsonBytes.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

/** Shared caches store one copy of an answer per content coding. */
const VARIES = { Vary: 'Accept-Encoding' };

/**
 * @param policy Default: no cache may store the answer, as required for all answers to requests with a secret. A public
 * answer has an entity tag, which the compression layer compares with If-None-Match.
 */
export function send(c: Context, body: object, policy: CachePolicy = 'private'): Response {
  const json = isLong(body) ? toJsonBytes(body) : JSON.stringify(body);
  if (policy === 'private')
    return c.body(json, 200, { 'Content-Type': JSON_TYPE, 'Cache-Control': cacheControl(policy) });
  const kept = cacheControl({ public: lifetimeOf(body, policy.public) });
  return c.body(json, 200, { 'Content-Type': JSON_TYPE, 'Cache-Control': kept, ...VARIES, ETag: `"${hashOf(json)}"` });
}

/** @param status Default: 200, the status of most errors of the interface. */
export function sendError(c: Context, body: ErrorBody, status: 200 | 404 | 405 | 429 | 500 | 503 = 200): Response {
  return c.body(JSON.stringify(body), status, { 'Content-Type': JSON_TYPE, 'Cache-Control': cacheControl('private') });
}
