// What other copies of the server wrote to storage since the last look, taken into the shelves of this one.
import type { SiteId } from '../sites/site.ts';
import type { PostStore } from '../storage/store.ts';
import type { Shelf } from './shelf.ts';

/** Brings shelves to what storage has of the posts and aliases written at or after `since` (epoch milliseconds). */
export async function catchUp(
  store: PostStore,
  shelves: ReadonlyMap<SiteId, Shelf>,
  since: number,
): Promise<{ changed: Set<SiteId> }> {
  const changed = new Set<SiteId>();
  if (shelves.size === 0) return { changed };
  const { aliases, posts } = await store.changes({ sites: [...shelves.keys()], since });
  for (const { site, alias, canonical } of aliases) {
    const shelf = shelves.get(site);
    if (shelf && shelf.isAlias(alias) !== (alias !== canonical)) changed.add(site);
    shelf?.alias(alias, canonical);
  }
  for (const [site, shelf] of shelves) {
    // Most of what changed was written by this copy, and is here already.
    const news = posts.filter((post) => post.site === site && (shelf.updatedAt(post.url) ?? -1) < post.updatedAt);
    const found = new Map(
      (
        await store.get(
          site,
          news.map(({ url }) => url),
        )
      ).map((post) => [post.url, post]),
    );
    for (const { url, updatedAt } of news) {
      const post = found.get(url);
      if (post) shelf.place(post);
      else if (shelf.updatedAt(url) !== undefined) shelf.remove(url, updatedAt);
      else continue;
      changed.add(site);
    }
  }
  return { changed };
}
