// Loads a big site with threads beside the server's own: they tokenize the posts, and their index is restored like a
// snapshot. A post that was written meanwhile has another version on its card, and is read again.

import { WorkerError } from '../workers/rpc.ts';
import type { CardPage } from './cards.ts';
import { type IndexBuilder, openIndexBuilder } from './indexBuilder.ts';
import { type RestoredIndex, restoreIndex } from './indexSnapshot.ts';
import type { Load, Loaded } from './load.ts';
import { prefetch } from './prefetch.ts';
import { inSlices, yieldToEventLoop } from './yieldToEventLoop.ts';

/** Posts restored between two yields to the event loop. */
const POSTS_A_SLICE = 16;
/** Posts read again at once. */
const READ_AT_ONCE = 250;

/**
 * @param thread File of the thread, as it was built.
 * @throws {WorkerError} when the thread failed; the site index has some cards then, and no index.
 */
export async function loadInThreads(loading: Load, thread: URL): Promise<Loaded> {
  const { posts, site, siteIndex, keptAt, log, stopped } = loading;
  const builder = openIndexBuilder(thread);
  try {
    const { kept, problem } = await builder.begin(keptAt);
    if (problem !== undefined) {
      log.warn({ err: problem, site }, 'the snapshot of an index cannot be used; all texts are read again');
    }
    const met = await feed(loading, builder, kept ? posts.cardLines(site) : posts.lines(site));
    if (stopped()) return { posts: met, read: met };
    const made = await restoreIndex(builder.snapshot(), siteIndex, { fresh: !kept });
    if (!made) throw new WorkerError('failed', 'The index thread made no index that can be used.');
    // Its memory is freed before this thread needs more.
    await builder.end();
    const read = await restorePost(loading, made);
    return { posts: met, read: kept ? read : met + read };
  } finally {
    await builder.end();
  }
}

/** Hands the posts over, two batches at a time: the thread need not wait for us. @returns How many there were. */
async function feed(
  { siteIndex, count, progress, stopped }: Load,
  builder: IndexBuilder,
  lines: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<number> {
  let met = 0;
  let before: Promise<CardPage> | undefined;
  const meet = (page: CardPage | undefined) => {
    if (!page) return;
    siteIndex.meet(page);
    met += page.urls.length;
    progress(Math.min(1, met / count));
  };
  for await (const batch of prefetch(lines)) {
    const taken = builder.take(batch);
    // The next await sees the failure.
    taken.catch(() => undefined);
    meet(await before);
    before = taken;
    if (stopped()) break;
  }
  meet(await before);
  return met;
}

/**
 * Gives all posts back to the index that was made; those it has not, or has changed, are read. @returns How many were.
 */
async function restorePost({ posts, site, siteIndex, stopped }: Load, made: RestoredIndex): Promise<number> {
  const changed: string[] = [];
  let met = 0;
  for (const card of siteIndex.all()) {
    if (!made.restorePost(card)) changed.push(card.url);
    if (++met % POSTS_A_SLICE > 0) continue;
    await yieldToEventLoop();
    if (stopped()) return 0;
  }
  let read = 0;
  for (let at = 0; at < changed.length; at += READ_AT_ONCE) {
    for (const post of await posts.get(site, changed.slice(at, at + READ_AT_ONCE))) {
      siteIndex.place(post);
      read++;
      await yieldToEventLoop();
    }
    if (stopped()) return read;
  }
  await inSlices(made.removeUnrestored());
  return read;
}
