// Every list of /analytics and its series under the same filters: they are about the same traffic.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOST_KEYS } from '../../server/traffic/pages.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-11-14T14:30:00Z');
const HOUR = 3_600_000;
const A = 'https://paper.example/a';
const B = 'https://paper.example/b';
const PLAIN = 'https://paper.example/without-metadata';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  await room.write(A, { title: 'A', section: 'World', authors: ['Ann', 'Bob'], tags: ['x'] });
  await room.write(B, { title: 'B', section: 'Sport', authors: ['Bob'], tags: ['x', 'y'] });
  const google = { referrerType: 'search', referrer: 'google', referrerHost: 'google.de' } as const;
  await room.happen(
    { url: A, visitor: '1', ...google },
    { url: A, visitor: '1', time: NOW - 2 * HOUR },
    { url: A, visitor: '2', channel: 'amp', device: 'mobile' },
    { url: B, visitor: '1', ...google, segments: ['paying'] },
    { url: B, visitor: '3', campaignId: 'letter', campaignSource: 'mail', device: 'mobile' },
    { url: PLAIN, visitor: '4', ...google },
    { url: A, visitor: '1', time: NOW - 25 * HOUR },
    { url: A, visitor: '1', action: 'heartbeat', seconds: 120 },
    { url: B, visitor: '3', action: 'heartbeat', seconds: 60 },
  );
});
afterAll(() => room.close());

const DAY = { period_start: '2040-11-14' };
const named = async (list: string, filters: Record<string, string>) => {
  const { data } = await room.ask(`/analytics/${list}`, { ...DAY, ...filters });
  return data.map(({ name, title, metrics }) => `${name ?? title} ${metrics.views}`);
};

describe('filters hold in every list', () => {
  test.each([
    [
      'section',
      'World',
      { authors: ['Ann 3', 'Bob 3'], sections: ['World 3'], tags: ['x 3'], referrers: ['direct 2', 'google 1'] },
    ],
    ['author', 'Ann', { sections: ['World 3'], channels: ['website 2', 'amp 1'] }],
    ['tag', 'y', { sections: ['Sport 2'], segments: ['paying 1'], campaigns: ['letter 1'] }],
    ['referrer', 'google', { sections: ['Sport 1', 'World 1'], authors: ['Bob 2', 'Ann 1'], referrers: ['google 3'] }],
    ['referrer', 'google.de', { sections: ['Sport 1', 'World 1'] }],
    ['referrer', 'direct', { sections: ['World 2', 'Sport 1'], referrers: ['direct 3'] }],
    ['channel', 'amp', { sections: ['World 1'], referrers: ['direct 1'], tags: ['x 1'] }],
    [
      'device',
      'mobile',
      {
        ...{ sections: ['Sport 1', 'World 1'], authors: ['Bob 2', 'Ann 1'], tags: ['x 2', 'y 1'] },
        ...{ referrers: ['direct 2'], channels: ['amp 1', 'website 1'], campaigns: ['letter 1'], segments: [] },
      },
    ],
    ['segment', 'paying', { sections: ['Sport 1'], referrers: ['google 1'] }],
    ['campaign_source', 'mail', { sections: ['Sport 1'], authors: ['Bob 1'], segments: [] }],
  ])('%s %s', async (filter, value, lists) => {
    for (const [list, expected] of Object.entries(lists))
      expect([list, await named(list, { [filter]: value })]).toEqual([list, expected]);
  });

  test('together', async () => {
    expect(await named('authors', { section: 'Sport', referrer: 'google' })).toEqual(['Bob 1']);
    expect(await named('sections', { tag: 'x', channel: 'amp' })).toEqual(['World 1']);
    expect(await named('posts', { device: 'mobile', section: 'Sport', campaign_id: 'letter' })).toEqual(['B 1']);
  });

  test('that are written as PHP writes lists', async () => {
    expect(await named('posts', { 'author[0]': 'Bob', 'author[1]': 'Ann' })).toEqual(['A 3']);
    expect(await named('posts', { 'section[]': 'Sport' })).toEqual(['B 2']);
    expect(await room.ask('/analytics/posts', { 'tag[0]': ['1', '2', '3', '4'], tag: ['5', '6'] })).toMatchObject({
      code: 422,
      errors: { tag: ['Give at most 5 values.'] },
    });
    expect(await named('sections', { 'section[a]': 'Sport' })).toEqual(['World 3', 'Sport 2']);
  });

  test('a kind of device that there is not is refused, by its name', async () => {
    expect(await room.ask('/analytics/sections', { device: 'phone' })).toMatchObject({
      code: 422,
      errors: { device: ['Give one of desktop, mobile, tablet.'] },
    });
  });

  test('and without one, pages without metadata count for referrers', async () => {
    expect(await named('referrers', {})).toEqual(['direct 3', 'google 3']);
  });
});

describe('posts that are named by their addresses, as the WordPress plugin asks for those of a screen', () => {
  const of = async (list: string, url: string[], more: Record<string, string> = {}) =>
    (await room.ask(`/analytics/${list}`, { ...DAY, ...more, url })).data;

  test('are listed alone, by any of their addresses, with the metrics that it reads', async () => {
    const [b, ...others] = await of('posts', [`${B}?utm_source=letter`, 'https://paper.example/gone']);
    expect(others).toEqual([]);
    expect(b).toMatchObject({ url: B, _hits: 2 });
    expect(b!.metrics).toEqual({ views: 2, visitors: 2, avg_engaged: 0.5, recirculation_rate: 0 });
    expect((await of('posts', [A, B], { limit: '1' })).map(({ title }) => title)).toEqual(['A']);
    expect(await of('posts', ['https://paper.example/gone'])).toEqual([]);
  });

  test('under another sort and other filters, too', async () => {
    const [one, ...others] = await of('posts', [A, B], { sort: 'mobile_views', campaign_id: 'letter' });
    expect(others).toEqual([]);
    expect(one!.metrics).toEqual({ mobile_views: 1, views: 1, visitors: 1, avg_engaged: 0, recirculation_rate: 0 });
  });

  test.each([
    ['authors', ['Bob 2']],
    ['sections', ['Sport 2']],
    ['referrers', ['direct 1', 'google 1']],
    ['segments', ['paying 1']],
    ['campaigns', ['letter 1']],
    ['channels', ['website 2']],
  ])('narrow %s', async (list, expected) => {
    expect((await of(list, [B])).map(({ name, metrics }) => `${name} ${metrics.views}`)).toEqual(expected);
  });
});

describe('totals of a series', () => {
  const totals = async (params: Record<string, string>) => {
    const answer = await room.ask('/analytics/series', { metrics: 'views,visitors', ...params });
    return (answer as unknown as { totals?: unknown }).totals;
  };

  test('count a visitor of several intervals once, in the period before as well', async () => {
    expect(await totals({ ...DAY, interval: 'hour', compare: 'previous', totals: '1' })).toEqual({
      metrics: { views: 5, visitors: 3 },
      previous: { metrics: { views: 1, visitors: 1 }, partial: true, days_before: 0 },
    });
    const { data } = await room.ask('/analytics/series', { ...DAY, interval: 'hour', metrics: 'views,visitors' });
    const sum = (name: string) => data.reduce((all, { metrics }) => all + metrics[name]!, 0);
    expect([sum('views'), sum('visitors')]).toEqual([5, 4]);
  });

  test.each(['minute', 'hour', 'day', 'week', 'month'])('are the same for intervals of a %s', async (interval) => {
    expect(await totals({ period_start: '2040-11-13', interval, totals: '1' })).toEqual({
      metrics: { views: 6, visitors: 3 },
    });
    // Visitor 1 is new on the first day, and returns on the second: within an interval, not within the period.
    const metrics = ['visitors_new', 'visitors_returning', 'avg_engaged', 'avg_engaged_new', 'avg_engaged_returning'];
    expect(await totals({ ...DAY, interval, metrics: metrics.join(), totals: '1' })).toEqual({
      metrics: {
        ...{ visitors_new: 2, visitors_returning: 1 },
        ...{ avg_engaged: 1, avg_engaged_new: 0.5, avg_engaged_returning: 2 },
      },
    });
    expect(await totals({ period_start: '2040-11-13', interval, metrics: metrics.join(), totals: '1' })).toEqual({
      metrics: {
        ...{ visitors_new: 3, visitors_returning: 0 },
        ...{ avg_engaged: 1, avg_engaged_new: 1, avg_engaged_returning: 0 },
      },
    });
  });

  test('are under its filters', async () => {
    const filters = { section: 'World', referrer: 'direct' };
    expect(await totals({ ...DAY, ...filters, metrics: 'visitors_new', totals: '1' })).toEqual({
      metrics: { visitors_new: 1 },
    });
  });

  test('have the views on a kind of device once, under either name, and not those of pages that are no posts', async () => {
    const metrics = 'views,desktop_views,mobile_views';
    expect(await totals({ ...DAY, device: 'desktop', metrics, totals: '1' })).toEqual({
      metrics: { views: 3, desktop_views: 3, mobile_views: 0 },
    });
    expect(await totals({ ...DAY, device: 'desktop', segment: 'paying', metrics, totals: '1' })).toEqual({
      metrics: { views: 1, desktop_views: 1, mobile_views: 0 },
    });
  });

  test('are of lists as well, whose reports have no referrer', async () => {
    expect(await totals({ ...DAY, metrics: 'views,seen,click_rate', totals: '1' })).toEqual({
      metrics: { views: 5, seen: 0, click_rate: 0 },
    });
    expect(await room.ask('/analytics/series', { ...DAY, referrer: 'google', metrics: 'views,seen' })).toMatchObject({
      code: 422,
      errors: { referrer: [expect.stringContaining('metrics of lists')] },
    });
  });

  test('are there only where they are asked for', async () => {
    expect(await totals(DAY)).toBeUndefined();
    expect(await totals({ ...DAY, totals: '0' })).toBeUndefined();
  });
});

test('a section with more posts than a statement names one by one is counted as any other', async () => {
  const urls = Array.from({ length: 2 * MOST_KEYS }, (_, at) => `https://paper.example/archive/${at}`);
  const { posts } = room.deps.store;
  const [like] = await posts.get(room.site.id, [A]);
  await posts.save(
    room.site.id,
    urls.map((url) => ({ ...like!, url, section: 'Archive' })),
  );
  await posts.alias(room.site.id, urls[0]!, [`${urls[0]}?former`], NOW);
  const search = { referrerType: 'search', referrer: 'google' } as const;
  const read = urls.filter((_, at) => at % 100 === 99).map((url, at) => ({ url, visitor: `${10 + at}` }));
  await room.happen({ url: `${urls[0]}?former`, visitor: '7', ...search }, ...read);
  expect(await named('referrers', { section: 'Archive' })).toEqual(['direct 20', 'google 1']);
  const { data } = await room.ask('/analytics/series', { ...DAY, section: 'Archive', metrics: 'views,visitors' });
  expect(data).toMatchObject([{ metrics: { views: 21, visitors: 21 } }]);
});
