// The quota of posts of a site, where several posts come at once.
import { expect, test } from 'vitest';
import { createPostQuota } from '../../server/sites/postQuota.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';

const id = parseSiteId('paper.example')!;

/** @param stored Posts that the site has. */
function quotaOf(maxPosts: number, stored: number) {
  const site = { id, quotas: { maxPosts } } as Site;
  const sites = { find: () => site, list: () => [site] };
  const posts = { count: async () => stored, counts: async () => new Map([[id, stored]]) };
  return createPostQuota({ sites, posts, clock: () => 0 });
}

test.each([
  ['is counted for the first time', false],
  ['was counted before', true],
])('of posts that come together to a site that %s, as many are taken as it has room for', async (_, isCounted) => {
  const quota = quotaOf(12, 10);
  if (isCounted) await quota.refresh();
  const taken = await Promise.allSettled(Array.from({ length: 5 }, () => quota.take(id)));
  expect(taken.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(quota.uses()).toMatchObject([{ used: 12, limit: 12 }]);
});

test('a post that is taken while the sites are counted is not forgotten by that count', async () => {
  const site = { id, quotas: { maxPosts: 11 } } as Site;
  let answer = () => {};
  const counted = new Promise<Map<typeof id, number>>((resolve) => {
    answer = () => resolve(new Map([[id, 10]]));
  });
  const posts = { count: async () => 10, counts: () => counted };
  const quota = createPostQuota({ sites: { find: () => site, list: () => [site] }, posts, clock: () => 0 });
  const refreshing = quota.refresh();
  await quota.take(id);
  answer();
  await refreshing;
  await expect(quota.take(id)).rejects.toThrow('paper.example may have 11 posts');
});
