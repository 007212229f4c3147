// Measures what the mix dial gives on a site's own posts and stored views, in a thread beside the server's own, with
// half of a core at most. Views are read in pieces, and kept in twenty bytes each.
import { setTimeout as sleep } from 'node:timers/promises';
import { LEAST_NEXT_READS, LEAST_POSTS } from '../contract/frontier.ts';
import { counted } from '../counted.ts';
import { MINUTE } from '../durations.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { openThread, type RemoteWorker } from '../workers/rpc.ts';
import type { Frontier } from './frontier.ts';
import type { FrontierMethods, ViewPage } from './frontierThread.ts';

export interface Measuring {
  store: { posts: Pick<Store['posts'], 'count' | 'newestSince' | 'lines' | 'aliases'>; readings: Store['readings'] };
  site: SiteId;
  /** File of the thread, as it was built. */
  thread: URL;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
  /** Of a site with more posts, only the newest are measured. Default: 50,000, whose index takes about 250 MB. */
  mostPosts?: number;
  /** Ends the measurement, which rejects. */
  stop: AbortSignal;
  /** Called after each step, with the views that were gone through. */
  progress(done: number, total: number): void;
}

/** What was found; `tooFew` says why nothing was. */
export type Measured = Found | { tooFew: string };

export interface Found {
  /** That were measured. */
  posts: number;
  /** Of the site. */
  allPosts: number;
  /** Of the posts that were measured. */
  views: number;
  frontier: Frontier;
}

/** The measurement would take more time or memory than it may; the message says what to do. */
export class MeasuringError extends Error {
  override name = 'MeasuringError';
}

const MOST_POSTS = 50_000;
/** The newest; twice what the readers of a running server remember. */
const MOST_VIEWS = 500_000;
const MAX_HEAP_MB = 1_024;
const MOST_MS = 30 * MINUTE;
/** One call: the first step puts the index in order. */
const CALL_MS = 120_000;

/** @throws {MeasuringError} */
export async function measureFrontier(measuring: Measuring): Promise<Measured> {
  const { store, site, thread, clock, stop, progress, mostPosts = MOST_POSTS } = measuring;
  const begun = clock();
  const allPosts = await store.posts.count(site);
  if (allPosts < LEAST_POSTS) return { tooFew: tooFewPosts(allPosts) };
  const worker = openThread<FrontierMethods>(thread, { name: 'frontier', maxHeapMb: MAX_HEAP_MB, background: true });
  const end = () => void worker.end();
  stop.addEventListener('abort', end);
  const call = createSlowCalls(worker, { clock, stop, begun });
  try {
    const since = allPosts > mostPosts ? await store.posts.newestSince(site, mostPosts) : undefined;
    const { indexed, views } = await feed(measuring, call, { since, most: mostPosts });
    const posts = allPosts > mostPosts ? indexed : allPosts;
    for (;;) {
      const step = await call('step', undefined);
      if (step === undefined) throw new Error('The measurement ended without a result.');
      const { done, total, frontier } = step;
      if (frontier !== undefined) return judge({ posts, allPosts, views, frontier });
      progress(done, total);
    }
  } finally {
    stop.removeEventListener('abort', end);
    await worker.end();
  }
}

type Call = RemoteWorker<FrontierMethods>['call'];

/** Calls after each of which the thread rests as long as it worked. */
function createSlowCalls(
  worker: RemoteWorker<FrontierMethods>,
  { clock, stop, begun }: Pick<Measuring, 'clock' | 'stop'> & { begun: number },
) {
  const slowly: Call = async (name, argument, options) => {
    stop.throwIfAborted();
    const before = clock();
    if (before - begun > MOST_MS)
      throw new MeasuringError(`The measurement takes longer than ${MOST_MS / 60_000} minutes on this server.`);
    const result = await worker.call(name, argument, { timeout: CALL_MS, ...options });
    await sleep(clock() - before, undefined, { signal: stop, ref: false });
    return result;
  };
  return slowly;
}

/**
 * Hands the posts and the newest views over.
 * @param only.since Epoch milliseconds: posts that were published earlier are left out. undefined: none are.
 * @param only.most So many posts, about, are read.
 * @returns How many posts, and views of them, the thread has.
 */
async function feed(
  { store, site, now, stop }: Measuring,
  call: Call,
  { since, most }: { since: number | undefined; most: number },
): Promise<{ indexed: number; views: number }> {
  let indexed = 0;
  for await (const lines of store.posts.lines(site, since)) {
    indexed = await call('addPosts', lines, { transfer: [lines.buffer] });
    // Posts that were moved from another system may all have one date, or none: then the first by their addresses.
    if (indexed >= most) break;
  }
  await call('addAliases', [...(await store.posts.aliases(site))]);
  let views = 0;
  for (const period of await store.readings.newest(site, { to: now(), most: MOST_VIEWS })) {
    stop.throwIfAborted();
    const page = toViewPage(await store.readings.between([site], period));
    views = await call('addViews', page, { transfer: [page.times.buffer] });
  }
  return { indexed, views };
}

const toViewPage = (views: readonly { time: number; url: string; visitor: string }[]): ViewPage => ({
  times: Float64Array.from(views, ({ time }) => time),
  urls: views.map(({ url }) => url),
  visitors: views.map(({ visitor }) => visitor),
});

function judge(found: Found): Measured {
  const { points, fitted } = found.frontier;
  const [first, second] = [fitted, points].map((some) => some[0]?.questions ?? 0) as [number, number];
  return first < LEAST_NEXT_READS || second < LEAST_NEXT_READS
    ? { tooFew: tooFewViews(found.views, [first, second]) }
    : found;
}

const tooFewPosts = (posts: number): string =>
  `The site has ${counted(posts, 'post')}: at least ${LEAST_POSTS} are needed, so that lists differ.`;

const tooFewViews = (views: number, [first, second]: readonly [number, number]): string =>
  `The site has ${counted(views, 'view')} of posts in 28 days. In them a reader went on to another post ${first} times where ` +
  `the dial is fitted, and ${second} times where it is judged: at least ${LEAST_NEXT_READS} of each are needed.`;
