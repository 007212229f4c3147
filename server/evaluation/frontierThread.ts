// The thread that measures what the mix dial gives on a site: posts and views come in, the frontier goes out. It does a
// short step a call, so that the caller decides when it works.
import { indexed } from '../siteIndex/siteIndex.ts';
import { parsePosts } from '../storage/postRows.ts';
import { PostIndex } from '../textindex/postIndex.ts';
import { serveMethods } from '../workers/serveMethods.ts';
import { evaluateFrontier, type FrontierStep } from './frontier.ts';
import { ReadingLog } from './readingLog.ts';

/** Page views, one at each place. */
export interface ViewPage {
  times: Float64Array<ArrayBuffer>;
  urls: string[];
  visitors: string[];
}

export interface FrontierMethods {
  /** @param lines Posts as storage has them, one a line. @returns How many there are now. */
  addPosts(lines: Uint8Array): number;
  /** @param aliases Other addresses of posts that were added, with the address of the post. */
  addAliases(aliases: readonly (readonly [alias: string, canonical: string])[]): void;
  /** @returns How many views of posts there are now. */
  addViews(page: ViewPage): number;
  /** The next step of the measurement; nothing is added any more. */
  step(): FrontierStep | undefined;
}

function createFrontierMethods(): FrontierMethods {
  const index = new PostIndex();
  const log = new ReadingLog();
  const canonical = new Map<string, string>();
  let steps: Iterator<FrontierStep> | undefined;

  function begin(): Iterator<FrontierStep> {
    for (const _ of index.tidy());
    // Milliseconds of an answer beside other work say nothing.
    return evaluateFrontier({ log: log.inOrder(), index, clock: () => 0 });
  }

  return {
    addPosts(lines) {
      for (const post of parsePosts(lines)) {
        index.put(indexed(post), { deferred: true });
        // Only posts count: a front page belongs to everything.
        if (post.pageType === 'post') canonical.set(post.url, post.url);
      }
      return index.size;
    },
    addAliases(aliases) {
      for (const [alias, url] of aliases) if (canonical.has(url)) canonical.set(alias, url);
    },
    addViews({ times, urls, visitors }) {
      for (const [at, time] of times.entries()) {
        const post = canonical.get(urls[at]!);
        if (post !== undefined) log.add({ time, visitor: visitors[at]!, post });
      }
      return log.length;
    },
    step() {
      steps ??= begin();
      return steps.next().value;
    },
  };
}

serveMethods<FrontierMethods>(createFrontierMethods());
