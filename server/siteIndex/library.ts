// The posts of every site: written through to storage, and in memory where they are asked for.
//
//   const library = createLibrary({ store, now, log });
//   await library.write(site, url, { patch, aliases });     durable, and recommendable at once
//   await library.recommend(site, request);                 waits for the site's index when it has to be loaded
import type { Logger } from 'pino';
import { fulfilledWithin } from '../deadline.ts';
import { HOUR, MINUTE } from '../durations.ts';
import { pageUrl, withoutQuery } from '../posts/canonicalUrl.ts';
import { isOneThing, type Post, type PostCard, toCard } from '../posts/post.ts';
import { type Explanation, explain } from '../recommend/explain.ts';
import type { Recommendation, RecommendRequest } from '../recommend/request.ts';
import { Workspace } from '../recommend/workspace.ts';
import { WorkspacePool } from '../recommend/workspacePool.ts';
import { type SearchRequest, type SearchResult, search } from '../search/search.ts';
import { SearchWorkspace } from '../search/workspace.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { catchUp } from './catchUp.ts';
import { createPostWriter, type PostWriter } from './postWriter.ts';
import { createRecentPosts } from './recentPosts.ts';
import { resolveInStorage } from './resolveInStorage.ts';
import { type Place, SiteCache } from './siteCache.ts';
import type { SiteIndex } from './siteIndex.ts';
import { createSiteLoader, type SiteLoader } from './siteLoader.ts';
import { createSnapshotFallback, type SnapshotFallback } from './snapshotFallback.ts';
import { openSnapshotFolder, type SnapshotFolder } from './snapshotFolder.ts';
import type { IndexSizes, LoadedLibrary } from './types.ts';
import { catchUpVectors } from './vectors.ts';

export interface LibraryOptions {
  store: Pick<Store, 'posts' | 'vectors'>;
  /** Epoch milliseconds. */
  now: () => number;
  /** Monotonic milliseconds, for how long a site was not used. Default: `now`. */
  clock?: () => number;
  log: Logger;
  /** Folder of the snapshots of indexes. Default: there are none, and each load reads all texts. */
  folder?: string;
  /** Whether sites are answered from their snapshots while the database is away. Default: they are not. */
  snapshotsAlone?: () => boolean;
  /** File of the thread the index of a big site is made in, as it was built. Default: there is none. */
  thread?: URL;
  /** Milliseconds after its last use until a site's index leaves memory. Default: an hour. */
  idleAfter?: number;
  /** Called before a new post is stored; rejects where its site may have no more. Default: it may. */
  takePost?: (site: SiteId) => Promise<void>;
  /** Bytes of the indexes in memory; beyond it, those used longest ago leave. Default: no limit. */
  memory?: number;
}

/** How long before the last look a change may have been dated: clocks differ, and writing takes time. */
const LATE_MS = MINUTE;

/** Opens nothing: sites are loaded when they are asked for. */
export const createLibrary = (options: LibraryOptions): LoadedLibrary => new PostLibrary(options);

class PostLibrary implements LoadedLibrary {
  readonly write: LoadedLibrary['write'];
  readonly remove: LoadedLibrary['remove'];
  readonly writeVectors: LoadedLibrary['writeVectors'];
  readonly clearVectors: LoadedLibrary['clearVectors'];
  readonly recent: LoadedLibrary['recent'];
  readonly recommendAway: LoadedLibrary['recommendAway'];
  readonly #store: LibraryOptions['store'];
  readonly #now: () => number;
  /** Of the queries that the main thread answers: one pool for all sites, since their queries run one after another. */
  readonly #workspaces = {
    related: new WorkspacePool(() => new Workspace()),
    search: new WorkspacePool(() => new SearchWorkspace()),
  };
  readonly #indexes: SnapshotFolder;
  /** Removals of snapshots under way. */
  readonly #removals = new Set<Promise<void>>();
  readonly #loader: SiteLoader;
  readonly #sites: SiteCache;
  readonly #snapshots: SnapshotFallback;
  readonly #writer: PostWriter;
  #closed = false;
  /** Time of the last `refresh`. */
  #looked: number;

  constructor(options: LibraryOptions) {
    const { store, now, clock = now, log, folder, thread, takePost } = options;
    const { idleAfter = HOUR, memory = Number.POSITIVE_INFINITY, snapshotsAlone: withCards = () => false } = options;
    this.#store = store;
    this.#now = now;
    this.#looked = now();
    this.#indexes = openSnapshotFolder(folder, { log, withCards, workspaces: this.#workspaces.related });
    this.#loader = createSiteLoader({
      store,
      snapshots: this.#indexes,
      thread,
      measure: (site) => this.#sites.measure(site),
      stopped: () => this.#closed,
      log,
    });
    this.#sites = new SiteCache({
      limit: memory,
      idleAfter,
      load: (site, place) => this.#load(site, place),
      log,
      clock,
    });
    this.#snapshots = createSnapshotFallback({
      read: this.#indexes.readAlone,
      room: () => memory - this.#sites.counts().bytes,
      idleAfter,
      now,
      clock,
      log,
    });
    this.#writer = createPostWriter({ store, sites: this.#sites, takePost, now });
    this.write = this.#writer.write;
    this.remove = this.#writer.remove;
    this.writeVectors = this.#writer.writeVectors;
    this.clearVectors = this.#writer.clearVectors;
    this.recent = createRecentPosts({ posts: store.posts, now });
    this.recommendAway = this.#snapshots.recommend;
  }

  async #load(site: SiteId, place: Place): Promise<SiteIndex> {
    const siteIndex = await this.#loader.load(site, place);
    this.#snapshots.drop(site);
    return siteIndex;
  }

  async resolve(site: SiteId, url: string): Promise<string> {
    const [resolved = url] = await this.resolveAll(site, [url]);
    return resolved;
  }

  async resolveAll(site: SiteId, urls: readonly string[]): Promise<string[]> {
    const siteIndex = this.#sites.loaded(site);
    const known = siteIndex
      ? urls.map((url) => siteIndex.resolve(url))
      : await resolveInStorage(this.#store.posts, site, urls);
    return urls.map((url, at) => known[at] ?? pageUrl(url) ?? url);
  }

  pageOf(site: SiteId, url: string): string {
    const bare = withoutQuery(url);
    const siteIndex = bare === url ? undefined : this.#sites.loaded(site);
    if (!siteIndex || siteIndex.isAlias(url) || siteIndex.card(url) !== undefined) return url;
    if (!siteIndex.isAlias(bare) && !isOneThing(siteIndex.card(bare))) return url;
    // A site whose readers request such addresses is not idle.
    this.#sites.offer(site);
    return bare;
  }

  isPost(site: SiteId, url: string): boolean {
    const siteIndex = this.#sites.offer(site)?.siteIndex;
    return siteIndex !== undefined && (siteIndex.has(url) || siteIndex.isAlias(url));
  }

  async get(site: SiteId, urls: readonly string[]): Promise<Post[]> {
    return await this.#store.posts.get(site, urls);
  }

  async cards(site: SiteId, urls: readonly string[]): Promise<PostCard[]> {
    const siteIndex = this.#sites.loaded(site);
    if (siteIndex) return urls.flatMap((url) => siteIndex.card(url) ?? []);
    return (await this.#store.posts.get(site, urls)).map(toCard);
  }

  isLoaded(site: SiteId): boolean {
    return this.#sites.loaded(site) !== undefined;
  }

  async ready(site: SiteId, ms?: number): Promise<boolean> {
    const { loaded, ready } = this.#sites.open(site);
    return loaded || (await fulfilledWithin(ready, ms));
  }

  async recommend(site: SiteId, request: RecommendRequest): Promise<Recommendation[]> {
    const siteIndex = await this.#sites.open(site).ready;
    return siteIndex.recommend(siteIndex.canonical(request), this.#now());
  }

  async explain(
    site: SiteId,
    request: RecommendRequest,
    recommended: readonly Recommendation[],
  ): Promise<Explanation[]> {
    const siteIndex = await this.#sites.open(site).ready;
    const urls = recommended.map(({ url }) => url);
    const texts = new Map((await this.#store.posts.get(site, urls)).map((post) => [post.url, post]));
    const posts = recommended.flatMap((one) => {
      const text = texts.get(one.url);
      return text === undefined ? [] : { ...text, ...one };
    });
    const asked = siteIndex.canonical(request);
    const now = this.#now();
    return this.#workspaces.related.use((workspace) => explain(siteIndex.index, asked, { posts, now, workspace }));
  }

  async search(site: SiteId, request: SearchRequest): Promise<SearchResult[]> {
    const siteIndex = await this.#sites.open(site).ready;
    const asked = { ...request, named: siteIndex.named(request.query) };
    return this.#workspaces.search.use((workspace) => search(siteIndex.searchIndex, asked, this.#now(), workspace));
  }

  loading(): { site: SiteId; progress: number }[] {
    return [...this.#sites.entries()].flatMap(([site, { loaded, progress }]) => (loaded ? [] : { site, progress }));
  }

  async warm(site: SiteId): Promise<void> {
    await fulfilledWithin(this.#sites.offer(site)?.ready);
  }

  async refresh(): Promise<void> {
    const before = this.#now();
    const since = this.#looked - LATE_MS;
    const siteIndexes = new Map(
      [...this.#sites.entries()].flatMap(([site, { siteIndex }]) => (siteIndex ? [[site, siteIndex]] : [])),
    );
    const { changed } = await catchUp(this.#store.posts, siteIndexes, since);
    const embeddings = new Map([...siteIndexes].map(([site, siteIndex]) => [site, siteIndex.embeddings]));
    await catchUpVectors(this.#store.vectors, embeddings, since);
    this.#looked = before;
    for (const site of changed) {
      // One that is loading is tidied when all is there.
      await this.#sites.tidy(site);
      this.#sites.measure(site);
    }
  }

  async keepSnapshots(): Promise<void> {
    for (const [site] of [...this.#sites.entries()]) await this.#sites.loaded(site)?.writeSnapshot();
  }

  dropIdle(): void {
    this.#sites.dropIdle();
    this.#snapshots.dropIdle();
  }

  async writeBeside<T>(site: SiteId, urls: readonly string[], work: () => Promise<T>): Promise<T> {
    try {
      return await this.#writer.alone(site, urls, work);
    } finally {
      this.#drop(site);
    }
  }

  forget(site: SiteId): void {
    const removal = this.#indexes.forget(site, this.#sites.settled(site));
    this.#removals.add(removal);
    void removal.then(() => this.#removals.delete(removal));
    this.#drop(site);
  }

  #drop(site: SiteId): void {
    this.#sites.drop(site);
    this.#snapshots.drop(site);
  }

  sizes(): IndexSizes {
    const { bytes, ...counts } = this.#sites.counts();
    return { ...counts, bytes: bytes + this.#snapshots.bytes, waiting: this.#loader.waiting };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writer.idle();
    await this.#sites.close();
    await Promise.all(this.#removals);
  }
}
