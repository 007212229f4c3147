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

/** Kept with a value by whoever keeps it anyway, so that it need not be looked for. */
export interface Met {
  met?: unknown;
}

export interface Novelty {
  /**
   * @param memory Of this value, always the same.
   * @returns Whether the value is known, or may be new now (epoch milliseconds).
   */
  admits(site: string, value: string, now: number, memory?: Met): boolean;
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

  function meet(site: string, value: string): Set<string> {
    if (met >= LATELY) {
      lately.clear();
      met = 0;
    }
    const ofSite = lately.get(site) ?? new Set();
    lately.set(site, ofSite.add(value));
    met++;
    return ofSite;
  }

  /** Whether a value that was not met lately is known, or may be new. */
  function allows(site: string, value: string, now: number): boolean {
    const key = keyOf(site, value);
    if (known.get(key)) return true;
    const hour = Math.floor(now / HOUR_MS);
    const before = spent.get(site);
    const count = before?.hour === hour ? before.count : 0;
    if (count >= perHour) return false;
    spent.set(site, { hour, count: count + 1 });
    known.set(key, true);
    return true;
  }

  return {
    admits(site, value, now, memory) {
      let ofSite = lately.get(site);
      // A set is one site's, and gone when what was met is forgotten.
      if (memory?.met !== undefined && memory.met === ofSite) return true;
      if (!ofSite?.has(value)) {
        if (!allows(site, value, now)) return false;
        ofSite = meet(site, value);
      }
      if (memory) memory.met = ofSite;
      return true;
    },
    know: (site, value) => {
      known.set(keyOf(site, value), true);
    },
  };
}
