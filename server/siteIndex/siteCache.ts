// The sites in memory: an LRU cache bounded by bytes. A site that leaves memory keeps its snapshot on the disk, and is
// loaded from that when it is asked for again.
//
//   const cache = new SiteCache({ limit, idleAfter, load, log, clock });
//   await cache.open(site).ready;              for a request that waits: loaded before others, which make room for it
//   cache.offer(site)                          for traffic: loaded where there is room
import type { Logger } from 'pino';
import { StoreUnavailableError } from '../errors.ts';
import type { SiteId } from '../sites/site.ts';
import { FailedLoads } from './failedLoads.ts';
import type { SiteIndex } from './siteIndex.ts';

/** A site in memory, or on its way there. */
export interface Place {
  /** undefined while the load waits for a slot: what is written meanwhile is read by the load. */
  siteIndex: SiteIndex | undefined;
  /** The site index with all posts; rejects when the load fails. */
  ready: Promise<SiteIndex>;
  loaded: boolean;
  /** Share of the posts read from storage, 0 to 1. */
  progress: number;
  /** A request waits for it. */
  urgent: boolean;
  /** Monotonic milliseconds. */
  lastUse: number;
  bytes: number;
}

export interface SiteCacheOptions {
  /** Bytes of all sites together; the site being queried stays in memory, whatever its size. */
  limit: number;
  /** Milliseconds after its last use until a site leaves memory. */
  idleAfter: number;
  /** Sets `siteIndex` of the place when it begins to fill it, and calls `measure` as it grows. */
  load: (site: SiteId, place: Place) => Promise<SiteIndex>;
  log: Logger;
  /** Monotonic milliseconds. */
  clock: () => number;
}

export interface SiteCacheCounts {
  sites: number;
  posts: number;
  bytes: number;
  /** Bytes that all may take. */
  limit: number;
  /** Sites that left memory since start because others needed it. */
  evictions: number;
}

/**
 * Traffic makes only those leave that were not used for so long: sites of equal traffic must not displace each other in
 * turn.
 */
const DISPLACED_AFTER_MS = 600_000;
/** What a site takes that is not loaded yet, while none is in memory to learn it from. */
const USUAL_BYTES = 6e6;
/** Seconds until a load is tried again that failed because the database did not answer. */
const TRIED_AGAIN = [1, 2, 4, 8, 16];

/** One that is loading has no snapshot, and one that is busy is writing it. */
const canLeave = ({ loaded, siteIndex }: Place): boolean => loaded && siteIndex?.busy === false;

const newPlace = (lastUse: number): Place => ({
  siteIndex: undefined,
  // Replaced: a load is given its place.
  ready: new Promise(() => undefined),
  loaded: false,
  progress: 0,
  urgent: false,
  lastUse,
  bytes: 0,
});

export class SiteCache {
  readonly #options: SiteCacheOptions;
  /** Used last comes last. */
  readonly #places = new Map<SiteId, Place>();
  readonly #retries = new Map<SiteId, { failures: number; timer: NodeJS.Timeout | undefined }>();
  readonly #failed = new FailedLoads();
  readonly #oversized = new Set<SiteId>();
  #bytes = 0;
  #loaded = 0;
  #evictions = 0;
  #closed = false;

  constructor(options: SiteCacheOptions) {
    this.#options = options;
  }

  /** Loads a site where it is not in memory; other sites leave. */
  open(site: SiteId): Place {
    const place = this.#places.get(site);
    if (place) place.urgent = true;
    const failed = this.#failed.of(site);
    if (place || !failed) return place ? this.#use(site, place) : this.#begin(site, true);
    return { ...newPlace(this.#options.clock()), ready: Promise.reject(failed.error) };
  }

  /** As `open`, where there is room, or a site that was not used for minutes can leave; undefined: there is none. */
  offer(site: SiteId): Place | undefined {
    const known = this.#places.get(site);
    if (known) return this.#use(site, known);
    if (this.#closed || this.#failed.of(site)) return undefined;
    for (const [other, place] of this.#places) {
      if (this.#hasRoom() || this.#options.clock() - place.lastUse <= DISPLACED_AFTER_MS) break;
      if (canLeave(place)) this.#evict(other, place);
    }
    return this.#hasRoom() ? this.#begin(site, false) : undefined;
  }

  /** Without loading it. */
  peek(site: SiteId): Place | undefined {
    return this.#places.get(site);
  }

  /** The index of a site whose posts are all in memory. Without loading it. */
  loaded(site: SiteId): SiteIndex | undefined {
    const place = this.#places.get(site);
    return place?.loaded ? place.siteIndex : undefined;
  }

  /**
   * Brings the index of a loaded site up to date. One that could not be would never be again, as its work is half done:
   * it leaves memory, and is loaded anew when it is asked for.
   */
  async tidy(site: SiteId): Promise<void> {
    const siteIndex = this.loaded(site);
    try {
      await siteIndex?.tidy();
    } catch (err) {
      // Others that waited for the same work get the same failure.
      if (this.loaded(site) !== siteIndex) return;
      this.#options.log.error({ err, site }, 'index could not be tidied; its site is loaded again');
      this.drop(site);
    }
  }

  /** To be called when a site index has grown or shrunk: sites used longest ago leave where the limit is passed. */
  measure(site: SiteId): void {
    const place = this.#places.get(site);
    if (place) this.#grow(site, place);
  }

  /** Resolves when the site is not being loaded and no work on its index is under way, such as writing its snapshot. */
  async settled(site: SiteId): Promise<void> {
    const place = this.#places.get(site);
    await Promise.allSettled([place?.ready]);
    await place?.siteIndex?.idle();
  }

  drop(site: SiteId): void {
    const place = this.#places.get(site);
    if (place) this.#remove(site, place);
    this.#forgetRetry(site);
    this.#failed.forget(site);
  }

  /** Sites that were not used lately leave. */
  dropIdle(): void {
    const { clock, idleAfter } = this.#options;
    for (const [site, place] of this.#places) {
      this.#grow(site, place);
      if (canLeave(place) && clock() - place.lastUse > idleAfter) this.#remove(site, place);
    }
  }

  entries(): IterableIterator<[SiteId, Place]> {
    return this.#places.entries();
  }

  counts(): SiteCacheCounts {
    const indexes = [...this.#places.values()].flatMap(({ siteIndex }) => siteIndex ?? []);
    return {
      sites: indexes.length,
      posts: indexes.reduce((sum, { posts }) => sum + posts, 0),
      bytes: this.#bytes,
      limit: this.#options.limit,
      evictions: this.#evictions,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const site of [...this.#retries.keys()]) this.#forgetRetry(site);
    await Promise.allSettled([...this.#places.values()].map(({ ready }) => ready));
    await Promise.all([...this.#places.values()].map(({ siteIndex }) => siteIndex?.idle()));
    this.#places.clear();
  }

  #use(site: SiteId, place: Place): Place {
    this.#places.delete(site);
    this.#places.set(site, place);
    place.lastUse = this.#options.clock();
    return place;
  }

  #begin(site: SiteId, urgent: boolean): Place {
    const { load, clock } = this.#options;
    const place = { ...newPlace(clock()), urgent };
    this.#places.set(site, place);
    place.ready = load(site, place);
    place.ready.then(
      () => this.#finish(site, place),
      (err: unknown) => this.#fail(site, place, err),
    );
    return place;
  }

  #finish(site: SiteId, place: Place): void {
    place.loaded = true;
    place.progress = 1;
    this.#forgetRetry(site);
    this.#failed.forget(site);
    if (this.#places.get(site) !== place) return;
    this.#loaded++;
    this.#grow(site, place);
    // What cannot leave while its snapshot is written may leave then.
    void place.siteIndex?.idle().then(() => this.#trim(place));
  }

  /** Requests that wait for `ready` get the failure, too; what the next one does, the kind of the failure says. */
  #fail(site: SiteId, place: Place, err: unknown): void {
    const { log } = this.#options;
    // Dropped meanwhile: the site was removed, or is loaded again when it is asked for.
    if (this.#places.get(site) !== place) return;
    this.#remove(site, place);
    const { failures, timer } = this.#retries.get(site) ?? { failures: 0, timer: undefined };
    if (this.#closed || timer !== undefined) return;
    const seconds = TRIED_AGAIN[failures];
    const isAway = err instanceof StoreUnavailableError;
    if (!isAway || seconds === undefined) {
      this.#forgetRetry(site);
      if (!isAway) this.#failed.add(site, err);
      log.error({ err, site }, 'posts could not be loaded');
      return;
    }
    if (failures === 0) log.warn({ site, cause: err.message }, 'posts could not be loaded; the load is tried again');
    this.#retryLater(site, failures + 1, seconds * 1000);
  }

  #retryLater(site: SiteId, failures: number, ms: number): void {
    const timer = setTimeout(() => {
      this.#retries.set(site, { failures, timer: undefined });
      if (!this.offer(site)) this.#forgetRetry(site);
    }, ms).unref();
    this.#retries.set(site, { failures, timer });
  }

  #forgetRetry(site: SiteId): void {
    clearTimeout(this.#retries.get(site)?.timer);
    this.#retries.delete(site);
  }

  #remove(site: SiteId, place: Place): void {
    this.#places.delete(site);
    if (place.loaded) this.#loaded--;
    this.#bytes -= place.bytes;
    place.bytes = 0;
  }

  #grow(site: SiteId, place: Place): void {
    if (this.#places.get(site) !== place || !place.siteIndex) return;
    const { limit } = this.#options;
    const size = place.siteIndex.bytes;
    this.#bytes += size - place.bytes;
    place.bytes = size;
    this.#trim(place);
    if (size > limit && !this.#oversized.has(site)) this.#warnOfSize(site, size);
  }

  #warnOfSize(site: SiteId, size: number): void {
    const { limit, log } = this.#options;
    this.#oversized.add(site);
    const [megabytes, most] = [size, limit].map((each) => Math.ceil(each / 2 ** 20));
    log.warn(
      { site, megabytes, limit: most },
      'the index of one site is larger than the memory for indexes: other sites leave memory whenever it is asked; raise --index-memory',
    );
  }

  #evict(site: SiteId, place: Place): void {
    this.#remove(site, place);
    this.#evictions++;
    this.#options.log.debug({ site }, 'index left memory');
  }

  /** Makes room in the order of last use. @param kept Stays. */
  #trim(kept: Place): void {
    for (const [site, place] of this.#places) {
      if (this.#bytes <= this.#options.limit) return;
      if (place !== kept && canLeave(place)) this.#evict(site, place);
    }
  }

  #hasRoom(): boolean {
    const usual = this.#loaded === 0 ? USUAL_BYTES : this.#bytes / this.#loaded;
    return this.#bytes + (this.#places.size - this.#loaded + 1) * usual <= this.#options.limit;
  }
}
