// Posts whose page is gone leave the lists once that is certain. A server may fail for an hour, and one that answers
// 404 to crawlers alone must not empty the lists of its site.
import type { Logger } from 'pino';
import { DAY, MINUTE } from '../durations.ts';
import { createLogThrottle } from '../logThrottle.ts';
import type { Post } from '../posts/post.ts';
import type { Library } from '../siteIndex/types.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { CrawlError } from './failure.ts';
import { LISTED, type QueueEntry } from './queueEntry.ts';
import type { CrawledPage } from './readSitePage.ts';
import { afterFailure, isGone, MAX_ATTEMPTS, queued } from './schedule.ts';

interface GonePostsOptions {
  crawlQueue: Pick<Store['crawlQueue'], 'get'>;
  library: Pick<Library, 'get' | 'recent' | 'write'>;
  /** Writes entries to the queue. */
  enqueue(entries: readonly QueueEntry[]): Promise<void>;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
}

/** Since start. */
export interface GoneCounts {
  /** Posts that left the lists, by site. */
  left: { site: SiteId; count: number }[];
  /** Sites none of whose posts was found, each with a page that was read before: they seem to keep the crawler out. */
  keptOut: { site: SiteId; url: string }[];
}

export interface GonePosts {
  /**
   * An article that was removed often leads to the front page, or to a page that says so with status 200: none of that
   * is written into its post. An editor who has the page itself read again decides.
   * @throws {CrawlError} `gone`.
   */
  requireArticle(site: Site, entry: QueueEntry, page: CrawledPage): Promise<void>;
  /** Takes the post off the lists where it is sure. @returns The entry as it goes back into the queue. */
  afterFailure(site: Site, entry: QueueEntry, error: CrawlError): Promise<QueueEntry>;
  /** A post of the site was read: it lets the crawler in. Also of a site that was removed. */
  served(site: SiteId): void;
  counts(): GoneCounts;
}

/** Newest posts of a site, one of which has to have been read since a page was not found. */
const OTHERS = 10;
/** Reading one of them so long before is as good. */
const RECENTLY_MS = 10 * MINUTE;
const LOG_PAUSE_MS = 60 * MINUTE;

export function createGonePosts({ crawlQueue, library, enqueue, log, now, clock }: GonePostsOptions): GonePosts {
  const throttle = createLogThrottle(LOG_PAUSE_MS, clock);
  const left = new Map<SiteId, number>();
  const keptOut = new Map<SiteId, string>();

  /** An address of a post that has another one is no post: what it leads to may be there. */
  async function postAt(site: Site, url: string): Promise<Post | undefined> {
    const [post] = await library.get(site.id, [url]);
    return post?.url === url ? post : undefined;
  }

  /** Entries of the newest other posts; undefined for one that is in no entry. */
  async function others(site: Site, url: string): Promise<Map<string, QueueEntry | undefined>> {
    const options = { limit: OTHERS, page: 1, filters: {}, excluded: new Set([url]), respectEmpty: false };
    const urls = (await library.recent(site.id, options)).map((post) => post.url);
    const entries = new Map((await crawlQueue.get(site.id, urls)).map((entry) => [entry.url, entry]));
    return new Map(urls.map((other) => [other, entries.get(other)]));
  }

  /** Has one of the other posts read, unless one was a moment ago: whether the crawler is let in at all. */
  async function readAnother(site: Site, newest: ReadonlyMap<string, QueueEntry | undefined>): Promise<void> {
    if (isServed(newest, now())) return;
    const able = [...newest].filter(([, entry]) => entry === undefined || entry.lastFailure === '');
    const [url, entry] = able.find(([, one]) => (one?.lastRead ?? 0) > 0) ?? able[0] ?? [];
    if (url === undefined) return;
    await enqueue([queued(entry, { site: site.id, url, requested: false, priority: LISTED }, now())]);
  }

  async function leaveLists(site: Site, { url }: QueueEntry): Promise<void> {
    await library.write(site.id, url, { patch: { goneAt: now() }, by: 'page' });
    left.set(site.id, (left.get(site.id) ?? 0) + 1);
    keptOut.delete(site.id);
    log.info({ site: site.id, url }, 'a post leaves the lists that readers see, because its page is gone');
  }

  function warn(site: Site, { url }: QueueEntry): void {
    keptOut.set(site.id, url);
    const more = throttle.pass(site.id);
    if (more === undefined) return;
    log.warn(
      { site: site.id, url, ...(more > 0 && { more }) },
      'a page that was read before is not found, and no other post of its site could be read since: the post stays in the lists; does the server keep the crawler out?',
    );
  }

  return {
    async requireArticle(site, entry, page) {
      if (page.patch.pageType === 'post' || (entry.requested && page.fetched === entry.url)) return;
      const post = await postAt(site, entry.url);
      if (post?.pageType !== 'post') return;
      // What its publisher declared to be a post is one, though its page never looked like it.
      if (!isTextRead(post) && (entry.lastRead === 0 || post.sent?.includes('pageType'))) return;
      const where = page.fetched === entry.url ? 'is' : `leads to ${page.fetched},`;
      throw new CrawlError('gone', `${entry.url} ${where} no article any more.`);
    },

    async afterFailure(site, entry, error) {
      const post = error.failure === 'gone' ? await postAt(site, entry.url) : undefined;
      if (post === undefined) return afterFailure(entry, error, now());
      const before = { ...entry, ...restart(entry, post), lastRead: lastRead(entry, post) };
      const after = afterFailure(before, error, now());
      if (post.goneAt !== undefined || before.lastRead === 0) return after;
      const newest = await others(site, entry.url);
      if (!isGone(before, error, now())) {
        await readAnother(site, newest);
        return after;
      }
      if (newest.size === 0 || isServed(newest, before.updatedAt)) {
        await leaveLists(site, before);
        return after;
      }
      warn(site, before);
      await readAnother(site, newest);
      return { ...after, due: after.attempts < MAX_ATTEMPTS ? now() + DAY : 0 };
    },

    served: (site) => void keptOut.delete(site),

    counts: () => toCounts(left, keptOut),
  };
}

const toCounts = (left: ReadonlyMap<SiteId, number>, keptOut: ReadonlyMap<SiteId, string>): GoneCounts => ({
  left: [...left].map(([site, count]) => ({ site, count })),
  keptOut: [...keptOut].map(([site, url]) => ({ site, url })),
});

/** Whether one of these was read since, or a moment before. @param since Epoch milliseconds. */
const isServed = (entries: ReadonlyMap<string, QueueEntry | undefined>, since: number): boolean =>
  [...entries.values()].some((entry) => entry?.lastFailure === '' && entry.lastRead > since - RECENTLY_MS);

/** A text that its publisher did not send was read from the page. */
const isTextRead = ({ wordCount, sent = [] }: Post): boolean => wordCount > 0 && !sent.includes('fullContent');

/** The queue forgets after 90 days. */
const lastRead = (entry: QueueEntry, post: Post): number => entry.lastRead || (isTextRead(post) ? post.updatedAt : 0);

/**
 * Answers are counted from here on where the page had failed otherwise, or where its publisher or another page said
 * something of the post since: that stands against the answers before.
 */
const restart = ({ updatedAt, lastFailure }: QueueEntry, post: Post): Partial<QueueEntry> =>
  lastFailure !== 'gone' || (post.goneAt === undefined && post.updatedAt > updatedAt)
    ? { attempts: 0, lastFailure: '' }
    : {};
