// Loads the index of a site: in the server's own thread, or in others where the site is big; a bounded number at once.
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { load } from './load.ts';
import { createSemaphore } from './semaphore.ts';
import type { Place } from './siteCache.ts';
import type { SiteIndex } from './siteIndex.ts';
import type { SnapshotFolder } from './snapshotFolder.ts';
import { loadVectors } from './vectors.ts';

export interface SiteLoaderOptions {
  store: Pick<Store, 'posts' | 'vectors'>;
  snapshots: SnapshotFolder;
  /** File of the thread that makes the index of a big site, as it was built. Default: there is none. */
  thread: URL | undefined;
  /** Called as the index of a site grows. */
  measure(site: SiteId): void;
  /** Whether loads under way should end. */
  stopped(): boolean;
  log: Logger;
}

export interface SiteLoader {
  /** @returns The index with all posts; `place` has it from the start of the load on. */
  load(site: SiteId, place: Place): Promise<SiteIndex>;
  /** Loads that wait for a slot. */
  readonly waiting: number;
}

/** A site of fewer posts is loaded by the server's own thread in less time than threads take to start. */
const THREADS_FROM = 1000;
/** Loads by the server's own thread at once: while one waits for the database, the other reads. */
const LOADS_HERE = 2;
/**
 * A site of so many posts takes up to minutes: such sites have slots of their own, so that no smaller one waits for
 * them.
 */
const LARGE_FROM = 20_000;
/** Threads that one load starts, and ends when it is done. */
const THREADS_A_LOAD = 3;
/** Loads in threads at once, of large sites and of smaller ones each. */
const LOADS_IN_THREADS = Math.max(1, Math.floor(availableParallelism() / THREADS_A_LOAD));

export function createSiteLoader({ store, snapshots, thread, measure, stopped, log }: SiteLoaderOptions): SiteLoader {
  const here = createSemaphore(LOADS_HERE);
  const inThreads = createSemaphore(LOADS_IN_THREADS);
  const ofLarge = createSemaphore(LOADS_IN_THREADS);

  async function fill(site: SiteId, place: Place, how: { count: number; thread: URL | undefined }): Promise<SiteIndex> {
    if (stopped()) throw new Error('The library is closed.');
    const siteIndex = snapshots.siteIndex(site);
    place.siteIndex = siteIndex;
    for (const [alias, canonical] of await store.posts.aliases(site)) siteIndex.alias(alias, canonical);
    const loaded = await load({
      posts: store.posts,
      site,
      siteIndex,
      log,
      restoreIndex: () => snapshots.restoreIndex(site, siteIndex),
      keptAt: snapshots.fileOf(site),
      ...how,
      progress(share) {
        place.progress = share;
        measure(site);
      },
      stopped,
    });
    await loadVectors(store.vectors, { site, embeddings: siteIndex.embeddings, stopped });
    log.info({ site, ...loaded }, 'posts loaded');
    return siteIndex;
  }

  return {
    async load(site, place) {
      const urgent = () => place.urgent;
      const count = await here.run(() => store.posts.count(site), urgent);
      if (thread === undefined || count < THREADS_FROM)
        return await here.run(() => fill(site, place, { count, thread: undefined }), urgent);
      return await (count < LARGE_FROM ? inThreads : ofLarge).run(() => fill(site, place, { count, thread }), urgent);
    },
    get waiting() {
      return here.waiting + inThreads.waiting + ofLarge.waiting;
    },
  };
}
