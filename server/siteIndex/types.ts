// The interface of the posts of every site: stored, indexed in memory, recommended and searched.
import type { MetadataSource } from '../posts/mergeMetadata.ts';
import type { Post, PostCard, PostPatch } from '../posts/post.ts';
import type { Explanation } from '../recommend/explain.ts';
import type { Recommendation, RecommendRequest } from '../recommend/request.ts';
import type { SearchRequest, SearchResult } from '../search/search.ts';
import type { SiteId } from '../sites/site.ts';
import type { PostVector } from '../textindex/embeddings.ts';
import type { SiteCacheCounts } from './siteCache.ts';
import type { VectorOutcome } from './vectors.ts';

/** What is said about a post. */
export interface PostChange {
  patch: PostPatch;
  aliases?: readonly string[];
  /** Source of the metadata. Default: the publisher, which no page overrides. */
  by?: MetadataSource;
}

/** What decides which of the most recent posts are shown. */
export type RecentRequest = Pick<
  RecommendRequest,
  'url' | 'visits' | 'excluded' | 'hidden' | 'filters' | 'limit' | 'page' | 'respectEmpty'
>;

/** What a list shows of a recommended post. */
export type RecommendedCard = PostCard & Pick<Recommendation, 'source'>;

/** The posts of every site: written through to storage, indexed in memory. */
export interface Library {
  /**
   * Merges what is said into what is known, stores it, declares aliases, makes it recommendable. Resolves when durable.
   * @throws {PostQuotaError} where it would be a new post, and its site has as many as it may.
   */
  write(site: SiteId, url: string, change: PostChange): Promise<Post>;
  remove(site: SiteId, urls: readonly string[]): Promise<void>;
  /** Canonical URL for any address of a post, as an address bar shows it: itself, an alias, or without its query. */
  resolve(site: SiteId, url: string): Promise<string>;
  /** As `resolve`, of each address in its place. */
  resolveAll(site: SiteId, urls: readonly string[]): Promise<string[]>;
  /**
   * Address that traffic of a page counts under: without its query, where that makes no page of its own but the address
   * of a post or a video. From memory, so that every event can ask: as given while the site's posts are not all there.
   */
  pageOf(site: SiteId, url: string): string;
  /**
   * Whether an address is one of a post or page that is known: declared by its publisher or read by the crawler. From
   * memory; false while the site's posts are not all there, whose loading it starts.
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
  recent(site: SiteId, request: RecentRequest): Promise<PostCard[]>;
  /**
   * What is recommended from the site's snapshot on the disk, for the time while the database is away and the index is
   * not in memory; the posts as they were when the snapshot was written. Empty where there is none, or where reading it
   * takes long.
   */
  recommendAway(site: SiteId, request: RecommendRequest): Promise<RecommendedCard[]>;
  /** Finds posts by their words. Waits for the site's index like `recommend`. */
  search(site: SiteId, request: SearchRequest): Promise<SearchResult[]>;
  /** Explains the rank of these posts in the answer to a request. */
  explain(site: SiteId, request: RecommendRequest, recommended: readonly Recommendation[]): Promise<Explanation[]>;
  /** Sites whose index is loading, with how far it is (0 to 1). */
  loading(): { site: SiteId; progress: number }[];
  close(): Promise<void>;
}

/** The library, and what the server's start and its periodic jobs ask of it. */
export interface LoadedLibrary extends Library {
  /** Stores vectors of posts and takes them in at once. Resolves when durable, with what became of each. */
  writeVectors(site: SiteId, given: readonly Omit<PostVector, 'updatedAt'>[]): Promise<VectorOutcome[]>;
  /** Removes all vectors of a site. */
  clearVectors(site: SiteId): Promise<void>;
  /**
   * Loads a site's index in the background, where there is room. Resolves when it is in memory, or is not to be; never
   * rejects.
   */
  warm(site: SiteId): Promise<void>;
  /** Takes in what other copies of the server wrote to the same storage since the last look. */
  refresh(): Promise<void>;
  /** Writes the snapshots of the sites in memory: to be called when they begin to be kept with their cards. */
  keepSnapshots(): Promise<void>;
  /** Drops the indexes that were not used lately. */
  dropIdle(): void;
  /**
   * Lets `work` write posts of a site beside the library, by the store. Writes of the library to these posts wait for
   * it: none undoes the other. The index is dropped then, its snapshots stay, and it is loaded when it is asked for.
   */
  writeBeside<T>(site: SiteId, urls: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Drops a site that was removed, with its snapshots. */
  forget(site: SiteId): void;
  /** What is in memory, of all sites together. */
  sizes(): IndexSizes;
}

export interface IndexSizes extends SiteCacheCounts {
  /** Loads that wait for a slot. */
  waiting: number;
}
