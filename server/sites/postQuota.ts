// How many posts, pages and videos a site may have. Those that are known can be changed for ever; a new one beyond the
// quota is not added.

import type { PostStore } from '../storage/store.ts';
import type { SiteDirectory } from './directory.ts';
import type { SiteId } from './site.ts';
import { PostQuotaError, type QuotaUse } from './siteQuotas.ts';

export interface PostQuota {
  /** How many may be added. Infinity where there is no quota. */
  room(site: SiteId): Promise<number>;
  /** Posts that were added, as far as `room` allowed. */
  added(site: SiteId, count: number): void;
  /** @throws {PostQuotaError} where one more would be beyond the quota; else it is counted. */
  take(site: SiteId): Promise<void>;
  /** Counts again what other copies, or removals, have changed. */
  refresh(): Promise<void>;
  /** Of the sites that have such a quota. */
  uses(): QuotaUse[];
}

export interface PostQuotaOptions {
  sites: Pick<SiteDirectory, 'find' | 'list'>;
  posts: Pick<PostStore, 'count'>;
}

export function createPostQuota({ sites, posts }: PostQuotaOptions): PostQuota {
  const counts = new Map<SiteId, number>();
  const limitOf = (site: SiteId) => sites.find(site)?.quotas?.maxPosts;
  const limited = () => sites.list().filter(({ quotas }) => quotas?.maxPosts !== undefined);

  async function room(site: SiteId): Promise<number> {
    const limit = limitOf(site);
    if (limit === undefined) return Number.POSITIVE_INFINITY;
    if (!counts.has(site)) {
      const count = await posts.count(site);
      // Another one may have asked meanwhile, and have added some.
      if (!counts.has(site)) counts.set(site, count);
    }
    return Math.max(0, limit - counts.get(site)!);
  }

  function added(site: SiteId, count: number): void {
    const known = counts.get(site);
    if (known !== undefined) counts.set(site, known + count);
  }

  return {
    room,
    added,

    async take(site) {
      if ((await room(site)) < 1) throw new PostQuotaError({ site, limit: limitOf(site)! });
      added(site, 1);
    },

    async refresh() {
      const asked = limited();
      for (const id of counts.keys()) if (!asked.some((site) => site.id === id)) counts.delete(id);
      for (const { id } of asked) counts.set(id, await posts.count(id));
    },

    uses: () =>
      limited().map(({ id, quotas }) => ({
        site: id,
        quota: 'posts' as const,
        used: counts.get(id),
        limit: quotas!.maxPosts!,
      })),
  };
}
