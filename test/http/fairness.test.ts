// Sites share the database: many heavy questions of one keep no other one waiting for all of them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadSecret, hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2031, 5, 1, 12);
const HEAVY = 24;
const POSTS = 30;
const secret = createReadSecret();
const other = parseSiteId('other.example')!;

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  await room.deps.sites.add({ ...room.site, id: other, secretHash: hashSecret(secret) });
  for (const site of [room.site.id, other]) {
    const pages = Array.from({ length: POSTS }, (_, n) => `https://${site}/${n}`);
    for (const url of pages) await room.deps.library.write(site, url, { patch: { pageType: 'post', title: url } });
    await room.happen(...pages.map((url, n) => ({ site, url, time: NOW - n * DAY })));
  }
});
afterAll(() => room.close());

test('of twenty-four lists of one site and then one of another, that one is among the first to be answered', async () => {
  const answered: string[] = [];
  const ask = async (path: string, params: Record<string, string>) => {
    const response = await room.app.request(`http://stats.example/v2${path}?${new URLSearchParams(params)}`);
    expect(await response.json()).toMatchObject({ success: true });
    answered.push(params.apikey!);
  };
  const own = { apikey: room.site.id, secret: room.secret, days: '90' };
  const theirs = { apikey: other, secret, days: '90' };
  // What is hidden of each site is in memory.
  await Promise.all([ask('/analytics/posts', own), ask('/analytics/posts', theirs)]);
  answered.length = 0;
  const asked = Array.from({ length: HEAVY }, (_, n) => ask('/analytics/posts', { ...own, page: String((n % 3) + 1) }));
  asked.push(ask('/analytics/posts', theirs));
  await Promise.all(asked);
  expect(answered).toHaveLength(HEAVY + 1);
  expect(answered.indexOf(other)).toBeLessThan(HEAVY / 3);
});
