// Rate limit of requests per network of addresses. Answers sent from memory before the router are free; all other
// requests use the database or the processor, and a single client must not exhaust them.
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../context.ts';
import { createRateLimit, prefixOf, type Rate } from '../ingest/rateLimit.ts';
import type { HttpEnv } from './auth.ts';
import { clientAddress } from './clientAddress.ts';
import { TooManyRequests } from './errors.ts';

/**
 * Records of a page that cost as much as one request: a list of two thousand costs forty times as much as one of ten.
 */
const RECORDS_A_REQUEST = 50;
/** Processor time of a list made by the database, in requests answered from the index. */
const REQUESTS_A_RANKING = 20;

/** Admits requests at the rate in the settings; without one, all of them. Private networks are not limited. */
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
    const setHeaders = () => {
      const { count, fullInMs } = limit.left(prefix, clock());
      c.header('RateLimit-Policy', policy);
      c.header('RateLimit', `"${POLICY}";r=${count};t=${Math.ceil(fullInMs / 1000)}`);
      c.header('Access-Control-Expose-Headers', READABLE);
    };
    if (limit.take(prefix, 1, time) === 0) {
      setHeaders();
      throw new TooManyRequests(Math.ceil(limit.wait(prefix, 1, time) / 1000));
    }
    // At the time of the charge: others of the network may have been credited for the time since this one came.
    c.set('charge', (requests: number) => limit.charge(prefix, requests, clock()));
    await next();
    setHeaders();
  };
}

/** Name of the only policy. */
const POLICY = 'questions';
/** Exposes the headers to scripts of a page on another origin. */
const READABLE = 'RateLimit, RateLimit-Policy, Retry-After';

/**
 * A bucket of `burst` tokens that is full again after the window: draft-ietf-httpapi-ratelimit-headers-10, section 3.
 */
const policyOf = ({ perSecond, burst }: Rate): string => `"${POLICY}";q=${burst};w=${Math.ceil(burst / perSecond)}`;

/** Charges for a list from the index by its length: all records up to the last one of the page are ranked. */
export function chargeRecords(c: Context<HttpEnv>, { limit, page }: { limit: number; page: number }): void {
  const requests = Math.floor((limit * page) / RECORDS_A_REQUEST);
  if (requests > 0) c.get('charge')?.(requests);
}

/** Charges for a public list that was not in memory. */
export function chargeRanking(c: Context<HttpEnv>): void {
  c.get('charge')?.(REQUESTS_A_RANKING);
}
