// How many names a site may invent in an hour. Distinct values, not events, are what fills a store and slows a list.
import { LRUCache } from 'lru-cache';
import { hash64 } from './steps/visitorId.ts';

/** Stands for every name beyond the allowance. */
export const OTHER = '(other)';

const HOUR_MS = 3600 * 1000;
/** Longer values are remembered by their hash, which costs less than keeping them. */
const LONG = 40;
/** Far fewer than are remembered, so that what comes often is never the one unseen for longest. */
const LATELY = 10_000;

export interface Novelty {
  /** @returns Whether the value is known, or may be new now (epoch milliseconds). */
  admits(site: string, value: string, now: number): boolean;
  /** A value known from before the start: costs nothing. */
  know(site: string, value: string): void;
}

export interface NoveltyOptions {
  /** New values a site may bring in an hour. */
  perHour: number;
  /** Values remembered over all sites; the one unseen for longest is forgotten, and is new when it comes again. */
  remembered: number;
}

export function createNovelty({ perHour, remembered }: NoveltyOptions): Novelty {
  const known = new LRUCache<string, true>({ max: remembered });
  /** What was met a moment ago, by site: most of what comes, and a key for each look-up would be half of the work. */
  const lately = new Map<string, Set<string>>();
  let met = 0;
  const spent = new LRUCache<string, { hour: number; count: number }>({ max: 10_000 });
  const keyOf = (site: string, value: string) =>
    value.length > LONG ? hash64(`${site}\n${value}`) : `${site}\n${value}`;

  function meet(site: string, value: string): true {
    if (met >= LATELY) {
      lately.clear();
      met = 0;
    }
    const ofSite = lately.get(site);
    if (ofSite === undefined) lately.set(site, new Set([value]));
    else ofSite.add(value);
    met++;
    return true;
  }

  return {
    admits(site, value, now) {
      if (lately.get(site)?.has(value)) return true;
      const key = keyOf(site, value);
      if (known.get(key)) return meet(site, value);
      const hour = Math.floor(now / HOUR_MS);
      const before = spent.get(site);
      const count = before?.hour === hour ? before.count : 0;
      if (count >= perHour) return false;
      spent.set(site, { hour, count: count + 1 });
      known.set(key, true);
      return meet(site, value);
    },
    know: (site, value) => {
      known.set(keyOf(site, value), true);
    },
  };
}
