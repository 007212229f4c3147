// Visitors' profiles: which pages were read, for 7 days. Durable, and recent ones in an LRU cache, so that a page
// view's list needs no query.
//
//   const profiles = createProfiles({ store, now });
//   await profiles.train(site, uuid, url);     resolves when the visit is on the disk
//   await profiles.visits(site, uuid);         newest first
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PROFILE_DAYS } from '../contract/limits.ts';
import { DAY } from '../durations.ts';
import { createGroupCommit } from '../ingest/queue/groupCommit.ts';
import { isSharedId } from '../ingest/steps/visitorId.ts';
import type { SiteId } from '../sites/site.ts';
import type { ProfileVisit, Store } from '../storage/store.ts';

/** Visitors' profiles: pages visited in the last 7 days. */
export interface Profiles {
  /** Resolves when durable. An id that readers without one share has no profile. */
  train(site: SiteId, uuid: string, url: string): Promise<void>;
  /** Newest first. */
  visits(site: SiteId, uuid: string): Promise<{ url: string; time: number }[]>;
  /** Drops a profile that was erased from storage. */
  forget(site: SiteId, uuid: string): void;
  /** Drops all profiles of a site that was removed. */
  forgetSite(site: SiteId): void;
  drain(): Promise<void>;
}

export interface ProfilesOptions {
  store: Pick<Store, 'profiles'>;
  /** Epoch milliseconds. */
  now: () => number;
  /** Memory for profiles, in bytes. Default: 64 MiB, which is some 20,000 readers of 15 pages each. */
  cacheBytes?: number;
}

/** The profiles, and what is in memory of them. */
export interface CachedProfiles extends Profiles {
  size(): { profiles: number; bytes: number };
}

type Row = ProfileVisit & { site: SiteId; uuid: string };

const PROFILE_MS = PROFILE_DAYS * DAY;
const CACHE_BYTES = 64 * 1024 * 1024;
/** Visits kept of one profile: more than anyone reads in a week. */
const MOST_VISITS = 500;
/** Characters of their addresses: as many visits of usual ones, fewer of the longest there are. */
const MOST_CHARACTERS = 100_000;
/** Visits that are not stored yet; more are refused. */
const MOST_WAITING = 100_000;
/** Between the starts of two small inserts: more of them would cost the engine too many parts. A large one is due. */
const INTERVAL_MS = 250;
const LARGE_INSERT = 1_000;
/** Of an entry with its list; and of a visit beside its address. */
const ENTRY_BYTES = 500;
const VISIT_BYTES = 100;

export function createProfiles({ store, now, cacheBytes = CACHE_BYTES }: ProfilesOptions): CachedProfiles {
  const cache = new LRUCache<string, ProfileVisit[], { site: SiteId; uuid: string }>({
    maxSize: cacheBytes,
    sizeCalculation: (visits, key) => sizeOf(key, visits),
    // A profile larger than the cache, or one that is evicted while it is read, is answered all the same.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { site, uuid } }) =>
      bounded(await store.profiles.visits(site, uuid, { now: now(), limit: MOST_VISITS })),
  });
  let waiting: Row[] = [];
  const group = createGroupCommit({
    write() {
      const rows = waiting;
      waiting = [];
      return store.profiles.append(rows, randomUUID());
    },
    maxWaiting: MOST_WAITING,
    intervalMs: INTERVAL_MS,
    largeGroup: LARGE_INSERT,
  });

  function append(row: Row): Promise<void> {
    waiting.push(row);
    try {
      return group.add(1);
    } catch (error) {
      waiting.pop();
      throw error;
    }
  }

  const keyOf = (site: SiteId, uuid: string): string => `${site} ${uuid}`;
  const read = (site: SiteId, uuid: string): Promise<ProfileVisit[]> =>
    cache.forceFetch(keyOf(site, uuid), { context: { site, uuid } });

  return {
    async train(site, uuid, url) {
      if (isSharedId(uuid)) return;
      const visit: ProfileVisit = { url, time: now() };
      // The earlier visits are read beside the write, so that the next list needs no query.
      const [written] = await Promise.allSettled([append({ ...visit, site, uuid }), read(site, uuid)]);
      if (written.status === 'rejected') throw written.reason;
      const known = cache.get(keyOf(site, uuid));
      if (known) cache.set(keyOf(site, uuid), withVisit(known, visit));
    },

    async visits(site, uuid) {
      if (isSharedId(uuid)) return [];
      const since = now() - PROFILE_MS;
      return (await read(site, uuid)).filter(({ time }) => time > since);
    },

    forget(site, uuid) {
      cache.delete(keyOf(site, uuid));
    },

    forgetSite(site) {
      for (const key of [...cache.keys()]) if (key.startsWith(keyOf(site, ''))) cache.delete(key);
    },

    size: () => ({ profiles: cache.size, bytes: cache.calculatedSize }),

    drain: () => group.drain(),
  };
}

/** The newest first, each page once. */
function withVisit(visits: readonly ProfileVisit[], visit: ProfileVisit): ProfileVisit[] {
  const others = visits.filter(({ url }) => url !== visit.url);
  return bounded([visit, ...others].sort((a, b) => b.time - a.time));
}

/** The newest visits whose number and addresses are within the bounds. */
function bounded(visits: ProfileVisit[]): ProfileVisit[] {
  let characters = 0;
  const end = visits.findIndex(({ url }, at) => {
    characters += url.length;
    return at >= MOST_VISITS || characters > MOST_CHARACTERS;
  });
  return end === -1 ? visits : visits.slice(0, end);
}

/** A character is counted as two bytes, which it may be. */
const sizeOf = (key: string, visits: readonly ProfileVisit[]): number =>
  visits.reduce((sum, { url }) => sum + url.length * 2 + VISIT_BYTES, ENTRY_BYTES + key.length * 2);
