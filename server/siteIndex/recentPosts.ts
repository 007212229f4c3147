// The most recent posts of a site from storage: shown where posts are recommended, while the site's index is not in
// memory.
import { LRUCache } from 'lru-cache';
import { pageUrl, withoutQuery } from '../posts/canonicalUrl.ts';
import type { PostCard } from '../posts/post.ts';
import { lastPubDate } from '../recommend/filters.ts';
import type { SiteId } from '../sites/site.ts';
import type { PostStore } from '../storage/store.ts';
import type { RecentRequest } from './types.ts';

/** One list serves the readers of a site while its index is loaded: read again after so many milliseconds. */
const FRESH_MS = 5_000;
const LISTS = 500;
/** Posts of all lists: what a filter asks for makes a list of its own. */
const MAX_POSTS = 20_000;
/** Posts of a list beyond what is asked for: some are hidden, or were read. */
const SPARE = 50;
/** Posts read at most. */
const MOST = 500;

/** Those of one page of a request, without what it excludes; nothing, where only what is relevant is asked for. */
export type RecentPosts = (site: SiteId, request: RecentRequest) => Promise<PostCard[]>;

export function createRecentPosts({
  posts,
  now,
}: {
  posts: Pick<PostStore, 'recent'>;
  now: () => number;
}): RecentPosts {
  const lists = new LRUCache<string, PostCard[], { site: SiteId; filters: RecentRequest['filters']; most: number }>({
    max: LISTS,
    maxSize: MAX_POSTS,
    sizeCalculation: ({ length }) => 1 + length,
    ttl: FRESH_MS,
    // Nearly none is asked for again once the index of its site is loaded.
    ttlAutopurge: true,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: { site, filters, most } }) =>
      posts.recent(site, { ...filters, pubDateEnd: lastPubDate(filters, now()) }, most),
  });

  function read(site: SiteId, { filters, limit, page }: RecentRequest): Promise<PostCard[]> {
    const most = Math.min(MOST, limit * page + SPARE);
    // "Of the last seven days" and "until now" are other moments each time, and mean the same posts.
    const { pubDateStart = 0, pubDateEnd = 0, ...names } = filters;
    const dates = [pubDateStart, pubDateEnd].map((date) => Math.floor(date / FRESH_MS));
    const key = JSON.stringify([site, names, dates, most]);
    return lists.forceFetch(key, { context: { site, filters, most } });
  }

  return async (site, request) => {
    const { url, visits = [], excluded, hidden = [], limit, page, respectEmpty } = request;
    if (respectEmpty) return [];
    const never = new Set([...excluded, ...hidden, ...visits.map((visit) => visit.url)]);
    if (url !== undefined) for (const own of [url, withoutQuery(url), pageUrl(url)]) if (own) never.add(own);
    const shown = (await read(site, request)).filter((post) => !never.has(post.url));
    return shown.slice(limit * (page - 1), limit * page);
  };
}
