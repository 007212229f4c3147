// Pages that were viewed and may be unknown: remembered cheaply while events come in, looked up later, a handful at a time.
import { LRUCache } from 'lru-cache';
import type { SiteId } from '../sites/site.ts';

export interface Newcomers {
  /** Called for every view: costs one look-up in memory. */
  see(site: SiteId, url: string): void;
  /** Takes out at most `count` pages that were seen and not looked at yet, by site. */
  take(count: number): Map<SiteId, string[]>;
  /** The pages are seen as new ones next time. */
  forget(site: SiteId, urls: readonly string[]): void;
}

/** Pages known to be known. Beyond this the ones seen least are looked up again, which costs one question. */
const MAX_KNOWN = 100_000;
/** Pages waiting to be looked up. More are left for their next view. */
const MAX_WAITING = 20_000;

export function createNewcomers(): Newcomers {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  const waiting = new Map<string, { site: SiteId; url: string }>();
  const keyOf = (site: SiteId, url: string) => `${site} ${url}`;
  return {
    see(site, url) {
      const key = keyOf(site, url);
      if (known.get(key) || waiting.size >= MAX_WAITING) return;
      known.set(key, true);
      waiting.set(key, { site, url });
    },
    take(count) {
      const taken = new Map<SiteId, string[]>();
      for (const [key, { site, url }] of [...waiting].slice(0, count)) {
        waiting.delete(key);
        taken.set(site, [...(taken.get(site) ?? []), url]);
      }
      return taken;
    },
    forget(site, urls) {
      for (const url of urls) known.delete(keyOf(site, url));
    },
  };
}
