// Compares the alternative titles and pictures of posts by what their readers did: counts from the ledger, new shares
// or a winner to the posts.
import type { Logger } from 'pino';
import { HALF_LIFE_MS, judgeAlternatives, LONGEST_TEST_MS } from '../experiments/judgeAlternatives.ts';
import { type Arm, decayed } from '../experiments/thompson.ts';
import { type Alternatives, runningOf } from '../posts/alternatives.ts';
import type { PostCard } from '../posts/post.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { compileLists } from '../traffic/ledger/compileLists.ts';

export interface Comparing {
  store: Pick<Store, 'posts' | 'traffic'>;
  sites: Pick<SiteDirectory, 'find'>;
  library: Pick<Library, 'write'>;
  /** Epoch milliseconds. */
  now(): number;
  log: Logger;
}

/** Tests of a site that are looked at, those begun last first. */
const MOST_TESTS = 100;

/** One run, over all sites. */
export async function compareAlternatives({ store, sites, library, now, log }: Comparing): Promise<void> {
  for (const id of await store.posts.sitesTested()) {
    const site = sites.find(id);
    if (site === undefined) continue;
    const running = (await store.posts.tested(site.id)).flatMap((post) => {
      const test = runningOf(post);
      return test ? [{ post, test }] : [];
    });
    running.sort((one, other) => other.test.startedAt - one.test.startedAt);
    for (const { post, test } of running.slice(0, MOST_TESTS)) {
      const arms = await countArms(store, site, { post, test, now: now() });
      const patch = judgeAlternatives(post, test, { arms, now: now() });
      if (patch === undefined) continue;
      const { alternatives } = await library.write(site.id, post.url, { patch });
      if (alternatives?.end) log.info({ site: id, url: post.url, winner: alternatives.end.winner }, 'a title has won');
    }
  }
}

/** By number. Clicks of each day back count half of those of the day after. */
async function countArms(
  { traffic }: Pick<Store, 'traffic'>,
  { id, timezone }: Site,
  { post, test, now }: { post: PostCard; test: Alternatives; now: number },
): Promise<Arm[]> {
  const arms: Arm[] = test.shares.map(() => ({ shown: 0, successes: 0 }));
  const first = Math.max(test.startedAt, now - LONGEST_TEST_MS);
  for (let end = now; end > first; end -= HALF_LIFE_MS) {
    const period = { start: Math.max(first, end - HALF_LIFE_MS), end };
    const rows = await traffic.run(
      compileLists({
        scope: { site: id, zone: timezone, period, excluded: new Set(), pages: [post.url] },
        group: 'alternative',
        filters: { isCompared: true },
        limit: arms.length,
        offset: 0,
      }),
    );
    for (const { name, seen, quality_clicks } of rows) {
      const arm = arms[Number(String(name).split(' ')[1]) - 1];
      if (arm === undefined) continue;
      const counted = decayed({ shown: Number(seen), successes: Number(quality_clicks) }, now - end, HALF_LIFE_MS);
      arm.shown += counted.shown;
      arm.successes += Math.min(counted.successes, counted.shown);
    }
  }
  return arms;
}
