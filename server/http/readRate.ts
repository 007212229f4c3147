// How many questions may come from one neighbourhood of addresses. What is sent from memory before anything looks at the request is
// free; questions cost the database or the processor, and a single sender must not take them all.
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { createRateLimit, prefixOf } from '../ingest/rateLimit.ts';
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
  return async (c, next) => {
    const prefix = prefixOf(clientAddress(c, trustedProxies));
    const time = clock();
    if (prefix !== undefined && limit.take(prefix, 1, time) === 0) {
      throw new TooManyRequests(Math.ceil(limit.wait(prefix, 1, time) / 1000));
    }
    if (prefix !== undefined) c.set('charge', (requests: number) => limit.charge(prefix, requests, time));
    await next();
  };
}

/** Charges for a list from the index by its length: all records up to the page's last one are ranked. */
export function chargeRecords(c: Context<HttpEnv>, { limit, page }: { limit: number; page: number }): void {
  const requests = Math.floor((limit * page) / RECORDS_A_REQUEST);
  if (requests > 0) c.get('charge')?.(requests);
}

/** Charges for a public list that was not in memory. */
export function chargeRanking(c: Context<HttpEnv>): void {
  c.get('charge')?.(REQUESTS_A_RANKING);
}
