// Compares the alternative titles and pictures of posts by what their readers did: new shares or a winner to the posts.
import type { Logger } from 'pino';
import { judgeAlternatives } from '../experiments/judgeAlternatives.ts';
import { runningOf } from '../posts/alternatives.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Store } from '../storage/store.ts';
import { countAlternatives } from './countAlternatives.ts';

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
      const { arms } = await countAlternatives(store.traffic, site, { url: post.url, test, now: now() });
      const patch = judgeAlternatives(post, test, { arms, now: now() });
      if (patch === undefined) continue;
      const { alternatives } = await library.write(site.id, post.url, { patch });
      if (alternatives?.end) log.info({ site: id, url: post.url, winner: alternatives.end.winner }, 'a title has won');
    }
  }
}
