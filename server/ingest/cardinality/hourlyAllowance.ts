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
/**
 * Networks that are counted in an hour; beyond so many the oldest is dropped. The counters of sites are never dropped:
 * a sender with a /32 of IPv6 addresses has 65,536 networks, and would lift the bound of every site.
 */
const MAX_NETWORKS = 50_000;

/** @param perHour New names of one site in an hour, over all networks. */
export function createHourlyAllowance(perHour: number): HourlyAllowance {
  const perNetwork = Math.max(Math.ceil(perHour / NETWORK_SHARE), LEAST_SHARE);
  /** Names taken this hour, by site, and by site and network. */
  const bySite = new Map<string, number>();
  const byNetwork = new Map<string, number>();
  let current = 0;

  function addToNetwork(key: string, count: number): void {
    if (count === 0 && byNetwork.size >= MAX_NETWORKS) byNetwork.delete(byNetwork.keys().next().value!);
    byNetwork.set(key, count + 1);
  }

  return {
    take(site, network, now) {
      // Any other hour, earlier or later, resets the counters: a clock that is set back locks no site out.
      const hour = Math.floor(now / HOUR);
      if (hour !== current) {
        bySite.clear();
        byNetwork.clear();
      }
      current = hour;
      const ofSite = bySite.get(site) ?? 0;
      if (ofSite >= perHour) return false;
      if (network !== undefined) {
        const key = `${site} ${network}`;
        const ofNetwork = byNetwork.get(key) ?? 0;
        if (ofNetwork >= perNetwork) return false;
        addToNetwork(key, ofNetwork);
      }
      bySite.set(site, ofSite + 1);
      return true;
    },
  };
}
