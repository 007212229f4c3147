// The posts of every site: written through to storage, and in memory where they are asked for.
//
//   const library = createLibrary({ store, now, log });
//   await library.write(site, url, { patch, aliases });     durable, and recommendable at once
//   await library.recommend(site, request);                 waits for the site's index when it has to be loaded
import type { Logger } from 'pino';
import type { Library } from './deps.ts';
import { ahead } from './library/ahead.ts';
import { breath } from './library/breath.ts';
import { catchUp } from './library/catchUp.ts';
import { createQueues } from './library/queues.ts';
import { Shelf } from './library/shelf.ts';
import { pageUrl, withoutQuery } from './posts/canonicalUrl.ts';
import { mergeMetadata } from './posts/mergeMetadata.ts';
import { recommend } from './recommend/recommend.ts';
import type { SiteId } from './sites/site.ts';
import type { Store } from './storage/store.ts';

export interface LibraryOptions {
  store: Pick<Store, 'posts'>;
  /** Epoch milliseconds. */
  now: () => number;
  log: Logger;
  /** Milliseconds after its last use until a site's index leaves memory. Default: an hour. */
  idleAfter?: number;
}

/** The library, and what the server's start and its periodic jobs ask of it. */
export interface LoadedLibrary extends Library {
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
/** Posts taken in before waiting requests get their turn. */
const POSTS_A_SLICE = 8;

export function createLibrary({ store, now, log, idleAfter = HOUR_MS }: LibraryOptions): LoadedLibrary {
  const places = new Map<SiteId, Place>();
  const queues = createQueues();
  let closed = false;
  let looked = now();

  function placeOf(site: SiteId): Place {
    let place = places.get(site);
    if (!place) {
      const shelf = new Shelf();
      const addressed = loadAliases(site, shelf);
      place = { shelf, addressed, ready: addressed, loaded: false, progress: 0, lastUse: now() };
      places.set(site, place);
      place.ready = load(site, place);
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

  async function load(site: SiteId, place: Place): Promise<void> {
    const { shelf } = place;
    const [count] = await Promise.all([store.posts.count(site), place.addressed]);
    let read = 0;
    for await (const batch of ahead(store.posts.stream(site))) {
      for (const post of batch) {
        shelf.stock(post);
        if (++read % POSTS_A_SLICE === 0) await breath();
        if (closed) return;
      }
      place.progress = Math.min(1, read / count);
    }
    await shelf.tidy();
    shelf.settled();
    place.loaded = true;
    place.progress = 1;
    log.info({ site, posts: read }, 'posts loaded');
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
        if (declared.size > 0) await store.posts.alias(site, url, [...declared], now());
        for (const alias of declared) shelf.alias(alias, url);
        shelf.place(post);
        if (place.loaded) shelf.tidy().catch((err: unknown) => log.error({ err, site }, 'index could not be tidied'));
        return post;
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

    get: (site, urls) => store.posts.get(site, urls),

    async cards(site, urls) {
      const { shelf, ready } = placeOf(site);
      await ready;
      return urls.flatMap((url) => shelf.card(url) ?? []);
    },

    async recommend(site, request) {
      const { shelf, ready } = placeOf(site);
      await ready;
      const known = (url: string) => shelf.resolve(url) ?? url;
      const visits = request.visits?.map(({ url, time }) => ({ url: known(url), time }));
      const asked = { ...request, ...(request.url && { url: known(request.url) }), ...(visits && { visits }) };
      return recommend(shelf.index, asked, now());
    },

    loading: () => [...places].filter(([, place]) => !place.loaded).map(([site, { progress }]) => ({ site, progress })),

    warm(site) {
      placeOf(site);
    },

    async refresh() {
      const before = now();
      const shelves = new Map([...places].map(([site, { shelf }]) => [site, shelf]));
      const { changed } = await catchUp(store.posts, shelves, looked - LATE_MS);
      looked = before;
      for (const site of changed) await shelves.get(site)?.tidy();
    },

    dropIdle() {
      for (const [site, place] of places) {
        if (place.loaded && now() - place.lastUse > idleAfter) places.delete(site);
      }
    },

    forget(site) {
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
      places.clear();
    },
  };
}
