// The posts of every site: written through to storage, and in memory where they are asked for.
//
//   const library = createLibrary({ store, now, log });
//   await library.write(site, url, { patch, aliases });     durable, and recommendable at once
//   await library.recommend(site, request);                 waits for the site's index when it has to be loaded
import type { Logger } from 'pino';
import type { Library } from './deps.ts';
import { catchUp } from './library/catchUp.ts';
import { openIndexFolder } from './library/indexFolder.ts';
import { load } from './library/load.ts';
import { createQueues } from './library/queues.ts';
import type { Shelf } from './library/shelf.ts';
import { catchUpVectors, loadVectors, storeVectors, type VectorOutcome } from './library/vectors.ts';
import { pageUrl, withoutQuery } from './posts/canonicalUrl.ts';
import { mergeMetadata } from './posts/mergeMetadata.ts';
import { isOneThing } from './posts/post.ts';
import type { PostVector } from './recommend/embeddings.ts';
import { explain } from './recommend/explain.ts';
import type { RecommendRequest } from './recommend/recommend.ts';
import { search } from './search/search.ts';
import type { SiteId } from './sites/site.ts';
import type { Store } from './storage/store.ts';

export interface LibraryOptions {
  store: Pick<Store, 'posts' | 'vectors'>;
  /** Epoch milliseconds. */
  now: () => number;
  log: Logger;
  /** Folder of the indexes kept between two starts. Default: none are kept, and each start reads all texts. */
  folder?: string;
  /** File of the thread the index of a big site is made in, as it was built. Default: there is none. */
  thread?: URL;
  /** Milliseconds after its last use until a site's index leaves memory. Default: an hour. */
  idleAfter?: number;
}

/** The library, and what the server's start and its periodic jobs ask of it. */
export interface LoadedLibrary extends Library {
  /** Stores vectors of posts and takes them in at once. Resolves when durable, with what became of each. */
  writeVectors(site: SiteId, given: readonly Omit<PostVector, 'updatedAt'>[]): Promise<VectorOutcome[]>;
  /** Removes all vectors of a site. */
  clearVectors(site: SiteId): Promise<void>;
  /** Loads a site's index in the background. A failure is logged; the next request tries again. */
  warm(site: SiteId): void;
  /** Takes in what other copies of the server wrote to the same storage since the last look. */
  refresh(): Promise<void>;
  /** Lets go of the indexes nobody asked for lately. */
  dropIdle(): void;
  /** Lets go of a site that was removed. */
  forget(site: SiteId): void;
  /** What is in memory, of all sites together. */
  sizes(): { sites: number; posts: number; bytes: number };
}

interface Place {
  shelf: Shelf;
  /** The site's aliases are known. */
  addressed: Promise<void>;
  /** All posts are in memory. */
  ready: Promise<void>;
  loaded: boolean;
  /** Share of the posts read from storage, 0 to 1. */
  progress: number;
  lastUse: number;
}

const HOUR_MS = 3_600_000;
/** How long before the last look a change may have been dated: clocks differ, and writing takes time. */
const LATE_MS = 60_000;

export function createLibrary({ store, now, log, folder, thread, idleAfter = HOUR_MS }: LibraryOptions): LoadedLibrary {
  const places = new Map<SiteId, Place>();
  const indexes = openIndexFolder(folder, log);
  const queues = createQueues();
  let closed = false;
  let looked = now();

  function placeOf(site: SiteId): Place {
    let place = places.get(site);
    if (!place) {
      const shelf = indexes.shelf(site);
      const addressed = loadAliases(site, shelf);
      place = { shelf, addressed, ready: addressed, loaded: false, progress: 0, lastUse: now() };
      places.set(site, place);
      place.ready = fill(site, place);
      // Whoever waits for `ready` sees the failure too; the next request tries again.
      place.ready.catch((err: unknown) => {
        places.delete(site);
        log.error({ err, site }, 'posts could not be loaded');
      });
    }
    place.lastUse = now();
    return place;
  }

  async function loadAliases(site: SiteId, shelf: Shelf): Promise<void> {
    for (const [alias, canonical] of await store.posts.aliases(site)) shelf.alias(alias, canonical);
  }

  async function fill(site: SiteId, place: Place): Promise<void> {
    const { shelf } = place;
    await place.addressed;
    const loaded = await load({
      posts: store.posts,
      site,
      shelf,
      log,
      takeUp: () => indexes.takeUp(site, shelf),
      keptAt: indexes.fileOf(site),
      thread,
      progress: (share) => {
        place.progress = share;
      },
      stopped: () => closed,
    });
    await loadVectors(store.vectors, { site, embeddings: shelf.embeddings, stopped: () => closed });
    place.loaded = true;
    place.progress = 1;
    log.info({ site, ...loaded }, 'posts loaded');
  }

  /** The shelf, when the site is in memory. Changes are made to one that is still loading, too. */
  const shelfOf = (site: SiteId): Shelf | undefined => places.get(site)?.shelf;

  async function resolveInStorage(site: SiteId, url: string): Promise<string | undefined> {
    const bare = withoutQuery(url);
    const [posts, aliases] = await Promise.all([store.posts.get(site, [url, bare]), store.posts.aliases(site)]);
    const known = (address: string) => posts.find((post) => post.url === address)?.url ?? aliases.get(address);
    return known(url) ?? known(bare);
  }

  return {
    write: (site, url, { patch, aliases = [], by }) =>
      queues.run(`${site} ${url}`, async () => {
        const place = placeOf(site);
        const { shelf, addressed } = place;
        const [[known]] = await Promise.all([store.posts.get(site, [url]), addressed]);
        const post = mergeMetadata(known, { url, patch, by, now: now() });
        await store.posts.save(site, [post]);
        // A post that speaks for itself is no alias of another any more: an address that leads to itself says so.
        const declared = new Set(aliases.filter((alias) => alias !== url));
        if (shelf.isAlias(url)) declared.add(url);
        const led = declared.size > 0 ? await store.posts.alias(site, url, [...declared], now()) : [];
        for (const alias of led) shelf.alias(alias, url);
        shelf.place(post);
        if (place.loaded) shelf.tidy().catch((err: unknown) => log.error({ err, site }, 'index could not be tidied'));
        return post;
      }),

    writeVectors: (site, given) =>
      queues.run(vectorsOf(site), async () => {
        const updatedAt = now();
        const written = given.map((one) => ({ ...one, updatedAt }));
        const { outcomes, stored } = await storeVectors(store, site, written);
        for (const vector of stored) shelfOf(site)?.embeddings.put(vector);
        return outcomes;
      }),

    clearVectors: (site) =>
      queues.run(vectorsOf(site), async () => {
        const time = now();
        await store.vectors.clear(site, time);
        shelfOf(site)?.embeddings.clear(time);
      }),

    async remove(site, urls) {
      await store.posts.remove(site, urls, now());
      for (const url of urls) shelfOf(site)?.remove(url, now());
    },

    async resolve(site, url) {
      const place = places.get(site);
      const known = place?.loaded ? place.shelf.resolve(url) : await resolveInStorage(site, url);
      return known ?? pageUrl(url) ?? url;
    },

    pageOf(site, url) {
      const bare = withoutQuery(url);
      const place = bare === url ? undefined : places.get(site);
      if (!place?.loaded) return url;
      const { shelf } = place;
      if (shelf.isAlias(url) || shelf.card(url) !== undefined) return url;
      if (!shelf.isAlias(bare) && !isOneThing(shelf.card(bare))) return url;
      // Whose readers bring such addresses is not idle.
      place.lastUse = now();
      return bare;
    },

    isPost(site, url) {
      const { shelf } = placeOf(site);
      return shelf.has(url) || shelf.isAlias(url);
    },

    get: (site, urls) => store.posts.get(site, urls),

    async cards(site, urls) {
      const { shelf, ready } = placeOf(site);
      await ready;
      return urls.flatMap((url) => shelf.card(url) ?? []);
    },

    async recommend(site, request) {
      const { shelf, ready } = placeOf(site);
      await ready;
      return shelf.recommend(inCanonicalUrls(shelf, request), now());
    },

    async explain(site, request, recommended) {
      const { shelf, ready } = placeOf(site);
      await ready;
      const urls = recommended.map(({ url }) => url);
      const texts = new Map((await store.posts.get(site, urls)).map((post) => [post.url, post]));
      const posts = recommended.flatMap((one) => {
        const text = texts.get(one.url);
        return text ? [{ ...text, ...one }] : [];
      });
      return explain(shelf.index, inCanonicalUrls(shelf, request), { posts, now: now() });
    },

    async search(site, request) {
      const { shelf, ready } = placeOf(site);
      await ready;
      return search(shelf.searching, request, now());
    },

    loading: () => [...places].filter(([, place]) => !place.loaded).map(([site, { progress }]) => ({ site, progress })),

    warm(site) {
      placeOf(site);
    },

    async refresh() {
      const before = now();
      const shelves = new Map([...places].map(([site, { shelf }]) => [site, shelf]));
      const { changed } = await catchUp(store.posts, shelves, looked - LATE_MS);
      const embeddings = new Map([...shelves].map(([site, shelf]) => [site, shelf.embeddings]));
      await catchUpVectors(store.vectors, embeddings, looked - LATE_MS);
      looked = before;
      // One that is loading is tidied when all is there.
      for (const site of changed) if (places.get(site)?.loaded) await shelves.get(site)?.tidy();
    },

    dropIdle() {
      for (const [site, place] of places) {
        if (place.loaded && now() - place.lastUse > idleAfter) places.delete(site);
      }
    },

    forget(site) {
      indexes.forget(site, shelfOf(site));
      places.delete(site);
    },

    sizes() {
      const sizes = [...places.values()].map(({ shelf }) => shelf.size());
      return {
        sites: sizes.length,
        posts: sizes.reduce((sum, { posts }) => sum + posts, 0),
        bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },

    async close() {
      closed = true;
      await queues.idle();
      await Promise.allSettled([...places.values()].map(({ ready }) => ready));
      await Promise.all([...places.values()].map(({ shelf }) => shelf.idle()));
      places.clear();
    },
  };
}

/** Vectors of a site are written one batch after another: the first says of how many dimensions all are. */
const vectorsOf = (site: SiteId) => `vectors of ${site}`;

/** Any address of a post will do. */
function inCanonicalUrls(shelf: Shelf, request: RecommendRequest): RecommendRequest {
  const known = (url: string) => shelf.resolve(url) ?? url;
  const visits = request.visits?.map(({ url, time }) => ({ url: known(url), time }));
  return { ...request, ...(request.url && { url: known(request.url) }), ...(visits && { visits }) };
}
