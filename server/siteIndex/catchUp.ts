// What other copies of the server wrote to storage since the last look, taken into the site indexes of this one.
import type { SiteId } from '../sites/site.ts';
import type { PostStore } from '../storage/store.ts';
import type { SiteIndex } from './siteIndex.ts';

/**
 * Brings site indexes to what storage has of the posts and aliases written at or after `since` (epoch milliseconds).
 */
export async function catchUp(
  store: PostStore,
  siteIndexes: ReadonlyMap<SiteId, SiteIndex>,
  since: number,
): Promise<{ changed: Set<SiteId> }> {
  const changed = new Set<SiteId>();
  if (siteIndexes.size === 0) return { changed };
  const { aliases, posts } = await store.changes({ sites: [...siteIndexes.keys()], since });
  for (const { site, alias, canonical } of aliases) {
    const siteIndex = siteIndexes.get(site);
    if (siteIndex && siteIndex.isAlias(alias) !== (alias !== canonical)) changed.add(site);
    siteIndex?.alias(alias, canonical);
  }
  for (const [site, siteIndex] of siteIndexes) {
    // Most of what changed was written by this copy, and is here already.
    const news = posts.filter((post) => post.site === site && (siteIndex.updatedAt(post.url) ?? -1) < post.updatedAt);
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
      if (post) siteIndex.place(post);
      else if (siteIndex.updatedAt(url) !== undefined) siteIndex.remove(url, updatedAt);
      else continue;
      changed.add(site);
    }
  }
  return { changed };
}
