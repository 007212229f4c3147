// What is known of pages and videos that came in with views: which are worth reading, and which are posts under another
// name.

import { withoutQuery } from '../posts/canonicalUrl.ts';
import { isOneThing, type Post } from '../posts/post.ts';
import { postIdIn } from '../posts/postId.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import type { QueueEntry } from './queueEntry.ts';

export interface LookedUp {
  /** Addresses whose reading can bring anything new: of no post, or of one its publisher sent without the text. */
  unknown: { url: string; declared: boolean }[];
  /** Entries of addresses that wait in the queue and were never read. */
  waiting: QueueEntry[];
  /** Other names of posts that were not declared: name → canonical URL. */
  others: Map<string, string>;
  /** Ids that no post has. */
  unresolved: string[];
}

export interface LookUpOptions {
  store: { crawlQueue: Pick<Store['crawlQueue'], 'get'>; posts: Pick<Store['posts'], 'aliases' | 'withIds'> };
  library: Pick<Library, 'get'>;
}

export type LookUp = (site: SiteId, names: readonly string[]) => Promise<LookedUp>;

export function createLookUp({ store, library }: LookUpOptions): LookUp {
  /** Posts that were sent without their text are read for it. */
  async function ofAddresses(site: SiteId, urls: readonly string[]): Promise<Omit<LookedUp, 'unresolved'>> {
    const addresses = [...new Set([...urls, ...urls.map(withoutQuery)])];
    const [met, posts, aliases] = await Promise.all([
      store.crawlQueue.get(site, urls),
      library.get(site, addresses),
      store.posts.aliases(site, addresses),
    ]);
    const pages = new Map(posts.map((post) => [post.url, post]));
    const queued = new Map(met.map((entry) => [entry.url, entry]));
    // Parameters make no new page of a post; of any other page they may.
    const ownerOf = (bare: string) => aliases.get(bare) ?? (isOneThing(pages.get(bare)) ? bare : undefined);
    const unknown: LookedUp['unknown'] = [];
    const waiting: QueueEntry[] = [];
    const others = new Map<string, string>();
    for (const url of urls) {
      if (aliases.has(url)) continue;
      const bare = withoutQuery(url);
      const page = pages.get(url);
      const owner = bare === url || page !== undefined ? undefined : ownerOf(bare);
      if (owner !== undefined) others.set(url, owner);
      else if (isRead(page)) continue;
      else {
        const entry = queued.get(url);
        if (entry === undefined) unknown.push({ url, declared: (page?.sent ?? []).length > 0 });
        else if (entry.lastRead === 0) waiting.push(entry);
      }
    }
    return { unknown, waiting, others };
  }

  /** @param ids Name → id. */
  async function ofIds(site: SiteId, ids: ReadonlyMap<string, string>): Promise<Omit<LookedUp, 'unknown' | 'waiting'>> {
    const [urls, aliases] = await Promise.all([
      store.posts.withIds(site, [...ids.values()]),
      store.posts.aliases(site, [...ids.keys()]),
    ]);
    const unresolved: string[] = [];
    const others = new Map<string, string>();
    for (const [name, id] of ids) {
      const url = urls.get(id);
      if (url === undefined) unresolved.push(name);
      else if (aliases.get(name) !== url) others.set(name, url);
    }
    return { others, unresolved };
  }

  return async (site, names) => {
    const ids = new Map<string, string>();
    for (const name of names) {
      const id = postIdIn(name);
      if (id !== undefined) ids.set(name, id);
    }
    const urls = names.filter((name) => !ids.has(name));
    const pages = urls.length > 0 ? await ofAddresses(site, urls) : { unknown: [], waiting: [], others: new Map() };
    const named = ids.size > 0 ? await ofIds(site, ids) : { others: new Map(), unresolved: [] };
    return { ...pages, ...named, others: new Map([...pages.others, ...named.others]) };
  };
}

/** Whether reading the page can bring nothing new. */
export const isRead = (post: Post | undefined) =>
  post !== undefined && (post.pageType !== 'post' || post.wordCount > 0);
