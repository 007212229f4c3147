// Where readers came from, from events at the front door to the lists of referrers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const STORY = 'https://paper.example/story';
const OTHER = 'https://paper.example/other';
let room: Newsroom;

/** Views of one page from these referrers, in one batch. */
async function read(url: string, ...referrers: string[]): Promise<void> {
  const events = referrers.map((urlref, n) => ({
    idsite: 'paper.example',
    action: 'pageview',
    url,
    urlref,
    date: NOW - 60_000,
    data: { parsely_site_uuid: `${url}-${urlref}-${n}` },
  }));
  const headers = { 'Content-Type': 'application/json', 'User-Agent': FIREFOX };
  const body = JSON.stringify({ events });
  const answer = await room.app.request('http://stats.example/events', { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
}

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const known = { section: 'World', authors: ['Ann'], tags: ['x'], pubDate: NOW - 86_400_000 };
  await room.write(STORY, { title: 'Story', ...known });
  await room.write(OTHER, { title: 'Other', ...known, authors: ['Bob'] });
  await read(
    STORY,
    ...['https://www.google.de/', 'https://www.google.de/', 'https://www.google.com/', 'https://news.google.com/'],
    ...[
      'https://l.facebook.com/',
      'https://www.facebook.com/',
      'https://t.co/a',
      'https://linktr.ee/',
      'https://bsky.app/',
    ],
    ...['https://chatgpt.com/', 'android-app://com.openai.chatgpt/', 'https://www.perplexity.ai/'],
    ...['https://blog.parse.ly/post', 'https://accounts.google.com/', 'https://paper.example/', ''],
    'https://paper-example.cdn.ampproject.org/',
  );
  await read(OTHER, 'https://news.google.com/', 'https://www.google.com/', 'https://chatgpt.com/');
});

afterAll(() => room.close());

const listed = async (path: string, params: Record<string, string> = {}) =>
  (await room.ask(path, params)).data.map(({ name, title, type, category, _hits }) =>
    [name ?? title, type, category, _hits].filter((said) => said !== undefined).join(' '),
  );

test('a record names type and category: a network by its domain, an engine and an assistant by brand, else the host', async () => {
  const { data } = await room.ask('/referrers/social', { limit: '1' });
  expect(data).toEqual([
    { name: 'facebook.com', type: 'social', category: 'social', _hits: 2, metrics: { referrers_views: 2 } },
  ]);
  expect(await listed('/analytics/referrers', { limit: '50' })).toEqual([
    'google search search 4',
    'chatgpt other ai 3',
    'facebook.com social social 2',
    'news.google.com other aggregator 2',
    'paper.example internal internal 2',
    'accounts.google.com other other 1',
    'blog.parse.ly other other 1',
    'bsky.app social social 1',
    'direct direct direct 1',
    'linktr.ee social social 1',
    'perplexity other ai 1',
    'x.com social social 1',
  ]);
});

describe('lists of each category', () => {
  test.each([
    ['/referrers/ai', ['chatgpt other ai 3', 'perplexity other ai 1']],
    ['/referrers/ai/referrers', ['chatgpt other ai 3', 'perplexity other ai 1']],
    ['/referrers/ai/posts', ['Story 3', 'Other 1']],
    ['/referrers/ai/authors', ['Ann 3', 'Bob 1']],
    ['/referrers/ai/sections', ['World 4']],
    ['/referrers/ai/tags', ['x 4']],
    ['/referrers/ai/author/Bob/detail', ['Other 1']],
    ['/referrers/aggregator', ['news.google.com other aggregator 2']],
    ['/referrers/aggregator/posts', ['Other 1', 'Story 1']],
    ['/referrers/internal', ['paper.example internal internal 2']],
    ['/referrers/search/referrers', ['google search search 4']],
    [
      '/referrers/other',
      [
        'chatgpt other ai 3',
        'news.google.com other aggregator 2',
        'accounts.google.com other other 1',
        'blog.parse.ly other other 1',
        'perplexity other ai 1',
      ],
    ],
    [
      '/referrers/social/referrers',
      [
        'facebook.com social social 2',
        'bsky.app social social 1',
        'linktr.ee social social 1',
        'x.com social social 1',
      ],
    ],
  ])('%s', async (path, expected) => expect((await listed(path)).sort()).toEqual([...expected].sort()));

  test('one that does not exist is not found', async () => {
    expect(await room.ask('/referrers/direct')).toMatchObject({ code: 404, success: false });
  });
});

describe('domain= is a name, a brand, or the very host', () => {
  test.each([
    ['search', 'google', 4],
    ['search', 'google.de', 2],
    ['search', 'WWW.Google.DE', 2],
    ['search', 'google.com', 2],
    ['search', 'google.fr', 0],
    ['social', 'facebook', 2],
    ['social', 'facebook.com', 2],
    ['social', 'l.facebook.com', 1],
    ['social', 'x.com', 1],
    ['social', 'twitter', 1],
    ['social', 't.co', 1],
    ['ai', 'chatgpt', 3],
    ['ai', 'com.openai.chatgpt', 1],
    ['other', 'chatgpt.com', 2],
    ['aggregator', 'news.google.com', 2],
    ['other', 'blog.parse.ly', 1],
    ['other', 'parse.ly', 0],
    ['internal', 'paper.example', 2],
  ])('%s %s: %i views', async (type, domain, views) => {
    const { data } = await room.ask(`/referrers/${type}`, { domain });
    expect(data.reduce((sum, { _hits }) => sum + _hits, 0)).toBe(views);
    const posts = (await room.ask(`/referrers/${type}/posts`, { domain })).data;
    expect(posts.reduce((sum, { _hits }) => sum + _hits, 0)).toBe(views);
  });
});

test('the four networks with a metric keep theirs, and the sum counts all', async () => {
  const { data } = await room.ask('/analytics/posts', { sort: 'social_referrals', limit: '1' });
  expect(data[0]!.metrics).toMatchObject({ social_referrals: 5, fb_referrals: 2, tw_referrals: 1 });
});

test('rules of a site sort its views from then on, by host', async () => {
  const { sites } = room.deps;
  const site = sites.find('paper.example')!;
  const rules = new Map([
    ['partner.example', 'aggregator'],
    ['*.partner.example', 'social'],
    ['facebook.com', 'social'],
    ['l.facebook.com', 'other'],
  ] as const);
  await replaceSite(sites, { ...site, referrers: rules });
  const url = 'https://paper.example/ruled';
  const from = ['https://www.partner.example/', 'https://a.partner.example/', 'https://b.a.partner.example/'];
  await read(url, ...from, 'https://l.facebook.com/', 'https://www.facebook.com/', 'https://notpartner.example/');
  const { data } = await room.ask('/referrers/post/detail', { url });
  expect(data.map(({ name, category }) => `${name} ${category}`).sort()).toEqual([
    'a.partner.example social',
    'b.a.partner.example social',
    'facebook.com social',
    'l.facebook.com other',
    'notpartner.example other',
    'partner.example aggregator',
  ]);
  await replaceSite(sites, site);
});
