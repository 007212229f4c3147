// The last good answer of each list, for the time when the database is away: an old list that says how old it is serves
// a publisher better than none. Only what answers with records is kept; what changes something is never answered from
// memory.
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../context.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { SiteId } from '../sites/site.ts';
import { cacheControl } from './headers.ts';
import { JSON_TYPE } from './send.ts';

/** Older lists are refused rather than shown. */
const MAX_AGE_MS = 3_600_000;
const MAX_BYTES = 32 * 1024 * 1024;

export interface LastGood {
  /**
   * The body that `make` gives, or while the database is away the last one it gave for the same address, marked as
   * stale.
   * @throws {StoreUnavailableError} where there is none.
   */
  answer(asked: { c: Context; site: SiteId }, make: () => Promise<object>): Promise<Response>;
  /** Forgets every list of a site: something was hidden or shown. */
  forget(site: SiteId): void;
}

interface Kept {
  body: string;
  site: SiteId;
  madeAt: number;
}

export function createLastGood({ now, clock = now }: Pick<Deps, 'now' | 'clock'>): LastGood {
  // By the whole address: links in a body repeat the secret it was asked with, so no other secret may find it.
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, key) => (body.length + key.length) * 2 + 200,
  });

  return {
    async answer({ c, site }, make) {
      const key = c.req.url;
      try {
        const body = JSON.stringify(await make());
        kept.set(key, { body, site, madeAt: clock() });
        return c.body(body, 200, { 'Content-Type': JSON_TYPE, 'Cache-Control': cacheControl('private') });
      } catch (error) {
        const last = error instanceof StoreUnavailableError ? kept.get(key) : undefined;
        if (last === undefined || clock() - last.madeAt > MAX_AGE_MS) throw error;
        return c.body(last.body, 200, {
          'Content-Type': JSON_TYPE,
          'Cache-Control': cacheControl('private'),
          Warning: '110 - "Response is Stale"',
          Age: String(Math.round((clock() - last.madeAt) / 1000)),
        });
      }
    },

    forget(site) {
      for (const [key, list] of kept.entries()) if (list.site === site) kept.delete(key);
    },
  };
}
