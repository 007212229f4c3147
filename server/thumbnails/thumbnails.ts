// Thumbnails of the pictures of posts: each made once, kept on the disk, from an address that the server named itself.
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import { MINUTE } from '../durations.ts';
import { hashOf } from '../http/etag.ts';
import { createRateLimit } from '../ingest/rateLimit.ts';
import type { SiteId } from '../sites/site.ts';
import { createThumbnailAddresses, type ThumbnailAddresses } from './addresses.ts';
import type { DiskCache, Thumbnail } from './diskCache.ts';
import { negativeTtlOf, type ThumbnailFailure } from './failure.ts';
import type { Made, ThumbnailMaker } from './maker.ts';
import type { Variant } from './variants.ts';

/**
 * Where the answer came from; `resting`: failed lately, and not fetched again; `busy`: too many are being made, or one
 * takes too long.
 */
export type ThumbnailOutcome = 'hit' | 'made' | 'resting' | 'busy' | 'off' | ThumbnailFailure;

export interface Thumbnails extends Pick<ThumbnailAddresses, 'isSigned'> {
  /**
   * Path and query of a picture's thumbnail; undefined where thumbnails are off, or where the picture can have none.
   */
  pathOf(site: SiteId, picture: string): string | undefined;
  /**
   * From the disk, or made now.
   * @param network Of the sender: each has a rate of pictures that are made for it. Undefined: a private network,
   * without one.
   * @returns undefined where the picture itself is to be shown.
   */
  get(picture: string, variant: Variant, network: string | undefined): Promise<Thumbnail | undefined>;
  /** Why this machine cannot make them; undefined: it can, they are switched off, or it was not probed yet. */
  readonly unable: string | undefined;
  /** Totals since start. */
  counts(): { outcome: ThumbnailOutcome; count: number }[];
  /** Bytes on the disk. */
  bytes(): number;
  close(): Promise<void>;
}

export interface ThumbnailsOptions {
  key: KeyObject;
  /**
   * Absent: thumbnails are off, and addresses that were named before lead to the pictures themselves. So do all, once
   * the probe has found out that the machine cannot make any.
   */
  backend: { cache: DiskCache; maker: ThumbnailMaker } | undefined;
  /** Of the requests for pictures. */
  userAgent: string;
  allowPrivate: boolean;
  /** Monotonic milliseconds. */
  clock(): number;
  log: Logger;
}

/** Pictures wait for the process, together. With ten a second the last waits for as long as a reader does. */
const MOST_WAITING = 64;
/** Milliseconds a reader waits; then the original is shown, while the thumbnail is finished for the next one. */
const PATIENCE_MS = 5_000;
/**
 * A page of new lists has some twenty pictures, and a network of readers some such pages; making one takes about 50 ms.
 */
const MAKING_RATE = { perSecond: 4, burst: 200 };
/** Negative cache: pictures that failed lately, until when each is not fetched again. */
const NEGATIVE_CACHE_SIZE = 10_000;
/**
 * Milliseconds after the start at which the machine is probed, unless a picture is named before: the probe starts a
 * process, which a server that is starting does not wait for.
 */
const PROBE_MS = 10_000;

/** Milliseconds until the next probe, where a loaded machine did not start the process, or not in time. */
const PROBE_AGAIN_MS = MINUTE;

const LATE =
  'the process that makes thumbnails is not ready; it is tried again, and until it is, lists show the pictures of posts as they are';

const UNABLE =
  'thumbnails are off: sharp, which makes them, cannot be loaded; lists show the pictures of posts as they are. ' +
  'Install it for this machine (npm install sharp), or say --thumbnails off';

/**
 * @param failed Called where this machine cannot make thumbnails.
 * @returns Finds out whether it can; later calls do nothing, unless there was no answer in time.
 */
function createProbe({ backend, clock, log }: ThumbnailsOptions, failed: (why: string) => void): () => Promise<void> {
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock() < nextAt) return;
    nextAt = Number.POSITIVE_INFINITY;
    const found = await backend?.maker.probe();
    if (found === undefined) return;
    const { why, mayPass } = found;
    if (!mayPass) return failed(why);
    nextAt = clock() + PROBE_AGAIN_MS;
    log.warn({ why }, LATE);
  };
}

export function createThumbnails(options: ThumbnailsOptions): Thumbnails {
  const { key, userAgent, allowPrivate, clock, log } = options;
  let { backend } = options;
  let unable: string | undefined;
  let closed = false;
  const addresses = createThumbnailAddresses(key);
  const rate = createRateLimit(MAKING_RATE);
  const negativeCache = new LRUCache<string, number>({ max: NEGATIVE_CACHE_SIZE });
  const underWay = new Map<string, Promise<Thumbnail | undefined>>();
  const { count, counts } = createOutcomes();

  async function finish(name: string, picture: string, made: Made, cache: DiskCache): Promise<Thumbnail | undefined> {
    if ('failure' in made) {
      const { failure, why } = made;
      log.debug({ picture, failure, why }, 'a thumbnail could not be made; the picture itself is shown');
      negativeCache.set(picture, clock() + negativeTtlOf(failure));
      return count(failure);
    }
    const thumbnail = { bytes: made.bytes, checksum: hashOf(made.bytes) };
    await cache.put(name, thumbnail);
    count('made');
    return thumbnail;
  }

  const askMaker = createProbe(options, (why) => {
    if (closed) return;
    unable = why;
    backend = undefined;
    log.warn({ why }, UNABLE);
  });
  async function probe(): Promise<void> {
    if (closed) return;
    clearTimeout(timer);
    await askMaker();
  }
  const timer = setTimeout(() => void probe(), PROBE_MS).unref();

  return {
    get unable() {
      return unable;
    },
    isSigned: addresses.isSigned,

    pathOf(site, picture) {
      if (backend === undefined) return undefined;
      void probe();
      return addresses.pathOf(site, picture);
    },

    async get(picture, variant, network) {
      if (backend === undefined) return count('off');
      void probe();
      const { cache, maker } = backend;
      const name = hashOf(JSON.stringify([picture, variant.width, variant.height, variant.format]));
      const kept = await cache.get(name);
      if (kept !== undefined) return count('hit') ?? kept;
      const others = underWay.get(name);
      if (others !== undefined) return await withDeadline(others, PATIENCE_MS, () => count('busy'));
      if ((negativeCache.get(picture) ?? 0) > clock()) return count('resting');
      if (underWay.size >= MOST_WAITING) return count('busy');
      if (network !== undefined && rate.take(network, 1, clock()) === 0) return count('busy');
      const making = maker
        .make({ picture, ...variant, userAgent, allowPrivate })
        .then((made) => finish(name, picture, made, cache))
        .finally(() => underWay.delete(name));
      underWay.set(name, making);
      return await withDeadline(making, PATIENCE_MS, () => count('busy'));
    },

    counts,
    bytes: () => backend?.cache.bytes() ?? 0,
    async close() {
      closed = true;
      clearTimeout(timer);
      await options.backend?.maker.close();
      await Promise.all(underWay.values());
      await options.backend?.cache.close();
    },
  };
}

function createOutcomes() {
  const counted = new Map<ThumbnailOutcome, number>();
  return {
    count(outcome: ThumbnailOutcome): undefined {
      counted.set(outcome, (counted.get(outcome) ?? 0) + 1);
      return undefined;
    },
    counts: () => [...counted].map(([outcome, total]) => ({ outcome, count: total })),
  };
}
