// Waits until listed pages were read, with progress. What is broken off loses nothing: the queue is in the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { inDigits } from '../../counted.ts';
import type { Failure } from '../../crawl/failure.ts';
import type { PageOutcome } from '../../crawl/sitemaps/crawlSitemaps.ts';
import { SITEMAP_BATCH } from '../../crawl/sitemaps/sitemapFile.ts';
import type { PageOutcomes, SitemapQuestion } from '../admin/sitemaps.ts';
import { openProgress } from '../progress.ts';
import type { Reach } from '../reach.ts';
import { sitePath } from '../sitePath.ts';

/** Pages with one reason, and the first of them, to look at. */
export interface Counted {
  pages: number;
  first: string;
}

export interface Watched {
  posts: number;
  /** Read, and no posts. */
  others: Counted;
  refused: Partial<Record<Failure, Counted>>;
  /** Could not be read now; tried again by themselves. */
  later: Partial<Record<Failure, Counted>>;
  /** The site has as many posts as it may. */
  leftOut: Counted;
  /** Still in the queue when the waiting was broken off. */
  waiting: number;
}

export interface PagesToWatch {
  site: string;
  /** In the order they are read. */
  urls: readonly string[];
  /** Epoch milliseconds, before the first was queued. */
  since: number;
  /** Ends the waiting. */
  stop: AbortSignal;
}

/** A page a second is read of a host. */
const POLL_MS = 1_000;

/** @throws {CommandError} when the server goes away; its queue stays. */
export async function watchPages(reach: Reach, { site, urls, since, stop }: PagesToWatch): Promise<Watched> {
  const none: Counted = { pages: 0, first: '' };
  const watched: Watched = { posts: 0, others: none, refused: {}, later: {}, leftOut: none, waiting: 0 };
  let open = [...urls];
  const progress = openProgress({ title: 'Reading pages', total: urls.length, elsewhere: 'lines' });
  try {
    while (open.length > 0 && !stop.aborted) {
      // Pages are read in their order, several hosts at a time: those that are done are among the first that are open.
      const asked = open.slice(0, SITEMAP_BATCH);
      const path = sitePath(site, '/listed/outcomes');
      const { outcomes } = await reach.ask<PageOutcomes>('POST', path, {
        urls: asked,
        since,
      } satisfies SitemapQuestion);
      const waiting = asked.filter((url, index) => !note(watched, url, outcomes[index]!));
      open = [...waiting, ...open.slice(asked.length)];
      const done = urls.length - open.length;
      progress.update(done, `${inDigits(done)} of ${inDigits(urls.length)} pages, ${inDigits(watched.posts)} posts`);
      if (waiting.length > 0) await pause(stop);
    }
  } finally {
    progress.close();
  }
  return { ...watched, waiting: open.length };
}

/** @returns Whether the page is done. */
function note(watched: Watched, url: string, { state, failure }: PageOutcome): boolean {
  if (state === 'waiting') return false;
  if (state === 'post') watched.posts += 1;
  else if (state === 'other') watched.others = oneMore(watched.others, url);
  else if (state === 'left-out') watched.leftOut = oneMore(watched.leftOut, url);
  else if (failure !== undefined) watched[state][failure] = oneMore(watched[state][failure], url);
  return true;
}

const oneMore = ({ pages, first }: Counted = { pages: 0, first: '' }, url: string): Counted => ({
  pages: pages + 1,
  first: first || url,
});

async function pause(stop: AbortSignal): Promise<void> {
  try {
    await sleep(POLL_MS, undefined, { signal: stop });
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
