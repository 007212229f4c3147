// Writes posts and vectors: first to storage, then to the site's index where that is in memory. Changes of one post
// happen one after another.
import { createKeyedQueue } from '../keyedQueue.ts';
import { mergeMetadata } from '../posts/mergeMetadata.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import type { SiteCache } from './siteCache.ts';
import type { LoadedLibrary } from './types.ts';
import { storeVectors } from './vectors.ts';

export interface PostWriterOptions {
  store: Pick<Store, 'posts' | 'vectors'>;
  sites: SiteCache;
  /** Called before a new post is stored; rejects where its site may have no more. Default: it may. */
  takePost: ((site: SiteId) => Promise<void>) | undefined;
  /** Epoch milliseconds. */
  now: () => number;
}

export interface PostWriter extends Pick<LoadedLibrary, 'write' | 'remove' | 'writeVectors' | 'clearVectors'> {
  /** Runs when no post of these is being written; writes to them wait for it. */
  alone<T>(site: SiteId, urls: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is being written. */
  idle(): Promise<void>;
}

export function createPostWriter({ store, sites, takePost, now }: PostWriterOptions): PostWriter {
  const queues = createKeyedQueue();

  /** Whether an address is declared to be another one of a post's. */
  async function isAlias(site: SiteId, url: string): Promise<boolean> {
    return sites.loaded(site)?.isAlias(url) ?? (await store.posts.aliases(site, [url])).has(url);
  }

  return {
    write: (site, url, { patch, aliases = [], by }) =>
      queues.run(keyOf(site, url), async () => {
        sites.offer(site);
        const [[known], wasAlias] = await Promise.all([store.posts.get(site, [url]), isAlias(site, url)]);
        if (known === undefined) await takePost?.(site);
        const post = mergeMetadata(known, { url, patch, by, now: now() });
        await store.posts.save(site, [post]);
        // A post with metadata of its own is no longer an alias of another; an alias that points to itself records
        // that.
        const declared = new Set(aliases.filter((alias) => alias !== url));
        if (wasAlias) declared.add(url);
        const led = declared.size > 0 ? await store.posts.alias(site, url, [...declared], now()) : [];
        // A load that begins after this reads what was stored; one that began before gets the change here.
        const siteIndex = sites.peek(site)?.siteIndex;
        for (const alias of led) siteIndex?.alias(alias, url);
        siteIndex?.place(post);
        if (siteIndex && sites.peek(site)?.loaded) {
          void sites.tidy(site);
          sites.measure(site);
        }
        return post;
      }),

    writeVectors: (site, given) =>
      queues.run(vectorsOf(site), async () => {
        const updatedAt = await store.vectors.nextTime(site, now());
        const written = given.map((one) => ({ ...one, updatedAt }));
        const { outcomes, stored } = await storeVectors(store, site, written);
        for (const vector of stored) sites.peek(site)?.siteIndex?.embeddings.put(vector);
        sites.measure(site);
        return outcomes;
      }),

    clearVectors: (site) =>
      queues.run(vectorsOf(site), async () => {
        const time = await store.vectors.nextTime(site, now());
        await store.vectors.clear(site, time);
        sites.peek(site)?.siteIndex?.embeddings.clear(time);
      }),

    async remove(site, urls) {
      await store.posts.remove(site, urls, now());
      for (const url of urls) sites.peek(site)?.siteIndex?.remove(url, now());
    },

    alone: (site, urls, work) =>
      queues.runAll(
        urls.map((url) => keyOf(site, url)),
        work,
      ),

    idle: () => queues.idle(),
  };
}

const keyOf = (site: SiteId, url: string) => `${site} ${url}`;

/** Vectors of a site are written one batch after another: the first says of how many dimensions all are. */
const vectorsOf = (site: SiteId) => `vectors of ${site}`;
