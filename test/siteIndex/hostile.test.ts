// Sites of hostile posts, taken in post by post: nothing piles up, nothing is held up, and everything is answered.
import { expect, test } from 'vitest';
import { HOSTILE, hostilePosts } from '../../bench/related/hostile.ts';
import { stored } from '../../bench/support/grownSite.ts';
import { search } from '../../server/search/search.ts';
import { SiteIndex } from '../../server/siteIndex/siteIndex.ts';
import { cpuTime } from '../support/cpuTime.ts';

const NOW = Date.UTC(2026, 0, 1);
/** Milliseconds of a processor for all of a site's questions, on the slowest machine that runs the tests. */
const PATIENCE = 5000;
const asked = { filters: {}, excluded: new Set<string>(), sort: 'score', limit: 11, page: 1 } as const;
const address = (n: number) => `https://hostile.example/${n}`;

test.each([
  { name: 'one word each, the same', posts: 3000, bytes: 5e6, found: ['word', 11] },
  { name: 'empty texts', posts: 3000, bytes: 5e6, found: ['word', 0] },
  { name: 'one tag on all, and nothing else alike', posts: 3000, bytes: 8e6, found: ['all', 11] },
  { name: 'the same text', posts: 1500, bytes: 8e6, found: ['"something else"', 11] },
  { name: '50 languages mixed', posts: 1500, bytes: 16e6, found: ['Deutschland', 11] },
  { name: 'a megabyte each', posts: 30, bytes: 16e6, found: ['"ipsum dolor"', 11] },
])('$name', async ({ name, posts, bytes, found: [query, most] }) => {
  const siteIndex = new SiteIndex();
  for (const post of hostilePosts(HOSTILE[name]!, posts)) {
    siteIndex.place(stored(post));
    if (Number(post.url.split('/').at(-1)) % 500 === 499) await siteIndex.tidy();
  }
  await siteIndex.tidy();
  expect(siteIndex.posts).toBe(posts);
  expect(siteIndex.indexBytes).toBeLessThan(bytes);

  const taken = cpuTime();
  const visits = [1, 2, 3].map((n) => ({ url: address(n), time: NOW - n }));
  const related = siteIndex.recommend({ ...asked, url: address(0), respectEmpty: false }, NOW);
  expect(related.map(({ url }) => url)).not.toContain(address(0));
  siteIndex.recommend({ ...asked, url: address(0), visits, limit: 2000, respectEmpty: false }, NOW);
  expect(search(siteIndex.searchIndex, { ...asked, query: String(query) }, NOW)).toHaveLength(Number(most));
  expect(taken()).toBeLessThan(PATIENCE);
});
