// Counts new names of a site in an hour, and those of one network: one sender must not use up the names that the
// readers of all other networks bring.
import { HOUR } from '../../durations.ts';

export interface HourlyAllowance {
  /**
   * Takes one name from the allowance of this hour.
   * @param network The sender's network (/24 or /48); undefined where it is unknown or private: then only the site's
   *   bound holds.
   * @param now Epoch milliseconds.
   * @returns false, with nothing taken, when the site or the network has used up its part.
   */
  take(site: string, network: string | undefined, now: number): boolean;
}

/** One network may bring a twentieth of its site's names: thousands of readers behind one address rarely bring more. */
const NETWORK_SHARE = 20;
/** Names of one network at least: a twentieth of a small bound would be too few. */
const LEAST_SHARE = 10;
/** Counters of one hour; beyond so many the oldest is dropped. */
const MAX_COUNTERS = 50_000;

/** @param perHour New names of one site in an hour, over all networks. */
export function createHourlyAllowance(perHour: number): HourlyAllowance {
  const perNetwork = Math.max(Math.ceil(perHour / NETWORK_SHARE), LEAST_SHARE);
  /** Names taken this hour, by site and by site and network. */
  const taken = new Map<string, number>();
  let current = 0;

  function add(key: string, count: number): void {
    if (count === 0 && taken.size >= MAX_COUNTERS) taken.delete(taken.keys().next().value!);
    taken.set(key, count + 1);
  }

  return {
    take(site, network, now) {
      // Any other hour, earlier or later, resets the counters: a clock that is set back locks no site out.
      const hour = Math.floor(now / HOUR);
      if (hour !== current) taken.clear();
      current = hour;
      const ofSite = taken.get(site) ?? 0;
      if (ofSite >= perHour) return false;
      if (network !== undefined) {
        const key = `${site} ${network}`;
        const ofNetwork = taken.get(key) ?? 0;
        if (ofNetwork >= perNetwork) return false;
        add(key, ofNetwork);
      }
      add(site, ofSite);
      return true;
    },
  };
}
