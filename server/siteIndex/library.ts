// The posts of every site: written through to storage, and in memory where they are asked for.
//
//   const library = createLibrary({ store, now, log });
//   await library.write(site, url, { patch, aliases });     durable, and recommendable at once
//   await library.recommend(site, request);                 waits for the site's index when it has to be loaded
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { createKeyedQueue } from '../keyedQueue.ts';
import { pageUrl, withoutQuery } from '../posts/canonicalUrl.ts';
import { mergeMetadata } from '../posts/mergeMetadata.ts';
import { isOneThing, toCard } from '../posts/post.ts';
import { explain } from '../recommend/explain.ts';
import { search } from '../search/search.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import type { PostVector } from '../textindex/embeddings.ts';
import { catchUp } from './catchUp.ts';
import { load } from './load.ts';
import { createRecentPosts } from './recentPosts.ts';
import { resolveInStorage } from './resolveInStorage.ts';
import { createSemaphore } from './semaphore.ts';
import { createSiteCache, type Place, type SiteCacheCounts } from './siteCache.ts';
import type { SiteIndex } from './siteIndex.ts';
import { createSnapshotFallback } from './snapshotFallback.ts';
import { openSnapshotFolder } from './snapshotFolder.ts';
import type { Library } from './types.ts';
import { catchUpVectors, loadVectors, storeVectors, type VectorOutcome } from './vectors.ts';
import { within } from './within.ts';
import { createWorkspaces } from './workspaces.ts';

export interface LibraryOptions {
  store: Pick<Store, 'posts' | 'vectors'>;
  /** Epoch milliseconds. */
  now: () => number;
  log: Logger;
  /** Folder of the snapshots of indexes. Default: there are none, and each load reads all texts. */
  folder?: string;
  /** Sites are answered from their snapshots while the database is away. Default: false. */
  snapshotsAlone?: boolean;
  /** File of the thread the index of a big site is made in, as it was built. Default: there is none. */
  thread?: URL;
  /** Milliseconds after its last use until a site's index leaves memory. Default: an hour. */
  idleAfter?: number;
  /** Called before a new post is stored; rejects where its site may have no more. Default: it may. */
  takePost?: (site: SiteId) => Promise<void>;
  /** Bytes of the indexes in memory; beyond it, those used longest ago leave. Default: no limit. */
  memory?: number;
}

/** The library, and what the server's start and its periodic jobs ask of it. */
export interface LoadedLibrary extends Library {
  /** Stores vectors of posts and takes them in at once. Resolves when durable, with what became of each. */
  writeVectors(site: SiteId, given: readonly Omit<PostVector, 'updatedAt'>[]): Promise<VectorOutcome[]>;
  /** Removes all vectors of a site. */
  clearVectors(site: SiteId): Promise<void>;
  /** Loads a site's index in the background, where there is room. Resolves when it is in memory, or is not to be; never rejects. */
  warm(site: SiteId): Promise<void>;
  /** Takes in what other copies of the server wrote to the same storage since the last look. */
  refresh(): Promise<void>;
  /** Lets go of the indexes nobody asked for lately. */
  dropIdle(): void;
  /** Lets go of a site that was removed. */
  forget(site: SiteId): void;
  /** What is in memory, of all sites together. */
  sizes(): IndexSizes;
}

export interface IndexSizes extends SiteCacheCounts {
  /** Loads that wait for a slot. */
  waiting: number;
}

const HOUR_MS = 3_600_000;
/** How long before the last look a change may have been dated: clocks differ, and writing takes time. */
const LATE_MS = 60_000;
/** A site of fewer posts is loaded by the server's own thread in less time than threads take to start. */
const ASIDE_FROM = 1000;
/** Loads by the server's own thread at once: while one waits for the database, the other reads. */
const LOADS_HERE = 2;
/** Threads that one load aside starts, and ends when it is done. */
const THREADS_A_LOAD = 3;

export function createLibrary(options: LibraryOptions): LoadedLibrary {
  const { store, now, log, folder, thread, takePost, idleAfter = HOUR_MS, memory = Number.POSITIVE_INFINITY } = options;
  const workspaces = createWorkspaces();
  const withCards = options.snapshotsAlone ?? false;
  const indexes = openSnapshotFolder(folder, { log, withCards, workspaces: workspaces.related });
  const here = createSemaphore(LOADS_HERE);
  const aside = createSemaphore(Math.max(1, Math.floor(availableParallelism() / THREADS_A_LOAD)));
  const sites = createSiteCache({ limit: memory, idleAfter, load: loadSite, log, now });
  const recent = createRecentPosts({ posts: store.posts, now });
  const snapshots = createSnapshotFallback({
    read: indexes.readAlone,
    room: () => memory - sites.counts().bytes,
    idleAfter,
    now,
    log,
  });
  const queues = createKeyedQueue();
  let closed = false;
  let looked = now();

  async function loadSite(site: SiteId, place: Place): Promise<SiteIndex> {
    const urgent = () => place.urgent;
    const count = await here.run(() => store.posts.count(site), urgent);
    const big = thread !== undefined && count >= ASIDE_FROM;
    return await (big ? aside : here).run(() => fill(site, place, { count, thread: big ? thread : undefined }), urgent);
  }

  async function fill(site: SiteId, place: Place, how: { count: number; thread: URL | undefined }): Promise<SiteIndex> {
    const stopped = () => closed;
    if (stopped()) throw new Error('The library is closed.');
    const siteIndex = indexes.siteIndex(site);
    place.siteIndex = siteIndex;
    for (const [alias, canonical] of await store.posts.aliases(site)) siteIndex.alias(alias, canonical);
    const loaded = await load({
      posts: store.posts,
      site,
      siteIndex,
      log,
      restoreIndex: () => indexes.restoreIndex(site, siteIndex),
      keptAt: indexes.fileOf(site),
      ...how,
      progress(share) {
        place.progress = share;
        sites.measure(site);
      },
      stopped,
    });
    await loadVectors(store.vectors, { site, embeddings: siteIndex.embeddings, stopped });
    log.info({ site, ...loaded }, 'posts loaded');
    snapshots.drop(site);
    return siteIndex;
  }

  /** The site index of a site in memory, or on its way there: changes are made to one that is still loading, too. */
  const indexOf = (site: SiteId): SiteIndex | undefined => sites.peek(site)?.siteIndex;

  /** The site index of a site whose posts are all in memory. */
  function loadedIndex(site: SiteId): SiteIndex | undefined {
    const place = sites.peek(site);
    return place?.loaded ? place.siteIndex : undefined;
  }

  /** Whether an address is declared to be another one of a post's. */
  async function isAlias(site: SiteId, url: string): Promise<boolean> {
    return loadedIndex(site)?.isAlias(url) ?? (await store.posts.aliases(site, [url])).has(url);
  }

  return {
    write: (site, url, { patch, aliases = [], by }) =>
      queues.run(`${site} ${url}`, async () => {
        sites.offer(site);
        const [[known], wasAlias] = await Promise.all([store.posts.get(site, [url]), isAlias(site, url)]);
        if (known === undefined) await takePost?.(site);
        const post = mergeMetadata(known, { url, patch, by, now: now() });
        await store.posts.save(site, [post]);
        // A post that speaks for itself is no alias of another any more: an address that leads to itself says so.
        const declared = new Set(aliases.filter((alias) => alias !== url));
        if (wasAlias) declared.add(url);
        const led = declared.size > 0 ? await store.posts.alias(site, url, [...declared], now()) : [];
        // A load that begins after this reads what was stored; one that began before gets the change here.
        const siteIndex = indexOf(site);
        for (const alias of led) siteIndex?.alias(alias, url);
        siteIndex?.place(post);
        if (siteIndex && sites.peek(site)?.loaded) {
          siteIndex.tidy().catch((err: unknown) => log.error({ err, site }, 'index could not be tidied'));
          sites.measure(site);
        }
        return post;
      }),

    writeVectors: (site, given) =>
      queues.run(vectorsOf(site), async () => {
        const updatedAt = now();
        const written = given.map((one) => ({ ...one, updatedAt }));
        const { outcomes, stored } = await storeVectors(store, site, written);
        for (const vector of stored) indexOf(site)?.embeddings.put(vector);
        sites.measure(site);
        return outcomes;
      }),

    clearVectors: (site) =>
      queues.run(vectorsOf(site), async () => {
        const time = now();
        await store.vectors.clear(site, time);
        indexOf(site)?.embeddings.clear(time);
      }),

    async remove(site, urls) {
      await store.posts.remove(site, urls, now());
      for (const url of urls) indexOf(site)?.remove(url, now());
    },

    async resolve(site, url) {
      const siteIndex = loadedIndex(site);
      const known = siteIndex ? siteIndex.resolve(url) : await resolveInStorage(store.posts, site, url);
      return known ?? pageUrl(url) ?? url;
    },

    pageOf(site, url) {
      const bare = withoutQuery(url);
      const siteIndex = bare === url ? undefined : loadedIndex(site);
      if (!siteIndex || siteIndex.isAlias(url) || siteIndex.card(url) !== undefined) return url;
      if (!siteIndex.isAlias(bare) && !isOneThing(siteIndex.card(bare))) return url;
      // Whose readers bring such addresses is not idle.
      sites.offer(site);
      return bare;
    },

    isPost(site, url) {
      const siteIndex = sites.offer(site)?.siteIndex;
      return siteIndex !== undefined && (siteIndex.has(url) || siteIndex.isAlias(url));
    },

    get: (site, urls) => store.posts.get(site, urls),

    async cards(site, urls) {
      const siteIndex = loadedIndex(site);
      if (siteIndex) return urls.flatMap((url) => siteIndex.card(url) ?? []);
      return (await store.posts.get(site, urls)).map(toCard);
    },

    isLoaded: (site) => loadedIndex(site) !== undefined,

    async ready(site, ms) {
      const { loaded, ready } = sites.open(site);
      return loaded || (await within(ready, ms));
    },

    async recommend(site, request) {
      const siteIndex = await sites.open(site).ready;
      return siteIndex.recommend(siteIndex.canonical(request), now());
    },

    recent,

    recommendAway: snapshots.recommend,

    async explain(site, request, recommended) {
      const siteIndex = await sites.open(site).ready;
      const urls = recommended.map(({ url }) => url);
      const texts = new Map((await store.posts.get(site, urls)).map((post) => [post.url, post]));
      const posts = recommended.flatMap((one) => (texts.has(one.url) ? { ...texts.get(one.url)!, ...one } : []));
      const asked = siteIndex.canonical(request);
      return workspaces.related.use((workspace) => explain(siteIndex.index, asked, { posts, now: now(), workspace }));
    },

    async search(site, request) {
      const siteIndex = await sites.open(site).ready;
      return workspaces.search.use((workspace) => search(siteIndex.searchIndex, request, now(), workspace));
    },

    loading: () => [...sites.entries()].flatMap(([site, { loaded, progress }]) => (loaded ? [] : { site, progress })),

    warm: async (site) => void (await within(sites.offer(site)?.ready)),

    async refresh() {
      const before = now();
      const siteIndexes = new Map(
        [...sites.entries()].flatMap(([site, { siteIndex }]) => (siteIndex ? [[site, siteIndex]] : [])),
      );
      const { changed } = await catchUp(store.posts, siteIndexes, looked - LATE_MS);
      const embeddings = new Map([...siteIndexes].map(([site, siteIndex]) => [site, siteIndex.embeddings]));
      await catchUpVectors(store.vectors, embeddings, looked - LATE_MS);
      looked = before;
      for (const site of changed) {
        // One that is loading is tidied when all is there.
        await loadedIndex(site)?.tidy();
        sites.measure(site);
      }
    },

    dropIdle() {
      sites.dropIdle();
      snapshots.dropIdle();
    },

    forget(site) {
      indexes.forget(site, indexOf(site));
      sites.drop(site);
      snapshots.drop(site);
    },

    sizes() {
      const { bytes, ...counts } = sites.counts();
      return { ...counts, bytes: bytes + snapshots.bytes, waiting: here.waiting + aside.waiting };
    },

    async close() {
      closed = true;
      await queues.idle();
      await sites.close();
    },
  };
}

/** Vectors of a site are written one batch after another: the first says of how many dimensions all are. */
const vectorsOf = (site: SiteId) => `vectors of ${site}`;
