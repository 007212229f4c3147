// Which metrics an answer holds and by which it is ordered: `sort` and its older names, and `metrics` beside it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Newsroom } from '../support/newsroom.ts';
import { A, B, openSmallPaper } from '../support/smallPaper.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FOUND = 'https://paper.example/found';
const READ_OVER = 'https://paper.example/read-over-the-start';

let room: Newsroom;

beforeAll(async () => {
  room = await openSmallPaper();
  await room.write(READ_OVER, { title: 'Read over the start', section: 'Late', authors: ['Cy'] });
  // Opened before the last half hour, read within it.
  await room.happen(
    { url: READ_OVER, visitor: '8', time: NOW - 40 * MINUTE, segments: ['members'] },
    { url: READ_OVER, visitor: '8', time: NOW - 20 * MINUTE, action: 'heartbeat', seconds: 90, segments: ['members'] },
  );
});

afterAll(() => room.close());

describe('several metrics in one answer', () => {
  const LISTS: [path: string, params: Record<string, string>][] = [
    ['/analytics/posts', {}],
    ['/analytics/authors', {}],
    ['/analytics/referrers', {}],
    ['/analytics/segments', {}],
    ['/analytics/campaigns', { campaign_key: 'medium' }],
    ['/analytics/section/World/detail', {}],
    ['/realtime/posts', { time: '48h' }],
    ['/analytics/posts', { segment: 'members', sort: 'visitors_new' }],
  ];

  test.each(LISTS)('%s %j: each is what a list sorted by it says', async (path, params) => {
    const beside = ['visitors', 'avg_engaged', 'fb_referrals'];
    const asked = { period_start: '80d', ...params };
    const plain = await room.ask(path, asked);
    const { data, meta } = await room.ask(path, { ...asked, metrics: beside.join(',') });
    expect(meta.metrics).toEqual([...new Set([...plain.meta.metrics, ...beside])]);
    expect(meta.sort).toBe(plain.meta.sort);
    expect(data.length).toBeGreaterThan(0);
    expect(data.map(({ metrics, ...record }) => record)).toEqual(plain.data.map(({ metrics, ...record }) => record));
    for (const { metrics } of data) expect(Object.keys(metrics)).toEqual(meta.metrics);
    for (const name of beside) {
      const { data: single } = await room.ask(path, { ...asked, sort: name, limit: '2000' });
      const key = (record: (typeof data)[number]) => record.url ?? `${record.name} ${record.type}`;
      const values = new Map(single.map((record) => [key(record), record.metrics[name]]));
      for (const record of data)
        expect([name, key(record), record.metrics[name]]).toEqual([name, key(record), values.get(key(record))]);
    }
  });

  test('they may be repeated, spaced, doubled or given by an older name', async () => {
    const spoken = [['hits, visitors,,avg_engaged_time'], ['_hits', 'visitors,visitors', 'avg_engaged']];
    for (const metrics of spoken) {
      const { meta } = await room.ask('/analytics/posts', { sort: 'mobile_views', metrics });
      expect(meta.metrics).toEqual(['mobile_views', 'views', 'visitors', 'avg_engaged']);
    }
    const { meta } = await room.ask('/analytics/videos', { metrics: 'viewers,_hits' });
    expect(meta).toEqual({ metrics: ['starts', 'viewers', 'watch_minutes'], sort: 'starts' });
  });

  test('one that is unknown is refused with the names that are known', async () => {
    for (const path of ['/analytics/posts', '/analytics/post/detail', '/realtime/tags']) {
      const { code, errors } = await room.ask(path, { metrics: 'views,likes', url: A });
      expect([code, Object.keys(errors!)]).toEqual([422, ['metrics']]);
      expect(errors!.metrics![0]).toMatch(/^Give some of views, .*recirculation_rate\.$/);
    }
  });
});

describe('names of a sort', () => {
  test.each([
    ['/analytics/posts', '_hits', 'views'],
    ['/analytics/posts', 'hits', 'views'],
    ['/realtime/authors', 'avg_engaged_time', 'avg_engaged'],
    ['/analytics/author/Bob/detail', 'hits', 'views'],
    ['/analytics/videos', '_hits', 'starts'],
    ['/related', '_hits', '_score'],
    ['/related', 'hits', '_score'],
    ['/related', 'score', '_score'],
    ['/search', '_hits', '_score'],
    ['/search', 'score', '_score'],
    ['/search', 'pub_date', 'pub_date'],
  ])('%s: %s is answered as %s', async (path, said, canonical) => {
    const params = { q: 'a', url: B };
    const { links: _, ...answer } = await room.ask(path, { ...params, sort: said });
    const { links: __, ...expected } = await room.ask(path, { ...params, sort: canonical });
    expect(answer.meta.sort).toBe(canonical);
    expect(answer).toEqual(expected);
  });

  test.each([
    ['/analytics/posts', 'likes', /^Give one of views, .*recirculation_rate\.$/],
    ['/analytics/videos', 'views', /^Give one of starts, viewers, watch_minutes\.$/],
    ['/related', 'views', /^Give one of _score, pub_date\.$/],
    ['/search', 'likes', /^Give one of _score, pub_date\.$/],
  ])('%s: %s is refused with the names that are known', async (path, sort, sentence) => {
    const { code, errors } = await room.ask(path, { q: 'a', sort });
    expect([code, Object.keys(errors!)]).toEqual([422, ['sort']]);
    expect(errors!.sort![0]).toMatch(sentence);
  });
});

describe('the detail of a post', () => {
  test('takes the sort and the segment of a list', async () => {
    const { data, meta } = await room.ask('/analytics/post/detail', {
      url: A,
      sort: 'avg_engaged',
      segment: 'members',
    });
    expect(meta).toEqual({ metrics: ['avg_engaged', 'engaged_minutes', 'views', 'visitors'], sort: 'avg_engaged' });
    expect(data).toMatchObject([{ _hits: 1, metrics: { avg_engaged: 0, engaged_minutes: 0, views: 1, visitors: 1 } }]);
    const everybody = await room.ask('/analytics/post/detail', { url: A, sort: 'avg_engaged' });
    expect(everybody.data).toMatchObject([{ _hits: 3, metrics: { engaged_minutes: 1.667, views: 3, visitors: 3 } }]);
  });

  test.each([
    [{ channel: 'amp' }, 1],
    [{ campaign_id: 'c1' }, 2],
    [{ campaign_id: 'c1', channel: 'website' }, 1],
    [{ campaign_medium: 'nothing' }, 0],
  ])('takes other filters of a list: %j', async (filter, views) => {
    const { data } = await room.ask('/analytics/post/detail', { url: A, ...filter });
    expect(data).toMatchObject([{ _hits: views, metrics: { views } }]);
  });

  test('takes metrics, and has views and visitors all the same', async () => {
    const { data, meta } = await room.ask('/analytics/post/detail', { url: A, metrics: 'fb_referrals,visitors_new' });
    expect(meta).toEqual({ metrics: ['views', 'visitors', 'fb_referrals', 'visitors_new'], sort: 'views' });
    expect(data).toMatchObject([{ metrics: { views: 3, visitors: 3, fb_referrals: 1 } }]);
  });
});

test('a post that was opened before a period and read in it is in lists by engaged time and by its average', async () => {
  const lists = [
    ['/realtime/posts', ({ url }: { url: string }) => url === READ_OVER],
    ['/realtime/authors', ({ name }: { name: string }) => name === 'Cy'],
  ] as const;
  for (const [path, isRead] of lists) {
    for (const sort of ['engaged_minutes', 'avg_engaged', 'avg_engaged_returning'])
      expect([path, sort, (await room.ask(path, { time: '30m', sort })).data.some(isRead)]).toEqual([path, sort, true]);
    expect((await room.ask(path, { time: '30m', sort: 'visitors' })).data.some(isRead)).toBe(false);
  }
  const { data } = await room.ask('/realtime/posts', { time: '30m', sort: 'avg_engaged' });
  expect(data.at(-1)).toMatchObject({ url: READ_OVER, _hits: 0, metrics: { avg_engaged: 0, engaged_minutes: 1.5 } });
});

test('views from search engines are search_refs, beside those from social networks', async () => {
  await room.write(FOUND, { title: 'Found', section: 'Search' });
  const times = [NOW - 15 * MINUTE, NOW - 2 * DAY, NOW - 20 * DAY];
  const from = (referrerType: 'search' | 'social' | 'other', referrer: string) =>
    times.map((time) => ({ url: FOUND, time, referrerType, referrer }));
  await room.happen(...from('search', 'google'), ...from('search', 'bing'), ...from('social', 'reddit'));
  await room.happen(...from('other', 'blog.example'));
  const metricsOf = async (params: Record<string, string>) =>
    (await room.ask('/analytics/posts', { sort: 'search_refs', section: 'Search', ...params })).data[0]?.metrics;
  expect(await metricsOf({ period_start: '1h' })).toEqual({ search_refs: 2 });
  expect(await metricsOf({ period_start: '30d' })).toEqual({ search_refs: 6 });
  expect(await metricsOf({ period_start: '30d', channel: 'website' })).toEqual({ search_refs: 6 });
  expect(await metricsOf({ period_start: '30d', device: 'tablet' })).toBeUndefined();
  expect(await metricsOf({ period_start: '30d', metrics: 'social_referrals,views' })).toEqual({
    search_refs: 6,
    social_referrals: 3,
    views: 12,
  });
  const byReferrer = (
    await room.ask('/analytics/referrers', { period_start: '30d', sort: 'search_refs', section: 'Search' })
  ).data;
  expect(byReferrer.slice(0, 2).map(({ name, metrics }) => [name, metrics.search_refs])).toEqual([
    ['bing', 3],
    ['google', 3],
  ]);
});
