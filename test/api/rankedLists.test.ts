// Lists of authors, sections, tags, referrers, channels, campaigns and segments, over a real engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Newsroom } from '../support/newsroom.ts';
import { A, HOME, listed, openSmallPaper } from '../support/smallPaper.ts';

let room: Newsroom;

beforeAll(async () => {
  room = await openSmallPaper();
});

afterAll(() => room.close());

type Case = [path: string, params: Record<string, string | string[]>, list: string];

const ofPosts: Case[] = [
  ['/analytics/authors', {}, 'Bob 5, Ann 2'],
  ['/analytics/authors', { sort: 'visitors' }, 'Bob 3, Ann 2'],
  ['/analytics/authors', { sort: 'engaged_minutes' }, 'Ann 1.667, Bob 1.667'],
  ['/analytics/sections', {}, 'Sport 3, World 2'],
  ['/analytics/tags', {}, 'x 5, a/b 2'],
  ['/analytics/tags', { period_start: '30d' }, 'x 6, a/b 3'],
  ['/realtime/posts', {}, 'A 1'],
  ['/realtime/authors', {}, 'Ann 1, Bob 1'],
  ['/realtime/sections', { time: '24h' }, 'Sport 2, World 1'],
  ['/realtime/tags', { time: '24h' }, 'x 3, a/b 1'],
];

const ofAllPages: Case[] = [
  [
    '/analytics/referrers',
    {},
    'google (search) 2, bing (search) 1, blog.example (other) 1, direct (direct) 1, facebook.com (social) 1, paper.example (internal) 1',
  ],
  ['/realtime/referrers', {}, 'bing (search) 1, direct (direct) 1, google (search) 1'],
  ['/analytics/channels', {}, 'website 6, amp 1'],
  ['/analytics/channels', { sort: 'visitors' }, 'website 4, amp 1'],
  ['/analytics/channels', { sort: 'recirculation_rate' }, 'website 0.167, amp 0'],
  ['/analytics/campaigns', {}, 'c1 2, c2 1'],
  ['/analytics/campaigns', { campaign_key: 'medium' }, 'email 1'],
  ['/analytics/segments', {}, 'members 2, daily 1'],
  ['/analytics/segments', { sort: 'visitors' }, 'daily 1, members 1'],
  ['/analytics/segments', { sort: 'visitors_new' }, 'daily 1, members 1'],
];

const ofReferrers: Case[] = [
  ['/referrers/search', {}, 'google (search) 2, bing (search) 1'],
  ['/referrers/search', { domain: 'www.google.co.uk' }, 'google (search) 2'],
  ['/referrers/search', { domain: 'google' }, 'google (search) 2'],
  ['/referrers/search', { section: 'Sport' }, 'google (search) 1'],
  ['/referrers/search', { tag: ['x', 'a/b'] }, 'google (search) 1'],
  ['/referrers/search', { pub_date_start: '2d' }, 'google (search) 1'],
  ['/referrers/social', {}, 'facebook.com (social) 1'],
  ['/referrers/other', {}, 'blog.example (other) 1'],
  ['/referrers/internal', {}, 'paper.example (internal) 1'],
  ['/referrers/search/posts', {}, 'A 1, B 1'],
  ['/referrers/search/posts', { period_start: '30d' }, 'A 2, B 1'],
  ['/referrers/search/posts', { section: 'Sport' }, 'B 1'],
  ['/referrers/search/authors', {}, 'Bob 2, Ann 1'],
  ['/referrers/social/tags', { domain: 'facebook.com' }, 'a/b 1, x 1'],
  ['/referrers/search/author/Bob/detail', {}, 'A 1, B 1'],
  ['/referrers/search/tag/a%2Fb/detail', {}, 'A 1'],
  ['/referrers/search/tag/a/b/details', {}, 'A 1'],
  ['/referrers/post/detail', { url: A }, 'facebook.com (social) 1, google (search) 1'],
  ['/referrers/post/detail', { url: `${A}-old`, period_start: '30d' }, 'google (search) 2, facebook.com (social) 1'],
  ['/referrers/post/detail', { url: HOME }, 'bing (search) 1'],
  ['/referrers/post/detail', { url: 'https://paper.example/unknown' }, ''],
];

describe('what metadata says of posts', () => {
  test.each(ofPosts)('%s %j', async (path, params, list) => {
    expect(await listed(room, path, params)).toBe(list);
  });

  test('the name stands under its kind too', async () => {
    const { data, meta } = await room.ask('/analytics/authors', { limit: '1' });
    expect(data).toEqual([{ author: 'Bob', name: 'Bob', _hits: 5, metrics: { views: 5 } }]);
    expect(meta).toEqual({ metrics: ['views'], sort: 'views' });
  });
});

describe('what is not made of posts counts every page', () => {
  test.each(ofAllPages)('%s %j', async (path, params, list) => {
    expect(await listed(room, path, params)).toBe(list);
  });
});

describe('referrers', () => {
  test.each(ofReferrers)('%s %j', async (path, params, list) => {
    expect(await listed(room, path, params)).toBe(list);
  });

  test('say how they are counted', async () => {
    const { data, meta } = await room.ask('/referrers/search', { limit: '1' });
    expect(meta).toEqual({ metrics: ['referrers_views'], sort: 'referrers_views' });
    expect(data).toEqual([
      { name: 'google', type: 'search', category: 'search', _hits: 2, metrics: { referrers_views: 2 } },
    ]);
  });
});
