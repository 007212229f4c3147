// The sites in memory: an LRU cache bounded by bytes. A site that leaves memory keeps its snapshot on the disk, and is
// loaded from that when it is asked for again.
//
//   const cache = createSiteCache({ limit, load, log, now });
//   await cache.open(site).ready;              for a request that waits: loaded before others, which make room for it
//   cache.offer(site)                          for traffic: loaded where there is room
import type { Logger } from 'pino';
import { StoreUnavailableError } from '../errors.ts';
import type { SiteId } from '../sites/site.ts';
import type { SiteIndex } from './siteIndex.ts';

/** A site in memory, or on its way there. */
export interface Place {
  /** undefined while the load waits for a slot: what is written meanwhile is read by the load. */
  siteIndex: SiteIndex | undefined;
  /** The site index with all posts; rejects when the load fails. */
  ready: Promise<SiteIndex>;
  loaded: boolean;
  /** Share of the posts read from storage, 0 to 1. */
  progress: number;
  /** A request waits for it. */
  urgent: boolean;
  lastUse: number;
  bytes: number;
}

export interface SiteCacheOptions {
  /** Bytes of all sites together; the site being queried stays in memory, whatever its size. */
  limit: number;
  /** Milliseconds after its last use until a site leaves memory. */
  idleAfter: number;
  /** Sets `site index` when it begins to fill it, and calls `measure` as it grows. */
  load: (site: SiteId, place: Place) => Promise<SiteIndex>;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
}

export interface SiteCache {
  /** Loads a site where it is not in memory; other sites leave. */
  open(site: SiteId): Place;
  /** As `open`, where there is room, or a site that was not used for minutes can leave; undefined: there is none. */
  offer(site: SiteId): Place | undefined;
  /** Without loading it. */
  peek(site: SiteId): Place | undefined;
  /** The index of a site whose posts are all in memory. Without loading it. */
  loaded(site: SiteId): SiteIndex | undefined;
  /** To be called when a site index has grown or shrunk: sites used longest ago leave where the limit is passed. */
  measure(site: SiteId): void;
  drop(site: SiteId): void;
  /** Sites that were not used lately leave. */
  dropIdle(): void;
  entries(): IterableIterator<[SiteId, Place]>;
  counts(): SiteCacheCounts;
  close(): Promise<void>;
}

export interface SiteCacheCounts {
  sites: number;
  posts: number;
  bytes: number;
  /** Bytes that all may take. */
  limit: number;
  /** Sites that left memory since start because others needed it. */
  evictions: number;
}

/**
 * Traffic makes only those leave that were not used for so long: sites of equal traffic must not displace each other in
 * turn.
 */
const DISPLACED_AFTER_MS = 600_000;
/** What a site takes that is not loaded yet, while none is in memory to learn it from. */
const USUAL_BYTES = 6e6;
/** Seconds until a load is tried again that failed because the database did not answer. */
const TRIED_AGAIN = [1, 2, 4, 8, 16];

export function createSiteCache({ limit, idleAfter, load, log, now }: SiteCacheOptions): SiteCache {
  // Used last comes last.
  const places = new Map<SiteId, Place>();
  const retries = new Map<SiteId, { failures: number; timer: NodeJS.Timeout | undefined }>();
  const oversized = new Set<SiteId>();
  let bytes = 0;
  let loaded = 0;
  let evictions = 0;
  let closed = false;

  function use(site: SiteId, place: Place): Place {
    places.delete(site);
    places.set(site, place);
    place.lastUse = now();
    return place;
  }

  function begin(site: SiteId, urgent: boolean): Place {
    const place: Place = {
      siteIndex: undefined,
      // Replaced below: the load is given its place.
      ready: new Promise(() => undefined),
      loaded: false,
      progress: 0,
      urgent,
      lastUse: now(),
      bytes: 0,
    };
    places.set(site, place);
    place.ready = load(site, place);
    place.ready.then(
      () => finish(site, place),
      (err: unknown) => fail(site, place, err),
    );
    return place;
  }

  function finish(site: SiteId, place: Place): void {
    place.loaded = true;
    place.progress = 1;
    forgetRetry(site);
    if (places.get(site) !== place) return;
    loaded++;
    grow(site, place);
    // What cannot leave while its snapshot is written may leave then.
    void place.siteIndex?.idle().then(() => trim(place));
  }

  /** Requests that wait for `ready` get the failure, too; the next request tries again at once. */
  function fail(site: SiteId, place: Place, err: unknown): void {
    if (places.get(site) === place) remove(site, place);
    const { failures, timer } = retries.get(site) ?? { failures: 0, timer: undefined };
    if (closed || timer !== undefined) return;
    const seconds = TRIED_AGAIN[failures];
    if (!(err instanceof StoreUnavailableError) || seconds === undefined) {
      forgetRetry(site);
      log.error({ err, site }, 'posts could not be loaded');
      return;
    }
    if (failures === 0) log.warn({ site, cause: err.message }, 'posts could not be loaded; the load is tried again');
    retries.set(site, {
      failures: failures + 1,
      timer: setTimeout(() => {
        retries.set(site, { failures: failures + 1, timer: undefined });
        if (!self.offer(site)) forgetRetry(site);
      }, seconds * 1000).unref(),
    });
  }

  function forgetRetry(site: SiteId): void {
    clearTimeout(retries.get(site)?.timer);
    retries.delete(site);
  }

  function remove(site: SiteId, place: Place): void {
    places.delete(site);
    if (place.loaded) loaded--;
    bytes -= place.bytes;
    place.bytes = 0;
  }

  function grow(site: SiteId, place: Place): void {
    if (places.get(site) !== place || !place.siteIndex) return;
    const size = place.siteIndex.bytes;
    bytes += size - place.bytes;
    place.bytes = size;
    trim(place);
    if (size <= limit || oversized.has(site)) return;
    oversized.add(site);
    const [megabytes, most] = [size, limit].map((each) => Math.ceil(each / 2 ** 20));
    log.warn(
      { site, megabytes, limit: most },
      'the index of one site is larger than the memory for indexes: other sites leave memory whenever it is asked; raise --index-memory',
    );
  }

  function evict(site: SiteId, place: Place): void {
    remove(site, place);
    evictions++;
    log.debug({ site }, 'index left memory');
  }

  /** One that is loading has no snapshot, and one that is busy is writing it. */
  const canLeave = ({ loaded, siteIndex }: Place): boolean => loaded && siteIndex?.busy === false;

  /** Makes room in the order of last use. @param kept Stays. */
  function trim(kept: Place): void {
    for (const [site, place] of places) {
      if (bytes <= limit) return;
      if (place !== kept && canLeave(place)) evict(site, place);
    }
  }

  function hasRoom(): boolean {
    const usual = loaded === 0 ? USUAL_BYTES : bytes / loaded;
    return bytes + (places.size - loaded + 1) * usual <= limit;
  }

  const self: SiteCache = {
    open(site) {
      const place = places.get(site);
      if (place) place.urgent = true;
      return place ? use(site, place) : begin(site, true);
    },

    offer(site) {
      const known = places.get(site);
      if (known) return use(site, known);
      if (closed) return undefined;
      for (const [other, place] of places) {
        if (hasRoom() || now() - place.lastUse <= DISPLACED_AFTER_MS) break;
        if (canLeave(place)) evict(other, place);
      }
      return hasRoom() ? begin(site, false) : undefined;
    },

    peek: (site) => places.get(site),

    loaded(site) {
      const place = places.get(site);
      return place?.loaded ? place.siteIndex : undefined;
    },

    measure(site) {
      const place = places.get(site);
      if (place) grow(site, place);
    },

    drop(site) {
      const place = places.get(site);
      if (place) remove(site, place);
      forgetRetry(site);
    },

    dropIdle() {
      for (const [site, place] of places) {
        grow(site, place);
        if (canLeave(place) && now() - place.lastUse > idleAfter) remove(site, place);
      }
    },

    entries: () => places.entries(),

    counts() {
      let posts = 0;
      let sites = 0;
      for (const { siteIndex } of places.values()) {
        if (!siteIndex) continue;
        sites++;
        posts += siteIndex.posts;
      }
      return { sites, posts, bytes, limit, evictions };
    },

    async close() {
      closed = true;
      for (const site of [...retries.keys()]) forgetRetry(site);
      await Promise.allSettled([...places.values()].map(({ ready }) => ready));
      await Promise.all([...places.values()].map(({ siteIndex }) => siteIndex?.idle()));
      places.clear();
    },
  };
  return self;
}
