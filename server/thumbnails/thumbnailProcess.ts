// The process that fetches and decodes pictures. It has no secret in its environment and a lower priority than the
// server, and ends by itself when it grows too large or the server is gone.
import { setPriority } from 'node:os';
import { LRUCache } from 'lru-cache';
import { CrawlError } from '../crawl/failure.ts';
import { messageOf } from '../errors.ts';
import { type Handlers, serveProcessMethods } from '../workers/serveMethods.ts';
import type { ThumbnailFailure } from './failure.ts';
import type { ThumbnailJob } from './makeThumbnail.ts';

export type MadeThumbnail = { bytes: Uint8Array } | { failure: ThumbnailFailure; why: string };

export interface ThumbnailMethods {
  /** Fails where pictures cannot be decoded on this machine. */
  probe(): void;
  make(job: ThumbnailJob): MadeThumbnail;
}

const NICENESS = 10;
/** Bytes of pictures kept for a minute: a page asks for two or three widths of one. */
const MAX_RECENT_BYTES = 32 * 1024 * 1024;
const RECENT_MS = 60_000;
/** Above what eight downloads, those pictures and the largest one that is decoded take. */
const MAX_BYTES = 640 * 1024 * 1024;
const LOOK_MS = 100;

async function loadDecoder() {
  const decoder = await import('./makeThumbnail.ts');
  decoder.restrictDecoders();
  return decoder;
}

function createThumbnailMethods(loading: ReturnType<typeof loadDecoder>): Handlers<ThumbnailMethods> {
  const recent = new LRUCache<string, Buffer, ThumbnailJob>({
    maxSize: MAX_RECENT_BYTES,
    sizeCalculation: ({ length }) => length + 1,
    ttl: RECENT_MS,
    fetchMethod: async (_picture, _stale, { context }) => (await loading).fetchPicture(context),
  });
  let decoding: Promise<unknown> = Promise.resolve();
  return {
    probe: async () => void (await loading),
    async make(job) {
      const { shrink, ThumbnailError } = await loading;
      try {
        const picture = await recent.forceFetch(job.picture, { context: job });
        const bytes = decoding.then(() => shrink(picture, job));
        decoding = bytes.catch(() => undefined);
        return { bytes: await bytes };
      } catch (error) {
        const known = error instanceof ThumbnailError || error instanceof CrawlError;
        return { failure: known ? error.failure : 'no-picture', why: messageOf(error) };
      }
    },
  };
}

function serveThumbnails(): void {
  setPriority(NICENESS);
  process.once('disconnect', () => process.exit(0));
  setInterval(() => {
    if (process.memoryUsage.rss() > MAX_BYTES) process.exit(1);
  }, LOOK_MS).unref();
  const loading = loadDecoder();
  // Each call sees the failure.
  loading.catch(() => undefined);
  serveProcessMethods<ThumbnailMethods>(createThumbnailMethods(loading));
}

serveThumbnails();
