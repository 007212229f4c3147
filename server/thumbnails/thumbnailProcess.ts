// The process pictures are fetched and decoded in. It has no secret in its environment, yields the processor to the
// server, and ends by itself when it grows too large or the server is gone.
import { setPriority } from 'node:os';
import { LRUCache } from 'lru-cache';
import { CrawlError } from '../crawl/failure.ts';
import type { ThumbnailFailure } from './failure.ts';
import type { ThumbnailJob } from './makeThumbnail.ts';

export type ThumbnailRequest = ThumbnailJob & { id: number };
/** `ready` comes once, before all others: whether pictures can be decoded on this machine. */
export type ThumbnailReply =
  | { ready: true }
  | { ready: false; why: string }
  | { id: number; bytes: Uint8Array }
  | { id: number; failure: ThumbnailFailure; why: string };

const NICENESS = 10;
/** Bytes of pictures kept for a minute: a page asks for two or three widths of one. */
const MAX_RECENT_BYTES = 32 * 1024 * 1024;
const RECENT_MS = 60_000;
/** Above what eight downloads, those pictures and the largest one that is decoded take. */
const MAX_BYTES = 640 * 1024 * 1024;
const LOOK_MS = 100;

const reply = (message: ThumbnailReply): void => void process.send?.(message);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function serveThumbnails(): Promise<void> {
  setPriority(NICENESS);
  process.once('disconnect', () => process.exit(0));
  setInterval(() => {
    if (process.memoryUsage.rss() > MAX_BYTES) process.exit(1);
  }, LOOK_MS).unref();
  const { fetchPicture, restrictDecoders, shrink, ThumbnailError } = await import('./makeThumbnail.ts');
  restrictDecoders();
  const recent = new LRUCache<string, Buffer, ThumbnailJob>({
    maxSize: MAX_RECENT_BYTES,
    sizeCalculation: ({ length }) => length + 1,
    ttl: RECENT_MS,
    fetchMethod: (_picture, _stale, { context }) => fetchPicture(context),
  });
  let decoding: Promise<unknown> = Promise.resolve();

  async function make({ id, ...job }: ThumbnailRequest): Promise<ThumbnailReply> {
    try {
      const picture = await recent.forceFetch(job.picture, { context: job });
      const bytes = decoding.then(() => shrink(picture, job));
      decoding = bytes.catch(() => undefined);
      return { id, bytes: await bytes };
    } catch (error) {
      const known = error instanceof ThumbnailError || error instanceof CrawlError;
      return { id, failure: known ? error.failure : 'no-picture', why: messageOf(error) };
    }
  }

  process.on('message', (job: ThumbnailRequest) => void make(job).then(reply));
  reply({ ready: true });
}

serveThumbnails().catch((error: unknown) => reply({ ready: false, why: messageOf(error) }));
