// What the rest of the server may ask of storage, by role. storage/ implements it; no other folder names a table.

import type { Share } from '../crawl/copies.ts';
import type { CrawlFailures, QueueEntry } from '../crawl/queueEntry.ts';
import type { NameKind } from '../ingest/cardinality/nameCardinality.ts';
import type { EventRow } from '../ingest/eventRow.ts';
import type { Lines } from '../ingest/lines.ts';
import type { Post, PostCard } from '../posts/post.ts';
import type { RecommendFilters } from '../recommend/request.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { PostVector } from '../textindex/embeddings.ts';
import type { TrafficQuery, TrafficRow } from '../traffic/query.ts';
import type { AnnotationStore } from './annotations.ts';
import type { BackupStore } from './backup.ts';
import type { DamagedPart } from './checkTables.ts';
import type { ConsoleSessionStore } from './consoleSessions.ts';
import type { CopyStore } from './copies.ts';
import type { EncodedRows } from './engine.ts';
import type { ExpiryStore } from './expiredMonths.ts';
import type { VisitorStore } from './forget.ts';
import type { FrontierStore } from './frontiers.ts';
import type { KeyStore } from './keys.ts';
import type { MoveStore } from './liveMove.ts';
import type { MaterialisedHourStore } from './materialisedHours.ts';
import type { MessageStore } from './messages.ts';
import type { OperatorTokenStore } from './operatorTokens.ts';
import type { PartnerStore } from './partners.ts';
import type { RetentionStore } from './retention.ts';
import type { SettledDayStore } from './settledDays.ts';
import type { SharedViewStore } from './sharedViews.ts';
import type { SiteActivityStore } from './siteActivity.ts';

export interface Store {
  sites: SiteStore;
  partners: PartnerStore;
  events: EventStore;
  salts: SaltStore;
  keys: KeyStore;
  consoleSessions: ConsoleSessionStore;
  sharedViews: SharedViewStore;
  annotations: AnnotationStore;
  frontiers: FrontierStore;
  operatorTokens: OperatorTokenStore;
  copies: CopyStore;
  posts: PostStore;
  vectors: VectorStore;
  crawlQueue: CrawlQueueStore;
  messages: MessageStore;
  exclusions: ExclusionStore;
  profiles: ProfileStore;
  traffic: TrafficStore;
  readings: ReadingStore;
  archive: EventArchive;
  visitors: VisitorStore;
  backups: BackupStore;
  moves: MoveStore;
  /** How much is stored, roll-ups included. */
  size(): Promise<StoreSize>;
  /** Whether other copies of the server can use this database: it is on a server. A live move changes it. */
  isShared(): boolean;
  siteSizes: SiteSizeStore;
  siteActivity: SiteActivityStore;
  retention: RetentionStore;
  expiry: ExpiryStore;
  settledDays: SettledDayStore;
  materialisedHours: MaterialisedHourStore;
  damage: DamageStore;
  /** Resolves when the engine answers a trivial question; rejects with the engine's error. */
  ping(): Promise<void>;
  /** Waits for what is running, then lets the engine go. */
  close(): Promise<void>;
}

export interface StoreSize {
  /** Parts of the tables, which the engine merges in the background. */
  parts: number;
  rows: number;
  /** On disk. */
  bytes: number;
}

/** What a site has in the tables. There need be no such site any more. */
export interface SiteSize {
  site: string;
  /** Rows as they are stored, versions included; bytes by the average row of the table. The largest first. */
  tables: { table: string; rows: number; bytes: number }[];
  rows: number;
  bytes: number;
  /** Days of the first and the last event, `YYYY-MM-DD` in the site's time zone; null while there is none. */
  first: string | null;
  last: string | null;
}

export interface PurgedTable {
  table: string;
  rows: number;
}

export interface SiteSizeStore {
  /** The largest first. Reads a short column of every table. @param site Default: all. */
  read(site?: string): Promise<SiteSize[]>;
  /** When the last event of each site came: ISO 8601 for the last two days, else the day (`YYYY-MM-DD`). */
  lastEvents(): Promise<Map<string, string>>;
  /** Removes every row of a site. @returns How many there were in each table. */
  purge(site: SiteId): Promise<PurgedTable[]>;
}

export interface SiteStore {
  /** In the order of their ids. The same list as before where no site was written or removed since. */
  list(): Promise<readonly Site[]>;
  find(id: SiteId): Promise<Site | undefined>;
  /** Inserts or replaces. */
  save(site: Site, now: number): Promise<void>;
  /** Removes the site and all it owns: events, posts, exclusions, profiles. */
  remove(id: SiteId): Promise<void>;
}

export interface EventStore {
  /** Durable once resolved. A batch with a token already committed is not stored again, in roll-ups neither. */
  append(rows: readonly EventRow[], token: string): Promise<void>;
  /** Writes an event as one line of what `appendLines` takes. @param page Its entry, which caches the cell. */
  writeLine(row: EventRow, lines: Lines, page?: { url: string; cell?: Uint8Array | undefined }): void;
  /** What stands in a line; the key is the last. */
  readonly columns: readonly string[];
  /**
   * As `append`, with rows that were made into lines earlier, by this version of the program or another: lines of one
   * table, as `byTable` returns them.
   */
  appendLines(lines: EncodedRows, token: string): Promise<void>;
  /** Keys of the events of the last two days before `now`, at most `limit`: what a sender may be about to repeat. */
  recentKeys(range: { now: number; limit: number }): Promise<string[]>;
  /**
   * Names of one kind in what is stored of the last two days before `now`, at most `limit`, those seen last first:
   * labels of page views, names of lists by the day.
   */
  recentNames(range: { kind: NameKind; now: number; limit: number }): Promise<{ site: string; name: string }[]>;
}

/** The salts that hide the addresses of readers. A day is `YYYY-MM-DD`, of UTC. */
export interface SaltStore {
  /**
   * Agrees with every other server of this database on the salt of a day.
   * @param salt What it shall be, where none is said yet.
   * @returns What it is; undefined where it is not known now.
   */
  agree(day: string, salt: string): Promise<string | undefined>;
  /** The hashes of earlier days cannot be computed again. */
  eraseBefore(day: string): Promise<void>;
}

export interface PostStore {
  /** By canonical URL, in the order asked for; unknown ones are left out. */
  get(site: SiteId, urls: readonly string[]): Promise<Post[]>;
  /** Posts by their publisher's own ids: id → canonical URL. Of several with one id, the one written last. */
  withIds(site: SiteId, ids: readonly string[]): Promise<Map<string, string>>;
  save(site: SiteId, posts: readonly Post[]): Promise<void>;
  remove(site: SiteId, urls: readonly string[], now: number): Promise<void>;
  /**
   * Declares URLs to be other addresses of a canonical one, and with them whatever led to them: an address that moves
   * twice still leads to the post.
   * @returns All that lead there by this.
   */
  alias(site: SiteId, canonical: string, aliases: readonly string[], now: number): Promise<string[]>;
  /** Aliases of a site, all or those among `urls`: alias URL → canonical URL. */
  aliases(site: SiteId, urls?: readonly string[]): Promise<Map<string, string>>;
  /** Other addresses of a post, at most `limit`, by their names. */
  aliasesOf(site: SiteId, canonical: string, limit: number): Promise<string[]>;
  /**
   * What was written at or after `since` (epoch milliseconds): posts with the time of the last word on each, removals
   * included, and aliases. An alias that leads to itself is none any more.
   */
  changes(range: { sites: readonly SiteId[]; since: number }): Promise<PostChanges>;
  /** Every post of a site, ordered by URL, in batches, so that an index can be built while others are served. */
  stream(site: SiteId): AsyncIterable<Post[]>;
  /** As `stream`, as lines of JSON that `parsePosts` reads. @param since Only posts published then or later. */
  lines(site: SiteId, since?: number): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Date of the oldest of the `most` newest posts, of those with a date; undefined: none has. */
  newestSince(site: SiteId, most: number): Promise<number | undefined>;
  /** As `lines`, without the texts. */
  cardLines(site: SiteId): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** As `stream`, without the texts. */
  cards(site: SiteId): AsyncIterable<PostCard[]>;
  /** The newest posts that filters let pass, by publication date, without their texts. */
  recent(site: SiteId, filters: RecommendFilters, limit: number): Promise<PostCard[]>;
  /**
   * The posts that have or had alternative titles or pictures, by URL.
   * @param range.endedSince Epoch milliseconds: without those whose test ended earlier. Default: all.
   */
  tested(site: SiteId, range?: { endedSince: number }): Promise<PostCard[]>;
  /** Sites with such posts. */
  sitesTested(): Promise<SiteId[]>;
  /** How many posts `stream` will yield. */
  count(site: SiteId): Promise<number>;
  /** As `count`, of several sites by one query; a site without posts is left out. */
  counts(sites: readonly SiteId[]): Promise<Map<string, number>>;
  /** Of each site, how many posts have left the lists because their page is gone; a site without one is left out. */
  gone(): Promise<{ site: string; posts: number }[]>;
}

export interface PostChanges {
  posts: { site: SiteId; url: string; updatedAt: number }[];
  aliases: { site: SiteId; alias: string; canonical: string }[];
}

/** Vectors of posts, by URL; there need be no post yet. */
export interface VectorStore {
  /** How many dimensions all vectors of a site have; undefined while there are none. */
  dimension(site: SiteId): Promise<number | undefined>;
  /** Unknown ones are left out. In no order. */
  get(site: SiteId, urls: readonly string[]): Promise<PostVector[]>;
  /** The time of a write that counts against all earlier ones: `now`, or later where the clock was set back. */
  nextTime(site: SiteId, now: number): Promise<number>;
  /** Inserts or replaces. Durable once resolved. No URL twice. */
  save(site: SiteId, vectors: readonly PostVector[]): Promise<void>;
  /** Removes all vectors of a site: those saved from `now` on may have another dimension. */
  clear(site: SiteId, now: number): Promise<void>;
  /** What was written at or after `since` (epoch milliseconds), removals included. */
  changes(range: { sites: readonly SiteId[]; since: number }): Promise<PostChanges['posts']>;
  /** Every vector of a site, in batches. */
  stream(site: SiteId): AsyncIterable<PostVector[]>;
}

/** Pages the crawler has met: what happened, and when they are read next. */
export interface CrawlQueueStore {
  get(site: SiteId, urls: readonly string[]): Promise<QueueEntry[]>;
  /** Inserts or replaces. Durable once resolved. */
  save(entries: readonly QueueEntry[]): Promise<void>;
  /**
   * What is due at `now`, at most `perSite` of each site: requested pages first and those seen from one network alone
   * last; among the others those never read first, then the higher priority, then the longest waiting.
   * @param bounds.share Only pages on hosts that fall to this copy of the server. Default: all.
   */
  due(bounds: { now: number; limit: number; perSite: number; share?: Share | undefined }): Promise<QueueEntry[]>;
  /** Pages that could not be read, by reason, the most frequent first; of each the last ones to fail. */
  failures(site: SiteId, excluded: ReadonlySet<string>): Promise<CrawlFailures[]>;
}

export interface ExclusionStore {
  /** URLs hidden at `now` (those older than 90 days are gone by themselves). */
  list(site: SiteId, now: number): Promise<string[]>;
  add(site: SiteId, url: string, now: number): Promise<void>;
  remove(site: SiteId, url: string, now: number): Promise<void>;
}

/** One page a visitor's profile was trained with. */
export interface ProfileVisit {
  url: string;
  /** Epoch milliseconds. */
  time: number;
}

export interface ProfileStore {
  append(rows: readonly (ProfileVisit & { site: SiteId; uuid: string })[], token: string): Promise<void>;
  /** Newest first, one row a URL, at most `limit`, none older than 7 days before `now`. */
  visits(site: SiteId, uuid: string, range: { now: number; limit: number }): Promise<ProfileVisit[]>;
}

/** Page views as a plain log. Times are epoch milliseconds, `to` exclusive. */
export interface ReadingStore {
  /** Who of some sites read what when, in order of time. `visitor`: hash, as stored; "0" for no visitor. */
  between(
    sites: readonly SiteId[],
    period: { from: number; to: number },
  ): Promise<{ site: SiteId; time: number; url: string; visitor: string }[]>;
  /** Periods, newest first, with the newest views before `to`: about `most` views, of at most 28 days. */
  newest(site: SiteId, range: { to: number; most: number }): Promise<{ from: number; to: number }[]>;
  /** The sites with the most page views from a day on, `YYYY-MM-DD`; the most visited first. */
  busiest(range: { since: string; most: number }): Promise<SiteId[]>;
}

export interface TrafficStore {
  run(query: TrafficQuery): Promise<TrafficRow[]>;
}

export interface EventArchive {
  /** Raw events of a site, oldest day first, in batches. Times in epoch milliseconds, `to` exclusive. */
  read(site: SiteId, period: { from: number; to: number }): AsyncIterable<EventRow[]>;
}

export interface DamageStore {
  /** Parts of tables whose rows are in no answer, because they could not be read: by name, at once. */
  setAside(): Promise<DamagedPart[]>;
  /** Parts of tables whose checksums do not match. Reads the whole database: minutes for a large one. */
  check(): Promise<DamagedPart[]>;
}
