// Details, videos, shares and conversions, and what hiding a post does to all lists, over a real engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Newsroom } from '../support/newsroom.ts';
import { A, CLIP, listed, openSmallPaper } from '../support/smallPaper.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let room: Newsroom;

beforeAll(async () => {
  room = await openSmallPaper();
});

afterAll(() => room.close());

const titles = async (path: string, params: Record<string, string | readonly string[]>) =>
  (await room.ask(path, params)).data.map((record) => record.title);

describe('details', () => {
  test('one post, by any of its addresses', async () => {
    const { data } = await room.ask('/analytics/post/detail', { url: `${A}-old?utm=1#top` });
    const counted = { _hits: 3, metrics: { views: 3, visitors: 3 }, avg_engaged: 0.556 };
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ title: 'A', url: A, ...counted });
  });

  test('a page without a description has none', async () => {
    expect(await titles('/analytics/post/detail', { url: 'https://paper.example/unknown' })).toEqual([]);
  });

  test('a look-back beyond ninety days is cut', async () => {
    const { data } = await room.ask('/analytics/post/detail', {
      url: A,
      period_start: '2020-01-01',
      period_end: '2039-01-01',
    });
    expect(data[0]).toMatchObject({ _hits: 0, metrics: { views: 0, visitors: 0 }, avg_engaged: 0 });
  });

  test.each([
    ['/analytics/author/Bob/detail', {}, ['B', 'A']],
    ['/analytics/author/bob/detail', {}, []],
    ['/analytics/author/Ann/details', {}, ['A']],
    ['/analytics/section/World/detail', {}, ['A']],
    ['/analytics/tag/a/b/detail', {}, ['A']],
    ['/analytics/tag/a%2Fb/detail', {}, ['A']],
    ['/analytics/tag/x/detail', { pub_date_start: '2d' }, ['B']],
    ['/analytics/tag/x/detail', { period_start: '30d', limit: '1' }, ['A']],
  ])('%s %j', async (path, params, expected) => {
    expect(await titles(path, params)).toEqual(expected);
  });
});

describe('videos', () => {
  test('by starts, only described ones', async () => {
    const { data, meta } = await room.ask('/analytics/videos');
    const counted = { _hits: 2, metrics: { starts: 2, viewers: 1, watch_minutes: 0.5 } };
    expect(data).toMatchObject([{ title: 'Clip', url: CLIP, ...counted }]);
    expect(meta).toEqual({ metrics: ['starts', 'viewers', 'watch_minutes'], sort: 'starts' });
  });

  test.each([
    [{}, ['Clip']],
    [{ section: 'World' }, ['Clip']],
    [{ section: 'Sport' }, []],
  ])('in the public list %j', async (params, expected) => {
    const { data } = await room.ask('/top/videos', params as Record<string, string>);
    expect(data.map((record) => record.title)).toEqual(expected);
    for (const record of data) expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['metrics', '_hits']));
  });
});

describe('shares', () => {
  test.each([
    ['/shares/posts', {}, 'A 2, B 1'],
    ['/shares/posts', { period_start: '3d' }, 'A 1, B 1'],
    ['/shares/posts', { days: '3' }, 'A 1, B 1'],
    ['/shares/posts', { pub_days: '2' }, 'B 1'],
    ['/shares/posts', { pub_date_end: '2d' }, 'A 2'],
    ['/shares/author/Ann/detail', {}, 'A 2'],
    ['/shares/section/Sport/detail', {}, 'B 1'],
  ])('%s %j', async (path, params, list) => {
    expect(await listed(room, path, params)).toBe(list);
  });

  test('stand in each record twice', async () => {
    const { data } = await room.ask('/shares/posts', { limit: '1' });
    expect(data).toMatchObject([{ title: 'A', _shares: 2, metrics: { shares: 2 } }]);
  });

  test('of one post, by network', async () => {
    const counts = [{ tw: 1, fb: 1, li: 0, pi: 0, total: 2 }];
    const meta = { metrics: ['tw', 'fb', 'li', 'pi', 'total'], sort: 'total' };
    expect(await room.ask('/shares/post/detail', { url: A })).toMatchObject({
      data: counts,
      meta,
      links: { next: null },
    });
  });
});

describe('conversions', () => {
  const lines = async (path: string, params: Record<string, string | readonly string[]>) =>
    (await room.ask(path, params)).data.map(({ title, conversion_label, metrics }) =>
      [title, conversion_label, metrics.conversions, metrics.converting_visitors, metrics.conversion_rate].join(' '),
    );

  // Visitor 1 read B, then A, and subscribed; visitor 2 read A, then B, and signed up; visitor 9 was never seen.
  test.each([
    ['last_touch', ['A yearly 1 1 0.5', 'B am 1 1 0.3333', 'Home yearly 1 1 1']],
    ['first_touch', ['A am 1 1 0.5', 'B yearly 1 1 0.3333', 'Home yearly 1 1 1']],
    ['last_post_touched', ['A yearly 1 1 0.5', 'B am 1 1 0.3333', 'Home yearly 1 1 1']],
    [
      'linear',
      ['A am 0.5 1 0.5', 'A yearly 0.5 1 0.5', 'B am 0.5 1 0.3333', 'B yearly 0.5 1 0.3333', 'Home yearly 1 1 1'],
    ],
  ])('%s', async (attribution_type, expected) => {
    expect((await lines('/conversions/url', { attribution_type })).sort()).toEqual(expected);
  });

  test('one row a URL', async () => {
    const found = await lines('/conversions/url/top', { attribution_type: 'linear' });
    expect(found).toEqual(['Home  1 1 1', 'A  1 2 1', 'B  1 2 0.6667']);
  });

  test.each([
    [{ conversion_type: 'subscription' }, 2],
    [{ conversion_type: ['subscription', 'newsletter_signup'] }, 3],
    [{ conversion_label: 'am' }, 1],
    [{ page_type: 'post' }, 2],
    [{ page_type: 'index' }, 1],
    [{ period_end: '1h' }, 0],
  ])('narrowed by %j', async (params, count) => {
    expect(await titles('/conversions/url', params as Record<string, string>)).toHaveLength(count);
  });
});

describe('a hidden post counts nowhere', () => {
  beforeAll(async () => {
    await room.ask('/exclude/ignore', { url: A });
  });

  afterAll(async () => {
    await room.ask('/exclude/include', { url: A });
  });

  test.each([
    ['/analytics/posts', {}, 'B 3'],
    ['/analytics/authors', {}, 'Bob 3'],
    ['/analytics/channels', { sort: 'visitors' }, 'website 4'],
    ['/analytics/campaigns', {}, 'c2 1'],
    ['/referrers/social', {}, ''],
    ['/referrers/search/tags', {}, 'x 1'],
    ['/analytics/post/detail', { url: A }, ''],
    ['/analytics/author/Ann/detail', {}, ''],
    ['/referrers/post/detail', { url: A }, ''],
    ['/shares/posts', {}, 'B 1'],
  ])('%s %j', async (path, params, list) => {
    expect(await listed(room, path, params)).toBe(list);
  });

  test('nor where its own numbers are asked for', async () => {
    expect((await room.ask('/shares/post/detail', { url: A })).data).toEqual([]);
    expect(await titles('/conversions/url', {})).not.toContain('A');
    expect((await room.ask('/top/posts')).data.map((record) => record.title)).toEqual(['B']);
  });
});

test('the secret can be tried', async () => {
  const refusal = { code: 403, message: 'Forbidden', success: false };
  expect(await room.ask('/validate/secret')).toEqual({ success: true });
  expect(await room.ask('/validate/secret', { secret: 'wrong' })).toEqual(refusal);
});

test('the rate of a page whose readers came before the period and converted within it is 1', async () => {
  const now = room.deps.now();
  const page = 'https://paper.example/offer';
  const conversion = { action: 'conversion', conversionType: 'purchase', conversionLabel: 'yearly' } as const;
  const bought = ['31', '32', '33'].flatMap((visitor) => [
    { url: page, visitor, time: now - 20 * DAY },
    { ...conversion, url: 'https://paper.example/till', visitor, time: now - HOUR },
  ]);
  await room.happen(...bought, { url: page, visitor: '34', time: now - HOUR });
  const { data } = await room.ask('/conversions/url', {
    url: page,
    attribution_type: 'first_touch',
    period_start: '3d',
  });
  expect(data[0]?.metrics).toEqual({ conversions: 3, converting_visitors: 3, conversion_rate: 1 });
});

// Last: it adds posts.
test.each(['Arts\nand leisure', 'Arts\r\nand leisure', 'Arts\u2028and leisure'])(
  'posts of a section whose name has a line break are found: %j',
  async (section) => {
    const url = `https://paper.example/${encodeURIComponent(section)}`;
    await room.write(url, { title: 'Broken', section });
    await room.happen({ url });
    expect(await titles(`/analytics/section/${encodeURIComponent(section)}/detail`, {})).toEqual(['Broken']);
  },
);
