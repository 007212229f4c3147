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
  /**
   * Counts the sites whose count is missing or old, by one query.
   * @param how.all Counts all of them. Default: false.
   */
  refresh(how?: { all?: boolean }): Promise<void>;
  /** Of the sites that have such a quota. */
  uses(): QuotaUse[];
}

export interface PostQuotaOptions {
  sites: Pick<SiteDirectory, 'find' | 'list'>;
  posts: Pick<PostStore, 'count' | 'counts'>;
  /** Monotonic milliseconds. */
  clock(): number;
}

/** Other copies, and removals, change the count: before a post is added, one of this age is made again. */
const FRESH_MS = 10_000;
/** The counts of sites that get no posts serve the metrics alone. */
const OLD_MS = 600_000;

export function createPostQuota({ sites, posts, clock }: PostQuotaOptions): PostQuota {
  const counts = new Map<SiteId, { posts: number; at: number }>();
  const limitOf = (site: SiteId) => sites.find(site)?.quotas?.maxPosts;
  const limited = () => sites.list().filter(({ quotas }) => quotas?.maxPosts !== undefined);

  function isOlder(site: SiteId, ms: number): boolean {
    const known = counts.get(site);
    return known === undefined || clock() - known.at >= ms;
  }

  /** By the count as it is. */
  const leftOf = (site: SiteId): number =>
    Math.max(0, (limitOf(site) ?? Number.POSITIVE_INFINITY) - (counts.get(site)?.posts ?? 0));

  async function room(site: SiteId): Promise<number> {
    if (limitOf(site) === undefined) return Number.POSITIVE_INFINITY;
    const known = counts.get(site);
    if (isOlder(site, FRESH_MS)) {
      const at = clock();
      const count = await posts.count(site);
      // Another request may have counted meanwhile, and have added some.
      if (counts.get(site) === known) counts.set(site, { posts: count, at });
    }
    return leftOf(site);
  }

  function added(site: SiteId, count: number): void {
    const known = counts.get(site);
    if (known !== undefined) known.posts += count;
  }

  return {
    room,
    added,

    async take(site) {
      await room(site);
      // Others that waited for the same count may have taken what it left.
      if (leftOf(site) < 1) throw new PostQuotaError({ site, limit: limitOf(site)! });
      added(site, 1);
    },

    async refresh({ all = false } = {}) {
      for (const id of counts.keys()) if (limitOf(id) === undefined) counts.delete(id);
      const due = limited().flatMap(({ id }) => (all || isOlder(id, OLD_MS) ? id : []));
      if (due.length === 0) return;
      const at = clock();
      const before = new Map(due.map((id) => [id, counts.get(id)]));
      const found = await posts.counts(due);
      // Another request may have counted meanwhile, as in `room`: its count is the newer one.
      for (const id of due) if (counts.get(id) === before.get(id)) counts.set(id, { posts: found.get(id) ?? 0, at });
    },

    uses: () =>
      limited().map(({ id, quotas }) => ({
        site: id,
        quota: 'posts' as const,
        used: counts.get(id)?.posts,
        limit: quotas!.maxPosts!,
      })),
  };
}
