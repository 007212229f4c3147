// Visitors' profiles: which pages were read, for 7 days. Durable, and recent ones in memory, so that a page view's
// list needs no query.
//
//   const profiles = createProfiles({ store, now });
//   await profiles.train(site, uuid, url);     resolves when the visit is on the disk
//   await profiles.visits(site, uuid);         newest first
import { LRUCache } from 'lru-cache';
import { PROFILE_DAYS } from './contract/limits.ts';
import type { Profiles } from './deps.ts';
import { createGroupCommit } from './ingest/groupCommit.ts';
import type { SiteId } from './sites/site.ts';
import type { ProfileVisit, Store } from './storage/store.ts';

export interface ProfilesOptions {
  store: Pick<Store, 'profiles'>;
  /** Epoch milliseconds. */
  now: () => number;
  /** Profiles in memory. Default: 20,000, about 30 MB. */
  cached?: number;
}

type Row = ProfileVisit & { site: SiteId; uuid: string };

const PROFILE_MS = PROFILE_DAYS * 24 * 3_600_000;
/** Visits kept of one profile: more than anyone reads in a week. */
const MOST_VISITS = 500;

export function createProfiles({ store, now, cached = 20_000 }: ProfilesOptions): Profiles {
  const cache = new LRUCache<string, Promise<ProfileVisit[]>>({ max: cached });
  const group = createGroupCommit<Row>({ write: (rows, token) => store.profiles.append(rows, token) });

  function read(site: SiteId, uuid: string): Promise<ProfileVisit[]> {
    const key = `${site} ${uuid}`;
    const known = cache.get(key);
    if (known) return known;
    const reading = store.profiles.visits(site, uuid, { now: now(), limit: MOST_VISITS });
    remember(key, reading);
    return reading;
  }

  /** A reading that fails is forgotten, so that the next one asks again. */
  function remember(key: string, reading: Promise<ProfileVisit[]>): void {
    cache.set(key, reading);
    reading.catch(() => {
      if (cache.peek(key) === reading) cache.delete(key);
    });
  }

  return {
    async train(site, uuid, url) {
      const visit: ProfileVisit = { url, time: now() };
      // Reading what came before runs beside the write; the list asked for next finds both in memory.
      void read(site, uuid);
      await group.add([{ ...visit, site, uuid }]);
      const known = read(site, uuid);
      remember(
        `${site} ${uuid}`,
        known.then((visits) => withVisit(visits, visit)),
      );
    },

    async visits(site, uuid) {
      const since = now() - PROFILE_MS;
      return (await read(site, uuid)).filter(({ time }) => time > since);
    },

    forget(site, uuid) {
      cache.delete(`${site} ${uuid}`);
    },

    drain: () => group.drain(),
  };
}

/** The newest first, each page once. */
function withVisit(visits: readonly ProfileVisit[], visit: ProfileVisit): ProfileVisit[] {
  const others = visits.filter(({ url }) => url !== visit.url);
  return [visit, ...others].sort((a, b) => b.time - a.time).slice(0, MOST_VISITS);
}
