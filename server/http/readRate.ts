// How many questions may come from one neighbourhood of addresses. What is sent from memory before anything looks at the request is
// free; questions cost the database or the processor, and a single sender must not take them all.
import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { createRateLimit, prefixOf } from '../ingest/rateLimit.ts';
import { clientAddress } from './clientAddress.ts';
import { TooManyRequests } from './errors.ts';

/** Lets requests pass at the rate the settings name; without one, all of them. Private networks are not limited. */
export function limitReads({ settings, now }: Pick<Deps, 'settings' | 'now'>): MiddlewareHandler {
  const { readRate, trustedProxies } = settings;
  if (readRate === undefined) return (_, next) => next();
  const limit = createRateLimit(readRate);
  return async (c, next) => {
    const prefix = prefixOf(clientAddress(c, trustedProxies));
    const time = now();
    if (prefix !== undefined && limit.take(prefix, 1, time) === 0) {
      throw new TooManyRequests(Math.ceil(limit.wait(prefix, 1, time) / 1000));
    }
    await next();
  };
}
