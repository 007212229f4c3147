// The posts of every site: written through to storage, and in memory where they are asked for.
//
//   const library = createLibrary({ store, now, log });
//   await library.write(site, url, { patch, aliases });     durable, and recommendable at once
//   await library.recommend(site, request);                 waits for the site's index when it has to be loaded
import type { Logger } from 'pino';
import { pageUrl, withoutQuery } from '../posts/canonicalUrl.ts';
import { isOneThing, toCard } from '../posts/post.ts';
import { explain } from '../recommend/explain.ts';
import { search } from '../search/search.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { catchUp } from './catchUp.ts';
import { createPostWriter } from './postWriter.ts';
import { createRecentPosts } from './recentPosts.ts';
import { resolveInStorage } from './resolveInStorage.ts';
import { createSiteCache, type Place } from './siteCache.ts';
import type { SiteIndex } from './siteIndex.ts';
import { createSiteLoader } from './siteLoader.ts';
import { createSnapshotFallback } from './snapshotFallback.ts';
import { openSnapshotFolder } from './snapshotFolder.ts';
import type { LoadedLibrary } from './types.ts';
import { catchUpVectors } from './vectors.ts';
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

const HOUR_MS = 3_600_000;
/** How long before the last look a change may have been dated: clocks differ, and writing takes time. */
const LATE_MS = 60_000;

export function createLibrary(options: LibraryOptions): LoadedLibrary {
  const { store, now, log, folder, thread, takePost, idleAfter = HOUR_MS, memory = Number.POSITIVE_INFINITY } = options;
  const workspaces = createWorkspaces();
  const withCards = options.snapshotsAlone ?? false;
  const indexes = openSnapshotFolder(folder, { log, withCards, workspaces: workspaces.related });
  const loader = createSiteLoader({
    store,
    snapshots: indexes,
    thread,
    measure: (site) => sites.measure(site),
    stopped: () => closed,
    log,
  });
  const sites = createSiteCache({ limit: memory, idleAfter, load: loadSite, log, now });
  const recent = createRecentPosts({ posts: store.posts, now });
  const snapshots = createSnapshotFallback({
    read: indexes.readAlone,
    room: () => memory - sites.counts().bytes,
    idleAfter,
    now,
    log,
  });
  const writer = createPostWriter({ store, sites, takePost, now, log });
  let closed = false;
  let looked = now();

  async function loadSite(site: SiteId, place: Place): Promise<SiteIndex> {
    const siteIndex = await loader.load(site, place);
    snapshots.drop(site);
    return siteIndex;
  }

  return {
    write: writer.write,
    remove: writer.remove,
    writeVectors: writer.writeVectors,
    clearVectors: writer.clearVectors,

    async resolve(site, url) {
      const siteIndex = sites.loaded(site);
      const known = siteIndex ? siteIndex.resolve(url) : await resolveInStorage(store.posts, site, url);
      return known ?? pageUrl(url) ?? url;
    },

    pageOf(site, url) {
      const bare = withoutQuery(url);
      const siteIndex = bare === url ? undefined : sites.loaded(site);
      if (!siteIndex || siteIndex.isAlias(url) || siteIndex.card(url) !== undefined) return url;
      if (!siteIndex.isAlias(bare) && !isOneThing(siteIndex.card(bare))) return url;
      // A site whose readers request such addresses is not idle.
      sites.offer(site);
      return bare;
    },

    isPost(site, url) {
      const siteIndex = sites.offer(site)?.siteIndex;
      return siteIndex !== undefined && (siteIndex.has(url) || siteIndex.isAlias(url));
    },

    get: (site, urls) => store.posts.get(site, urls),

    async cards(site, urls) {
      const siteIndex = sites.loaded(site);
      if (siteIndex) return urls.flatMap((url) => siteIndex.card(url) ?? []);
      return (await store.posts.get(site, urls)).map(toCard);
    },

    isLoaded: (site) => sites.loaded(site) !== undefined,

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
        await sites.loaded(site)?.tidy();
        sites.measure(site);
      }
    },

    dropIdle() {
      sites.dropIdle();
      snapshots.dropIdle();
    },

    forget(site) {
      indexes.forget(site, sites.peek(site)?.siteIndex);
      sites.drop(site);
      snapshots.drop(site);
    },

    sizes() {
      const { bytes, ...counts } = sites.counts();
      return { ...counts, bytes: bytes + snapshots.bytes, waiting: loader.waiting };
    },

    async close() {
      closed = true;
      await writer.idle();
      await sites.close();
    },
  };
}
