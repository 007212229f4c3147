// GET /v2/analytics/posts through the front door, over a real engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const A = 'https://paper.example/a';
const B = 'https://paper.example/b';
const C = 'https://paper.example/c';

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'America/New_York' });
  await room.write(A, {
    title: 'First',
    section: 'World',
    authors: ['Ann', 'Bob'],
    tags: ['x', 'y'],
    imageUrl: 'https://paper.example/a.jpg',
    pubDate: NOW - 10 * DAY,
    metadata: '{"k":1}',
    fullContent: 'one two three',
  });
  await room.write(B, { title: 'Second', section: 'Sport', authors: ['Bob'], tags: ['y'], pubDate: NOW - 2 * DAY }, [
    'https://paper.example/b-old',
  ]);
  await room.write(C, { title: 'Third', section: 'World', pageType: 'index' });
  await room.happen(
    { url: A, visitor: '1', time: NOW - HOUR, referrerType: 'social', referrer: 'facebook' },
    { url: A, visitor: '2', time: NOW - 30 * HOUR, device: 'mobile', campaignId: 'spring', segments: ['members'] },
    { url: A, visitor: '2', time: NOW - 30 * HOUR, action: 'heartbeat', seconds: 90 },
    { url: A, visitor: '3', time: NOW - 5 * DAY },
    { url: B, visitor: '1', time: NOW - 30 * HOUR, channel: 'amp', referrerType: 'internal', referrerUrl: A },
    { url: 'https://paper.example/b-old', visitor: '4', time: NOW - 2 * HOUR, campaignId: 'spring' },
    { url: B, visitor: '4', time: NOW - 2 * HOUR },
    { url: C, visitor: '5', time: NOW - HOUR },
    { url: 'https://paper.example/unknown', visitor: '5', time: NOW - HOUR },
    { url: A, visitor: '6', time: NOW - HOUR, action: 'share', network: 'tw' },
  );
});

afterAll(() => room.close());

test('ranks posts by views of the last three days, aliases counted in, pages that are no posts left out', async () => {
  expect(await room.ask('/analytics/posts')).toEqual({
    data: [
      {
        title: 'Second',
        url: B,
        link: B,
        author: 'Bob',
        authors: ['Bob'],
        section: 'Sport',
        tags: ['y'],
        pub_date: '2040-03-18T15:30:00',
        image_url: '',
        thumb_url_medium: '',
        full_content_word_count: 0,
        metadata: '',
        _hits: 3,
        metrics: { views: 3 },
      },
      {
        title: 'First',
        url: A,
        link: A,
        author: 'Ann, Bob',
        authors: ['Ann', 'Bob'],
        section: 'World',
        tags: ['x', 'y'],
        pub_date: '2040-03-10T15:30:00',
        image_url: 'https://paper.example/a.jpg',
        thumb_url_medium: 'https://paper.example/a.jpg',
        full_content_word_count: 3,
        metadata: '{"k":1}',
        _hits: 2,
        metrics: { views: 2 },
      },
    ],
    meta: { metrics: ['views'], sort: 'views' },
    links: {
      first: `http://stats.example/v2/analytics/posts?apikey=paper.example&secret=${room.secret}&page=1`,
      next: null,
    },
    success: true,
  });
});

describe('every metric', () => {
  test.each([
    ['_hits', { views: 3 }, { views: 2 }],
    ['mobile_views', { mobile_views: 1 }, { mobile_views: 0 }],
    ['desktop_views', { desktop_views: 3 }, { desktop_views: 1 }],
    ['visitors', { visitors: 2 }, { visitors: 2 }],
    ['visitors_new', { visitors_new: 2 }, { visitors_new: 2 }],
    ['visitors_returning', { visitors_returning: 0 }, { visitors_returning: 0 }],
    ['engaged_minutes', { engaged_minutes: 1.5 }, { engaged_minutes: 0 }],
    [
      'avg_engaged',
      { avg_engaged: 0.75, engaged_minutes: 1.5, views: 2, visitors: 2 },
      { avg_engaged: 0, engaged_minutes: 0, views: 3, visitors: 2 },
    ],
    ['avg_engaged_new', { avg_engaged_new: 0.75, visitors_new: 2 }, { avg_engaged_new: 0, visitors_new: 2 }],
    ['tw_interactions', { tw_interactions: 1 }, { tw_interactions: 0 }],
    ['fb_referrals', { fb_referrals: 1 }, { fb_referrals: 0 }],
    ['recirculation_rate', { recirculation_rate: 0.5, views: 2 }, { recirculation_rate: 0, views: 3 }],
  ])('%s', async (sort, first, second) => {
    const { data, meta } = await room.ask('/analytics/posts', { sort });
    expect(data.map((record) => record.metrics)).toEqual([first, second]);
    expect(meta.sort).toBe(sort === '_hits' ? 'views' : sort);
    expect(meta.metrics).toEqual(Object.keys(first));
  });
});

describe('filters', () => {
  test.each([
    ['an author', { author: 'Bob' }, [B, A]],
    ['two authors, both', { author: ['Bob', 'Ann'] }, [A]],
    ['the wrong case', { author: 'bob' }, []],
    ['a tag', { tag: 'x' }, [A]],
    ['two sections, either', { section: ['World', 'Sport'] }, [B, A]],
    ['a section', { section: 'Sport' }, [B]],
    ['a publication date', { pub_date_start: '2040-03-15' }, [B]],
    ['a channel', { channel: 'amp' }, [B]],
    ['a segment', { segment: 'members' }, [A]],
    ['a campaign', { campaign_id: 'spring' }, [A, B]],
    ['a campaign and a segment', { campaign_id: 'spring', segment: 'members' }, [A]],
    ['a longer period', { period_start: '7d' }, [A, B]],
    ['the last day', { period_start: '24h' }, [B, A]],
    ['one whole day of the site', { period_start: '2040-03-19', period_end: '2040-03-19' }, [A, B]],
    ['nothing', { section: "'; DROP TABLE events; --" }, []],
  ])('%s', async (_, params, urls) => {
    const { data } = await room.ask('/analytics/posts', params);
    expect(data.map((record) => record.url)).toEqual(urls);
  });
});

test('pages follow one another without a gap', async () => {
  const first = await room.ask('/analytics/posts', { limit: '1' });
  const second = await room.ask('/analytics/posts', { limit: '1', page: '2' });
  const third = await room.ask('/analytics/posts', { limit: '1', page: '3' });
  expect([...first.data, ...second.data].map((record) => record.url)).toEqual([B, A]);
  expect(third.data).toEqual([]);
  expect(first.links.next).toContain('page=2');
  expect(second.links).toMatchObject({ next: null, prev: first.links.first });
});

test('an excluded post is gone at once and back at once', async () => {
  await room.ask('/exclude/ignore', { url: B });
  expect((await room.ask('/analytics/posts')).data.map((record) => record.url)).toEqual([A]);
  expect((await room.ask('/exclude/list')).data).toEqual([B]);
  await room.ask('/exclude/include', { url: B });
  expect((await room.ask('/analytics/posts')).data.map((record) => record.url)).toEqual([B, A]);
});
