// Fills a site index from storage: posts whose words are in a snapshot come without their texts, the others are read.
import type { Logger } from 'pino';
import type { SiteId } from '../sites/site.ts';
import type { PostStore } from '../storage/store.ts';
import { WorkerError } from '../workers/rpc.ts';
import type { RestoredIndex } from './indexSnapshot.ts';
import { loadInThreads } from './loadInThreads.ts';
import { prefetch } from './prefetch.ts';
import type { SiteIndex } from './siteIndex.ts';
import { inSlices, yieldToEventLoop } from './yieldToEventLoop.ts';

export interface Load {
  posts: PostStore;
  site: SiteId;
  siteIndex: SiteIndex;
  log: Logger;
  /** Restores the site's index from its snapshot; undefined when there is none that can be used. */
  restoreIndex: () => Promise<RestoredIndex | undefined>;
  /** File in which that is kept; undefined: in none. */
  keptAt: string | undefined;
  /** How many posts storage has. */
  count: number;
  /** File of the thread in which the index is made; undefined: it is made in this one. */
  thread: URL | undefined;
  /** Called with the share of the posts that are in, 0 to 1. */
  progress: (share: number) => void;
  /** Whether the load should end. */
  stopped: () => boolean;
}

/** How many posts there are, and how many of them were read. */
export interface Loaded {
  posts: number;
  read: number;
}

/** Posts without a text taken in before waiting requests get their turn; one with a text takes milliseconds alone. */
const CARDS_A_SLICE = 16;

export async function load(loading: Load): Promise<Loaded> {
  const loaded = (await inThread(loading)) ?? (await here(loading));
  if (!loading.stopped()) await loading.siteIndex.tidy();
  loading.siteIndex.settled();
  return loaded;
}

/** @returns undefined when there is no thread, or it failed. */
async function inThread(loading: Load): Promise<Loaded | undefined> {
  if (!loading.thread) return undefined;
  try {
    return await loadInThreads(loading, loading.thread);
  } catch (err) {
    if (!(err instanceof WorkerError)) throw err;
    if (loading.stopped()) return { posts: 0, read: 0 };
    loading.log.warn({ err, site: loading.site }, 'posts are loaded without a thread of their own');
    return undefined;
  }
}

async function here(loading: Load): Promise<Loaded> {
  const kept = await loading.restoreIndex();
  return kept ? await fromKept(loading, kept) : await fromTexts(loading);
}

async function fromTexts({ posts, site, siteIndex, count, progress, stopped }: Load): Promise<Loaded> {
  let read = 0;
  for await (const batch of prefetch(posts.stream(site))) {
    for (const post of batch) {
      siteIndex.putLater(post);
      read++;
      await yieldToEventLoop();
      await inSlices(siteIndex.index.tidy({ merge: false }));
      if (stopped()) return { posts: read, read };
    }
    progress(Math.min(1, read / count));
  }
  return { posts: read, read };
}

async function fromKept(
  { posts, site, siteIndex, count, progress, stopped }: Load,
  kept: RestoredIndex,
): Promise<Loaded> {
  let met = 0;
  let read = 0;
  for await (const batch of prefetch(posts.cards(site))) {
    const changed: string[] = [];
    for (const card of batch) {
      if (!kept.restorePost(card)) changed.push(card.url);
      if (++met % CARDS_A_SLICE === 0) await yieldToEventLoop();
      if (stopped()) return { posts: met, read };
    }
    for (const post of await posts.get(site, changed)) {
      siteIndex.place(post);
      read++;
      await yieldToEventLoop();
    }
    progress(Math.min(1, met / count));
  }
  await inSlices(kept.removeUnrestored());
  return { posts: met, read };
}
