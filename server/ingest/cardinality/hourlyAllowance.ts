// How many new names a site may bring in an hour, and how many of them one network may bring: one sender must not spend what the
// readers of all other networks need.

export interface HourlyAllowance {
  /**
   * Takes one name out of what is left of this hour.
   * @param network The sender's network (/24 or /48); undefined where it is not known or private: then only the site's bound holds.
   * @param now Epoch milliseconds.
   * @returns false, with nothing taken, when the site or the network has used up its part.
   */
  take(site: string, network: string | undefined, now: number): boolean;
}

/** One network may bring a twentieth of what its site may: thousands of readers behind one address rarely discover more. */
const NETWORK_SHARE = 20;
/** Of a small bound a twentieth would be nothing. */
const LEAST_SHARE = 10;
const HOUR_MS = 3_600_000;
/** Counters of one hour; beyond this many the oldest is forgotten. */
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
      // Any other hour, earlier or later, starts anew: a clock that is set back locks no site out.
      const hour = Math.floor(now / HOUR_MS);
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
