// Sites of hostile posts, post by post as a server takes them in: what adding, tidying and asking cost then.
// npm run bench hostile -- --posts 100000

import type { RecommendRequest } from '../server/recommend/request.ts';
import { search } from '../server/search/search.ts';
import { SiteIndex } from '../server/siteIndex/siteIndex.ts';
import { yieldToEventLoop } from '../server/siteIndex/yieldToEventLoop.ts';
import type { IndexedPost } from '../server/textindex/catalogue.ts';
import { HOSTILE, hostilePosts } from './related/hostile.ts';
import { watchBusy } from './support/busy.ts';
import { spread, stored } from './support/grownSite.ts';
import type { Bench } from './support/table.ts';

const NOW = Date.UTC(2026, 0, 1);
/** So many of the posts are a megabyte long: a hundred thousand would be a hundred gigabytes of text. */
const HUGE_SHARE = 1 / 50;
const QUESTIONS = 300;
const EVERYTHING = { filters: {}, excluded: new Set<string>(), sort: 'score', limit: 11, page: 1 } as const;

const bench: Bench = async (args) => {
  const at = args.indexOf('--posts');
  const count = at < 0 ? 100_000 : Number(args[at + 1]);
  const rows: string[][] = [];
  for (const [name, make] of Object.entries(HOSTILE)) {
    const posts = name === 'a megabyte each' ? Math.ceil(count * HUGE_SHARE) : count;
    rows.push([`${posts.toLocaleString('en')} posts: ${name}`, ...(await measure(hostilePosts(make, posts), posts))]);
  }
  return {
    title: 'Hostile sites: what their posts cost',
    columns: [
      'Site',
      'adding a post, p50, ms',
      'p99',
      'longest step, processor ms',
      '/related?url, p99, ms',
      'with a reader, p99, ms',
      '/search, p99, ms',
      'indexes, MB',
    ],
    rows,
    notes: [
      'Posts are added one by one to both indexes, which are put in order meanwhile, one step after each post; asked without HTTP when all is in order.',
      'A reader has read twenty posts; the search is for a word, and for the same words side by side.',
    ],
  };
};

export default bench;

async function measure(posts: Iterable<IndexedPost>, count: number): Promise<string[]> {
  const siteIndex = new SiteIndex();
  const adding: number[] = [];
  const busy = watchBusy();
  let sample = '';
  for (const post of posts) {
    const start = performance.now();
    siteIndex.place(stored(post));
    adding.push(performance.now() - start);
    sample ||= `${post.title} ${post.fullContent}`.slice(0, 100).trim().split(' ').slice(0, 3).join(' ');
    const tidied = siteIndex.tidy();
    await yieldToEventLoop();
    // A writer waits for the disk in between; here there is no wait, and the work would pile up.
    if (adding.length % 1000 === 0) await tidied;
  }
  await siteIndex.tidy();
  const longest = busy();
  const address = (n: number) => `https://hostile.example/${(n * 7919) % count}`;
  const visits = Array.from({ length: 20 }, (_, n) => ({ url: address(n + 1), time: NOW - n * 60_000 }));
  const related = (changes: Partial<RecommendRequest>) =>
    siteIndex.recommend({ ...EVERYTHING, respectEmpty: false, ...changes }, NOW);
  const asked = {
    url: timesOf((n) => related({ url: address(n) })),
    reader: timesOf((n) => related({ url: address(n), visits })),
    words: timesOf((n) =>
      search(siteIndex.searchIndex, { ...EVERYTHING, query: n % 2 === 0 ? sample.split(' ')[0]! : `"${sample}"` }, NOW),
    ),
  };
  const [p50, p99] = spread(adding);
  const tails = Object.values(asked).map((times) => spread(times)[1]!);
  return [p50!, p99!, longest.toFixed(0), ...tails, (siteIndex.indexBytes / 1e6).toFixed(0)];
}

function timesOf(ask: (number: number) => unknown): number[] {
  return Array.from({ length: QUESTIONS }, (_, number) => {
    const start = performance.now();
    ask(number);
    return performance.now() - start;
  });
}
