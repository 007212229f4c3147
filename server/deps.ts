// What the application is made of: handed to createApp, so that tests can hand in a clock or a store of their own.
import type { Logger } from 'pino';
import type { Failure } from './crawl/failure.ts';
import type { CrawledPage } from './crawl/readSitePage.ts';
import type { SitemapCrawl } from './crawl/sitemaps/crawlSitemaps.ts';
import type { Spool } from './ingest/spool.ts';
import type { Speaker } from './posts/mergeMetadata.ts';
import type { Post, PostCard, PostPatch } from './posts/post.ts';
import type { Explanation } from './recommend/explain.ts';
import type { Readers } from './recommend/readers.ts';
import type { Recommendation, RecommendRequest } from './recommend/recommend.ts';
import type { SearchRequest, SearchResult } from './search/search.ts';
import type { Partner } from './sites/partner.ts';
import type { Site, SiteId } from './sites/site.ts';
import type { Store } from './storage/store.ts';
import type { Thumbnails } from './thumbnails/thumbnails.ts';

export interface Deps {
  /** Epoch milliseconds: what time it is, which may be set forward and back. */
  now(): number;
  /** Monotonic milliseconds: how long something takes or is kept. Default: `now`. */
  clock?(): number;
  log: Logger;
  store: Store;
  sites: SiteDirectory;
  partners: PartnerDirectory;
  ingest: Ingest;
  library: Library;
  crawler: Crawler;
  profiles: Profiles;
  /** Absent: nothing is known of what readers read next. */
  readership?: Readership;
  exclusions: Exclusions;
  /** Absent: records name the pictures of posts themselves. */
  thumbnails?: Pick<Thumbnails, 'pathOf' | 'isSigned' | 'get'>;
  settings: AppSettings;
}

export interface AppSettings {
  /** Origin of the links in answers, e.g. `https://stats.example.com`; undefined: the request's own host. */
  publicUrl: string | undefined;
  /** Proxies in front of us whose X-Forwarded-For entries are believed, counted from the right. */
  trustedProxies: number;
  /** Folder of the built widget. */
  widgetDir: string;
  /** Bytes of one batch of events; default 512 KiB. */
  maxBatchBytes?: number;
  /** Questions from one /24 or /48 of addresses. Default: as many as come. */
  readRate?: { perSecond: number; burst: number };
}

/** Every site, in memory: asked on each request. */
export interface SiteDirectory {
  /** Case does not matter; undefined for unknown or malformed ids. */
  find(id: string): Site | undefined;
  list(): Site[];
  /** @throws {SiteExistsError} */
  add(site: Site): Promise<void>;
  replace(site: Site): Promise<void>;
  remove(id: SiteId): Promise<void>;
}

/** Every partner, in memory. */
export interface PartnerDirectory {
  /** Case does not matter. */
  find(name: string): Partner | undefined;
  list(): Partner[];
  add(partner: Partner): Promise<void>;
  remove(partner: Partner): Promise<void>;
}

/** Who sent a request with events. Never stored. */
export interface Sender {
  ip: string;
  userAgent: string;
  /** Origin or referrer of the request itself, "" when not sent. */
  referer: string;
  /** Set when it is a program that reports what others do, so that its user agent tells nothing about them. */
  speaksFor?: 'app users' | 'visitors';
  /** Address of the visitor, when the sender speaks for one. */
  visitorIp?: string;
  /** The neighbourhood of addresses whose rate it counts against, known also where `ip` is not used; undefined: none. */
  source?: string | undefined;
  /** An image asked for it, which does not come again: what is beyond a quota is dropped, not refused. Default: false. */
  isPixel?: boolean;
  /** Events of its rate that `reserve` has taken for this batch. Default: 0. */
  reserved?: number;
  /** Events of the batch beyond the bound of a body, as its length suggests: counted as dropped. Default: 0. */
  unread?: number;
}

/** Why an event was not stored (or, `too-many-urls`, was stored without its page, video or referring page, as "(other)"). A closed union, each counted. */
export type DropReason =
  | 'malformed'
  | 'unknown-site'
  | 'foreign-host'
  | 'bot'
  | 'bad-url'
  | 'unknown-action'
  | 'bad-increment'
  | 'opted-out'
  | 'duplicate'
  | 'too-many-urls'
  | 'too-many-bytes'
  | Refusal['reason'];

/** Why a whole batch was refused: its sender's rate, its site's rate, its site's quota of the day, its length. */
export type Refusal =
  | { reason: 'rate-limited' | 'site-rate-limited'; site: string; waitMs: number }
  | { reason: 'over-events-quota'; site: string; limit: number; waitMs: number }
  | { reason: 'too-many-events'; limit: number };

export interface IngestReport {
  stored: number;
  dropped: Partial<Record<DropReason, number>>;
}

export interface Ingest {
  /**
   * Takes a batch's share of its sender's rate by its size, before the batch is parsed: junk and empty batches cost too.
   * @param bytes Of its body.
   * @returns Events taken, for `sender.reserved`.
   * @throws {RefusedError} when the rate is used up.
   */
  reserve(sender: Pick<Sender, 'source'>, bytes: number): number;
  /**
   * Takes events as they came (meant to be `IncomingEvent`s); resolves when every one that is kept is durable.
   * @throws {OverloadedError} when neither engine nor queue can take more; nothing of the batch is stored then.
   * @throws {RefusedError} when it is more than a limit allows; nothing of the batch is stored then either.
   */
  accept(events: readonly unknown[], sender: Sender): Promise<IngestReport>;
  /** Totals since start, per site and outcome. */
  counts(): { site: string; outcome: 'stored' | DropReason; count: number }[];
  /** Events of bots since start, by the bot's name; `other` for those the table of names has not. */
  bots(): { name: string; count: number }[];
  /** What is not in the engine yet: events whose senders wait; and files on the disk whose senders were answered. */
  backlog(): {
    waiting: number;
    spooledGroups: number;
    spooledEvents: number;
    spooledBytes: number;
    /** Milliseconds that the oldest of those files has waited: so far may lists lag behind; 0 where there is none. */
    spooledFor: number;
    /** Files of the spool that cannot be read now, and are tried again; the events in them, as far as known; the last error. */
    retrying: { files: number; events: number; why: string | undefined };
    /** Bytes the spool has room for; 0 where there is none. */
    spoolRoom: number;
  };
  /** Erases the salts of earlier days, which all copies of the server share. Default: nothing is shared. */
  eraseSalts?(): Promise<void>;
  /** What became of events that cannot be inserted; undefined where there is no spool. */
  spool?: Spool | undefined;
  /** Writes what waits and takes no more; the engine has a moment to take what is on the disk. */
  drain(): Promise<void>;
}

/** Raised where a batch is more than a limit allows. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`Refused: ${refusal.reason}`);
    this.refusal = refusal;
  }
}

/** Raised where a queue is full or the server drains: answered with HTTP 503. */
export class OverloadedError extends Error {
  override name = 'OverloadedError';
}

/**
 * Raised where the database, or a part of it, cannot answer for now: answered with the last good list, or with HTTP 503.
 * Its message is for whoever asked, so it names no machine of ours.
 */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
  /** Servers that do not answer, for the operator. Empty where it is not known, or where none is away. */
  readonly away: readonly string[];

  constructor(message: string, { away = [], ...options }: ErrorOptions & { away?: readonly string[] } = {}) {
    super(message, options);
    this.away = away;
  }
}

/** What is said about a post. */
export interface PostChange {
  patch: PostPatch;
  aliases?: readonly string[];
  /** Who says it. Default: the publisher, whose word no page overrides. */
  by?: Speaker;
}

/** The posts of every site: written through to storage, indexed in memory. */
export interface Library {
  /**
   * Merges what is said into what is known, stores it, declares aliases, makes it recommendable. Resolves when durable.
   * @throws {PostQuotaError} where it would be a new post, and its site has as many as it may.
   */
  write(site: SiteId, url: string, change: PostChange): Promise<Post>;
  remove(site: SiteId, urls: readonly string[]): Promise<void>;
  /** Canonical URL for any address of a post: itself, an alias, or the address without query and fragment. */
  resolve(site: SiteId, url: string): Promise<string>;
  /**
   * Address that traffic of a page counts under: without its query, where that makes no page of its own but the address of a post or
   * a video. From memory, so that every event can ask: as given while the site's posts are not all there.
   */
  pageOf(site: SiteId, url: string): string;
  /**
   * Whether an address is one of a post or page that is known: declared by its publisher or read by the crawler. From memory; false
   * while the site's posts are not all there, whose loading it starts.
   */
  isPost(site: SiteId, url: string): boolean;
  get(site: SiteId, urls: readonly string[]): Promise<Post[]>;
  /** As `get`, without the texts; from memory, where the site's index is loaded. */
  cards(site: SiteId, urls: readonly string[]): Promise<PostCard[]>;
  /**
   * Waits for the site's index, which is loaded before those that no request waits for.
   * @param ms Milliseconds at most. Default: until it is loaded, or the load has failed.
   * @returns Whether it is in memory.
   */
  ready(site: SiteId, ms?: number): Promise<boolean>;
  /** Whether the site's index is in memory. Loads nothing. */
  isLoaded(site: SiteId): boolean;
  /**
   * Ranks; any address of a post will do. Waits for the site's index to be loaded from storage when it is not in
   * memory yet.
   */
  recommend(site: SiteId, request: RecommendRequest): Promise<Recommendation[]>;
  /** The most recent posts that a request may show, from storage: for the time while the site's index is loaded. */
  recent(site: SiteId, request: RecommendRequest): Promise<PostCard[]>;
  /**
   * What is recommended from the site's snapshot on the disk, for the time while the database is away and the index is not in memory;
   * the posts as they were when the snapshot was written. Empty where there is none, or where reading it takes long.
   */
  recommendAway(site: SiteId, request: RecommendRequest): Promise<PostCard[]>;
  /** Finds posts by their words. Waits for the site's index like `recommend`. */
  search(site: SiteId, request: SearchRequest): Promise<SearchResult[]>;
  /** Why these posts stand where they stand in the answer to a request. */
  explain(site: SiteId, request: RecommendRequest, recommended: readonly Recommendation[]): Promise<Explanation[]>;
  /** Sites whose index is loading, with how far it is (0 to 1). */
  loading(): { site: SiteId; progress: number }[];
  close(): Promise<void>;
}

/** Reads the pages of sites. */
export interface Crawler {
  /**
   * A view came in. Costs a look-up in memory; an unknown page is queued soon after.
   * @param network Of the sender: pages seen from several are read first. Default: not known.
   */
  viewed(site: SiteId, url: string, network?: string): void;
  /** Queues a page to be read before all others. Resolves when durable. */
  request(site: SiteId, url: string): Promise<void>;
  /**
   * Reads a page at once. `framed`: with the page itself, as it can be shown to others. Default: without.
   * @throws {CrawlError} when it cannot be read.
   */
  readNow(
    site: Site,
    url: string,
    how?: { framed: boolean },
  ): Promise<{
    page: CrawledPage;
    /** Writes what was read; resolves with the URL of the record. */
    keep(): Promise<string>;
  }>;
  /** Filling a site from its archive. */
  readonly sitemaps: SitemapCrawl;
  /** Totals since start. `left-out`: more new pages in an hour than are read in one. */
  counts(): { outcome: 'read' | 'left-out' | Failure; count: number }[];
}

/** Visitors' profiles: pages visited in the last 7 days. */
export interface Profiles {
  /** Resolves when durable. */
  train(site: SiteId, uuid: string, url: string): Promise<void>;
  /** Newest first. */
  visits(site: SiteId, uuid: string): Promise<{ url: string; time: number }[]>;
  /** Lets go of a profile that was erased from storage. */
  forget(site: SiteId, uuid: string): void;
  drain(): Promise<void>;
}

/** What the readers of each site read next, in memory. */
export interface Readership {
  /** undefined while it is being loaded. */
  of(site: SiteId): Readers | undefined;
}

/** URLs hidden from every answer, in memory. */
export interface Exclusions {
  /** The excluded canonical URLs of a site now. */
  of(site: SiteId): Promise<ReadonlySet<string>>;
  /** @returns false, with nothing changed, when the site has 200 already. */
  ignore(site: SiteId, url: string): Promise<boolean>;
  include(site: SiteId, url: string): Promise<void>;
}
