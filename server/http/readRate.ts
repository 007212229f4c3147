// How many questions may come from one neighbourhood of addresses. What is sent from memory before anything looks at the request is
// free; questions cost the database or the processor, and a single sender must not take them all.
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../context.ts';
import { createRateLimit, prefixOf, type Rate } from '../ingest/rateLimit.ts';
import type { HttpEnv } from './auth.ts';
import { clientAddress } from './clientAddress.ts';
import { TooManyRequests } from './errors.ts';

/** Records of a page that a request of usual cost has room for: a list of two thousand costs forty times as much as one of ten. */
const RECORDS_A_REQUEST = 50;
/** What a list made by the database costs in processor time, in requests that are answered from the index. */
const REQUESTS_A_RANKING = 20;

/** Lets requests pass at the rate the settings name; without one, all of them. Private networks are not limited. */
export function limitReads({
  settings,
  now,
  clock = now,
}: Pick<Deps, 'settings' | 'now' | 'clock'>): MiddlewareHandler {
  const { readRate, trustedProxies } = settings;
  if (readRate === undefined) return (_, next) => next();
  const limit = createRateLimit(readRate);
  const policy = policyOf(readRate);
  return async (c, next) => {
    const prefix = prefixOf(clientAddress(c, trustedProxies));
    if (prefix === undefined) return await next();
    const time = clock();
    const tell = () => {
      const { count, fullInMs } = limit.left(prefix, clock());
      c.header('RateLimit-Policy', policy);
      c.header('RateLimit', `"${POLICY}";r=${count};t=${Math.ceil(fullInMs / 1000)}`);
      c.header('Access-Control-Expose-Headers', READABLE);
    };
    if (limit.take(prefix, 1, time) === 0) {
      tell();
      throw new TooManyRequests(Math.ceil(limit.wait(prefix, 1, time) / 1000));
    }
    c.set('charge', (requests: number) => limit.charge(prefix, requests, time));
    await next();
    tell();
  };
}

/** Name of the one policy there is. */
const POLICY = 'questions';
/** Lets scripts of a page read them, where the answer comes from another origin. */
const READABLE = 'RateLimit, RateLimit-Policy, Retry-After';

/** A bucket of `burst` that is full again after the window: draft-ietf-httpapi-ratelimit-headers-10, section 3. */
const policyOf = ({ perSecond, burst }: Rate): string => `"${POLICY}";q=${burst};w=${Math.ceil(burst / perSecond)}`;

/** Charges for a list from the index by its length: all records up to the page's last one are ranked. */
export function chargeRecords(c: Context<HttpEnv>, { limit, page }: { limit: number; page: number }): void {
  const requests = Math.floor((limit * page) / RECORDS_A_REQUEST);
  if (requests > 0) c.get('charge')?.(requests);
}

/** Charges for a public list that was not in memory. */
export function chargeRanking(c: Context<HttpEnv>): void {
  c.get('charge')?.(REQUESTS_A_RANKING);
}
