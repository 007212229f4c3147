// The cardinality limit: how many new names a site may bring in an hour. Distinct values, not events, fill a database
// and slow down lists.
import { LRUCache } from 'lru-cache';
import type { SiteId } from '../../sites/site.ts';
import { hash64 } from '../steps/visitorId.ts';
import { createHourlyAllowance } from './hourlyAllowance.ts';

/** Replaces every name beyond the limit. */
export const OTHER = '(other)';

/** Longer values are kept as their hash, which takes less memory. */
const LONG = 40;
/** Far fewer than the LRU cache holds, so that a frequent value is never the least recently used one there. */
const LATELY = 10_000;
/** Characters of those values, which are kept as they came: a URL may have 8,192. */
const LATELY_CHARACTERS = 2_000_000;

/** A field that a caller's cache keeps with a value: with it, no look-up is needed. */
export interface Met {
  met?: unknown;
}

/** Sender and time of a value. */
export interface Bringing {
  /** Epoch milliseconds. */
  now: number;
  /** The sender's network; undefined where it is not known or private. */
  network?: string | undefined;
}

export interface CardinalityLimit {
  /**
   * @param memory Always the same object for the same value.
   * @returns Whether the value is known, or may be new now.
   */
  admits(site: SiteId, value: string, by: Bringing, memory?: Met): boolean;
  /** Whether the value was admitted before and is remembered. */
  has(site: SiteId, value: string): boolean;
  /** Adds a value of a stored event, which counts against no limit. */
  know(site: string, value: string): void;
}

export interface CardinalityLimitOptions {
  /** New values a site may bring in an hour, and one network a twentieth of them. */
  perHour: number;
  /** Size of the LRU cache of known values of all sites; a value that it drops is new when it comes again. */
  remembered: number;
  /** Whether an unknown value counts against no limit. Called only for values that did not come recently. */
  exempt?: (site: SiteId, value: string) => boolean;
}

export function createCardinalityLimit({
  perHour,
  remembered,
  exempt = () => false,
}: CardinalityLimitOptions): CardinalityLimit {
  let made: LRUCache<string, true> | undefined;
  /** Created on first use: it allocates all of its places at once, which takes tens of milliseconds. */
  const known = () => {
    made ??= new LRUCache<string, true>({ max: remembered });
    return made;
  };
  /** Recent values by site: most look-ups end here, without the string of a key, which would be half of the work. */
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

  /** Whether a value that is not among the recent ones is known, or may be new. */
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
      // A set belongs to one site, and is replaced when the recent values are dropped.
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
