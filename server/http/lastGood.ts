// A cache of the last good answer of each list, used while the database is unavailable: a list marked with its age is
// more useful than an error. Only answers with records are cached, and no request with side effects is answered from
// it.
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../context.ts';
import { HOUR } from '../durations.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { SiteId } from '../sites/site.ts';
import { cacheControl } from './headers.ts';
import { JSON_TYPE } from './send.ts';

/** Older lists are refused. */
const MAX_AGE_MS = HOUR;
const MAX_BYTES = 32 * 1024 * 1024;

export interface LastGood {
  /**
   * The body that `make` returns or, while the database is unavailable, the last body returned for the same URL, marked
   * as stale.
   * @throws {StoreUnavailableError} where no body is cached.
   */
  answer(asked: { c: Context; site: SiteId }, make: () => Promise<object>): Promise<Response>;
  /** Invalidates all lists of a site: something was hidden or shown. */
  forget(site: SiteId): void;
}

interface Kept {
  body: string;
  site: SiteId;
  madeAt: number;
}

export function createLastGood({ now, clock = now }: Pick<Deps, 'now' | 'clock'>): LastGood {
  // The key is the whole URL: links in a body repeat the secret of the request, so no other secret may match it. And
  // the site, which requests of the console do not name.
  const kept = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, key) => (body.length + key.length) * 2 + 200,
  });
  /** How often the lists of a site were invalidated. */
  const changes = new Map<SiteId, number>();

  return {
    async answer({ c, site }, make) {
      const key = `${site} ${c.req.url}`;
      const change = changes.get(site);
      try {
        const body = JSON.stringify(await make());
        // Invalidated while it was made: it may have what is hidden now.
        if (changes.get(site) === change) kept.set(key, { body, site, madeAt: clock() });
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
      changes.set(site, (changes.get(site) ?? 0) + 1);
      for (const [key, list] of kept.entries()) if (list.site === site) kept.delete(key);
    },
  };
}
