// Vectors of a site's posts, between storage and the site index.

import type { SiteId } from '../sites/site.ts';
import type { Store, VectorStore } from '../storage/store.ts';
import type { Embeddings, PostVector } from '../textindex/embeddings.ts';
import { prefetch } from './prefetch.ts';
import { yieldToEventLoop } from './yieldToEventLoop.ts';

/** What became of a vector. `early`: stored, and of use once there is a post at its URL. */
export type VectorOutcome = 'stored' | 'early' | 'other-dimension';

/** Rows taken in before waiting requests get their turn. */
const SLICE = 50;

export async function loadVectors(
  store: VectorStore,
  { site, embeddings, stopped }: { site: SiteId; embeddings: Embeddings; stopped: () => boolean },
): Promise<void> {
  for await (const batch of prefetch(store.stream(site))) {
    for (const [at, vector] of batch.entries()) {
      embeddings.put(vector);
      if (at % SLICE === SLICE - 1) await yieldToEventLoop();
    }
    if (stopped()) return;
  }
}

/**
 * Stores vectors under the canonical URLs of their posts. The dimension of the first one ever is that of all.
 * @returns What became of each, in order, and what was stored.
 */
export async function storeVectors(
  store: Pick<Store, 'posts' | 'vectors'>,
  site: SiteId,
  given: readonly PostVector[],
): Promise<{ outcomes: VectorOutcome[]; stored: PostVector[] }> {
  const [first] = given;
  if (!first) return { outcomes: [], stored: [] };
  const named = given.map(({ url }) => url);
  const [dimension = first.vector.length, aliases, posts] = await Promise.all([
    store.vectors.dimension(site),
    store.posts.aliases(site, named),
    store.posts.get(site, named),
  ]);
  const known = new Set([...posts.map(({ url }) => url), ...aliases.keys()]);
  const stored = new Map<string, PostVector>();
  const outcomes = given.map((one): VectorOutcome => {
    if (one.vector.length !== dimension) return 'other-dimension';
    const url = aliases.get(one.url) ?? one.url;
    stored.set(url, { ...one, url });
    return known.has(one.url) ? 'stored' : 'early';
  });
  await store.vectors.save(site, [...stored.values()]);
  return { outcomes, stored: [...stored.values()] };
}

/** Takes in what other copies of the server wrote at or after `since` (epoch milliseconds). */
export async function catchUpVectors(
  store: VectorStore,
  sites: ReadonlyMap<SiteId, Embeddings>,
  since: number,
): Promise<void> {
  if (sites.size === 0) return;
  const changes = await store.changes({ sites: [...sites.keys()], since });
  for (const [site, embeddings] of sites) {
    const news = changes.filter((one) => one.site === site && embeddings.timeOf(one.url) < one.updatedAt);
    if (news.length === 0) continue;
    const found = await store.get(
      site,
      news.map(({ url }) => url),
    );
    const kept = new Set(found.map(({ url }) => url));
    for (const { url } of news) if (!kept.has(url)) embeddings.remove(url);
    for (const vector of found) embeddings.put(vector);
  }
}
