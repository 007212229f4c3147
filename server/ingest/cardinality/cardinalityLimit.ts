// The cardinality limit: how many new names a site may bring in an hour. Distinct values, not events, are what fills a store and slows
// a list.
import { LRUCache } from 'lru-cache';
import type { SiteId } from '../../sites/site.ts';
import { hash64 } from '../steps/visitorId.ts';
import { createHourlyAllowance } from './hourlyAllowance.ts';

/** Stands for every name beyond the allowance. */
export const OTHER = '(other)';

/** Longer values are remembered by their hash, which costs less than keeping them. */
const LONG = 40;
/** Far fewer than are remembered, so that what comes often is never the one unseen for longest. */
const LATELY = 10_000;
/** Characters of those, which are kept as they came: a URL may have 8,192. */
const LATELY_CHARACTERS = 2_000_000;

/** Kept with a value by whoever keeps it anyway, so that it need not be looked for. */
export interface Met {
  met?: unknown;
}

/** Who brings a value, and when. */
export interface Bringing {
  /** Epoch milliseconds. */
  now: number;
  /** The sender's network; undefined where it is not known or private. */
  network?: string | undefined;
}

export interface CardinalityLimit {
  /**
   * @param memory Of this value, always the same.
   * @returns Whether the value is known, or may be new now.
   */
  admits(site: SiteId, value: string, by: Bringing, memory?: Met): boolean;
  /** Whether the value was admitted before and is remembered. */
  has(site: SiteId, value: string): boolean;
  /** A value known from before the start: costs nothing. */
  know(site: string, value: string): void;
}

export interface CardinalityLimitOptions {
  /** New values a site may bring in an hour; one network brings a twentieth of them at most. */
  perHour: number;
  /** Values remembered over all sites; the one unseen for longest is forgotten, and is new when it comes again. */
  remembered: number;
  /** Whether a value is no invention though it was not met before: it costs nothing. Asked of values that were not met lately only. */
  exempt?: (site: SiteId, value: string) => boolean;
}

export function createCardinalityLimit({
  perHour,
  remembered,
  exempt = () => false,
}: CardinalityLimitOptions): CardinalityLimit {
  let made: LRUCache<string, true> | undefined;
  /** Made when it is used first: it allocates all of its places at once, which takes tens of milliseconds. */
  const known = () => {
    made ??= new LRUCache<string, true>({ max: remembered });
    return made;
  };
  /** What was met a moment ago, by site: most of what comes, and a key for each look-up would be half of the work. */
  const lately = new Map<string, Set<string>>();
  const met = { values: 0, characters: 0 };
  const allowance = createHourlyAllowance(perHour);
  const keyOf = (site: string, value: string) =>
    value.length > LONG ? hash64(`${site}\n${value}`) : `${site}\n${value}`;

  function meet(site: string, value: string): Set<string> {
    if (met.values >= LATELY || met.characters >= LATELY_CHARACTERS) {
      lately.clear();
      met.values = 0;
      met.characters = 0;
    }
    const ofSite = lately.get(site) ?? new Set();
    lately.set(site, ofSite.add(value));
    met.values++;
    met.characters += value.length;
    return ofSite;
  }

  /** Whether a value that was not met lately is known, or may be new. */
  function allows(site: SiteId, value: string, { now, network }: Bringing): boolean {
    const key = keyOf(site, value);
    if (known().get(key)) return true;
    if (!exempt(site, value) && !allowance.take(site, network, now)) return false;
    known().set(key, true);
    return true;
  }

  return {
    admits(site, value, by, memory) {
      let ofSite = lately.get(site);
      // A set is one site's, and gone when what was met is forgotten.
      if (memory?.met !== undefined && memory.met === ofSite) return true;
      if (!ofSite?.has(value)) {
        if (!allows(site, value, by)) return false;
        ofSite = meet(site, value);
      }
      if (memory) memory.met = ofSite;
      return true;
    },
    has: (site, value) => lately.get(site)?.has(value) || made?.has(keyOf(site, value)) || false,
    know: (site, value) => {
      known().set(keyOf(site, value), true);
    },
  };
}
