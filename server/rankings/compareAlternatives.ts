// Compares the alternative titles and pictures of posts by what their readers did: new shares or a winner to the posts.
import type { Logger } from 'pino';
import { judgeAlternatives } from '../experiments/judgeAlternatives.ts';
import { type Alternatives, runningOf } from '../posts/alternatives.ts';
import type { PostCard } from '../posts/post.ts';
import { serveEach } from '../serveEach.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { countAlternatives } from './countAlternatives.ts';

interface Running {
  post: PostCard;
  test: Alternatives;
}

export interface Comparing {
  store: Pick<Store, 'posts' | 'traffic'>;
  sites: Pick<SiteDirectory, 'find'>;
  library: Pick<Library, 'write'>;
  /** Epoch milliseconds. */
  now(): number;
  log: Logger;
  /** Tests of a site that are looked at in a run. Default: 100. */
  most?: number;
  /** Ends the run after the test that it is at. Default: it goes to its end. */
  stop?: AbortSignal;
}

/** Between two runs: shares follow what was clicked within this. */
export const COMPARE_MS = 300_000;
const MOST_TESTS = 100;

/**
 * One run, over all sites.
 * @throws {AggregateError} Of the tests that could not be looked at, once all others were.
 */
export async function compareAlternatives(comparing: Comparing): Promise<void> {
  const failures: unknown[] = [];
  for (const id of await comparing.store.posts.sitesTested()) {
    const site = comparing.sites.find(id);
    if (site === undefined || comparing.stop?.aborted) continue;
    const running = (await comparing.store.posts.tested(site.id, { endedSince: comparing.now() })).flatMap((post) => {
      const test = runningOf(post);
      return test ? [{ post, test }] : [];
    });
    failures.push(
      ...(await serveEach(inTurn(running, comparing), (one) => compareOne(site, one, comparing), {
        stop: comparing.stop,
      })),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} tests of titles failed.`);
}

/** Those of this run: of more than can be looked at, others each time. */
function inTurn(running: readonly Running[], { now, most = MOST_TESTS }: Comparing): readonly Running[] {
  if (running.length <= most) return running;
  const sorted = running.toSorted((one, other) => one.test.startedAt - other.test.startedAt);
  const from = (Math.floor(now() / COMPARE_MS) * most) % sorted.length;
  return [...sorted.slice(from), ...sorted.slice(0, from)].slice(0, most);
}

async function compareOne(site: Site, { post, test }: Running, comparing: Comparing): Promise<void> {
  const { store, library, now, log } = comparing;
  const { arms, whole } = await countAlternatives(store.traffic, site, { url: post.url, test, now: now() });
  const patch = judgeAlternatives(post, test, { arms, whole, now: now() });
  if (patch === undefined) return;
  const { alternatives } = await library.write(site.id, post.url, { patch, by: 'test' });
  if (alternatives?.end?.winner !== undefined)
    log.info({ site: site.id, url: post.url, winner: alternatives.end.winner }, 'a title has won');
}
