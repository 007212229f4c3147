// Loads of sites that failed for another reason than a database that is away: a damaged file, or posts that no index
// can be made of. The next one is begun at once. Where that fails, too, each further one is likely to, and takes a core
// for seconds: it waits, and questions meanwhile get the failure.
import type { SiteId } from '../sites/site.ts';

/** Seconds until a site is loaded again, by the number of failures in a row; the last one stays. */
const PAUSES = [0, 1, 4, 16, 60];

interface FailedLoad {
  error: unknown;
  failures: number;
  /** undefined: the pause is over. */
  pause: NodeJS.Timeout | undefined;
}

export class FailedLoads {
  readonly #sites = new Map<SiteId, FailedLoad>();

  add(site: SiteId, error: unknown): void {
    const failures = (this.#sites.get(site)?.failures ?? 0) + 1;
    this.forget(site);
    const seconds = PAUSES[Math.min(failures, PAUSES.length) - 1]!;
    const failed: FailedLoad = { error, failures, pause: undefined };
    const end = () => {
      failed.pause = undefined;
    };
    if (seconds > 0) failed.pause = setTimeout(end, seconds * 1000).unref();
    this.#sites.set(site, failed);
  }

  /** The failure of a site that is not to be loaded again yet. */
  of(site: SiteId): { error: unknown } | undefined {
    const failed = this.#sites.get(site);
    return failed?.pause === undefined ? undefined : failed;
  }

  /** It was loaded, or removed. */
  forget(site: SiteId): void {
    clearTimeout(this.#sites.get(site)?.pause);
    this.#sites.delete(site);
  }
}
