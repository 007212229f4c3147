// Sites that are answered from their snapshots on the disk, while the database is away and they are not in memory.
import type { Logger } from 'pino';
import { fulfilledWithin } from '../deadline.ts';
import type { RecommendRequest } from '../recommend/request.ts';
import type { SiteId } from '../sites/site.ts';
import { createSemaphore } from './semaphore.ts';
import type { SiteIndex } from './siteIndex.ts';
import type { RecommendedCard } from './types.ts';

export interface SnapshotFallback {
  /**
   * The posts of one page; none where nothing was kept of the site, or where reading it takes long. A failure is
   * logged.
   */
  recommend(site: SiteId, request: RecommendRequest): Promise<RecommendedCard[]>;
  /** Drops a site that was loaded from the database, or removed. */
  drop(site: SiteId): void;
  /** Drops the sites that were not used lately. */
  dropIdle(): void;
  /** Of the site indexes in memory. */
  readonly bytes: number;
}

export interface SnapshotFallbackOptions {
  /** Fills a site index from the disk; undefined: there is nothing. */
  read: (site: SiteId) => Promise<SiteIndex | undefined>;
  /** Bytes that all may take now; the site used last stays. */
  room: () => number;
  /** Milliseconds after its last use until a site leaves memory. */
  idleAfter: number;
  /** Epoch milliseconds. */
  now: () => number;
  /** Monotonic milliseconds. */
  clock: () => number;
  log: Logger;
}

/** A request waits so long for a snapshot to be read. */
const PATIENCE_MS = 1_000;

interface Place {
  reading: Promise<SiteIndex | undefined>;
  bytes: number;
  lastUse: number;
}

export function createSnapshotFallback(options: SnapshotFallbackOptions): SnapshotFallback {
  const { read, room, idleAfter, now, clock, log } = options;
  // Used last comes last.
  const places = new Map<SiteId, Place>();
  // By the server's own thread, in slices.
  const loads = createSemaphore(1);
  const bytes = () => [...places.values()].reduce((sum, place) => sum + place.bytes, 0);

  function begin(site: SiteId): Place {
    const place: Place = { reading: Promise.resolve(undefined), bytes: 0, lastUse: clock() };
    place.reading = loads
      .run(
        () => read(site),
        () => true,
      )
      .then((siteIndex) => {
        place.bytes = siteIndex?.bytes ?? 0;
        trim();
        if (siteIndex)
          log.info({ site, posts: siteIndex.posts }, 'posts are recommended from the snapshot of their site');
        return siteIndex;
      })
      .catch((err: unknown) => {
        log.warn(
          { err, site },
          'the snapshot of a site cannot be read; its lists are empty until the database answers',
        );
        return undefined;
      });
    return place;
  }

  function trim(): void {
    for (const site of places.keys()) {
      if (places.size === 1 || bytes() <= room()) return;
      places.delete(site);
    }
  }

  return {
    async recommend(site, request) {
      const place = places.get(site) ?? begin(site);
      places.delete(site);
      places.set(site, place);
      place.lastUse = clock();
      if (!(await fulfilledWithin(place.reading, PATIENCE_MS))) return [];
      const siteIndex = await place.reading;
      const found = siteIndex?.recommend(siteIndex.canonical(request), now()) ?? [];
      return found.flatMap(({ url, source }) => {
        const card = siteIndex?.card(url);
        return card ? { ...card, source } : [];
      });
    },
    drop: (site) => void places.delete(site),
    dropIdle() {
      for (const [site, { lastUse }] of places) if (clock() - lastUse > idleAfter) places.delete(site);
    },
    get bytes() {
      return bytes();
    },
  };
}
