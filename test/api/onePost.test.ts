// One post: how its views grew beside those of its section, which pages came before and after it, what is stored of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GrowthRecord, StoredPostRecord } from '../../server/contract/wire.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Noon in Berlin, which is an hour ahead. */
const NOW = Date.parse('2040-03-20T11:00:00Z');
const at = (name: string) => `https://paper.example/${name}`;
const HOME = at('');

let room: Newsroom;

/** Views of a post so many hours after it was published, each by a reader of its own. */
const grows = (name: string, published: number, hours: readonly number[]) =>
  hours.map((after, reader) => ({
    url: at(name),
    visitor: String(1000 + reader),
    time: published + after * HOUR,
  }));

beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'Europe/Berlin' });
  const post = (name: string, section: string, pubDate: number, aliases: string[] = []) =>
    room.write(at(name), { title: `Of ${name}`, pageType: 'post', section, pubDate }, aliases);
  await post('new', 'World', NOW - 3 * DAY - 30 * 60_000, [at('new-old')]);
  // Six of its section, older than it: with 0 to 5 views in their first hour, and one on the sixth day.
  for (let peer = 0; peer < 6; peer++) await post(`peer-${peer}`, 'World', NOW - (10 + peer) * DAY);
  await post('other', 'Sport', NOW - 12 * DAY);
  await post('ancient', 'World', NOW - 400 * DAY);
  await room.write(HOME, { title: 'Front page', pageType: 'index' });
  await room.happen(
    // The first view of the site.
    { url: HOME, time: NOW - 30 * DAY },
    ...grows('new', NOW - 3 * DAY - 30 * 60_000, [0.1, 0.9, 1.5, 47.5, 60]),
    { url: at('new-old'), visitor: '7', time: NOW - 3 * DAY, referrerType: 'internal', referrerUrl: HOME },
    ...Array.from({ length: 6 }, (_, peer) =>
      grows(`peer-${peer}`, NOW - (10 + peer) * DAY, [...Array.from({ length: peer }, () => 0.5), 5 * 24]),
    ).flat(),
    ...grows(
      'other',
      NOW - 12 * DAY,
      Array.from({ length: 50 }, () => 0.5),
    ),
    { url: at('other'), visitor: '7', time: NOW - 2 * DAY, referrerType: 'internal', referrerUrl: at('new-old') },
    { url: at('other'), visitor: '8', time: NOW - 2 * DAY, referrerType: 'internal', referrerUrl: at('new') },
    { url: HOME, visitor: '8', time: NOW - DAY, referrerType: 'internal', referrerUrl: at('new'), channel: 'amp' },
    { url: at('new'), visitor: '8', time: NOW - DAY, referrerType: 'internal', referrerUrl: at('new') },
    { url: at('new'), visitor: '9', time: NOW - DAY, referrerType: 'internal', referrerUrl: at('unknown') },
  );
});
afterAll(() => room.close());

const growthOf = async (name: string) =>
  (await room.ask('/analytics/post/growth', { url: at(name) })).data as unknown as GrowthRecord[];

describe('the growth of a post', () => {
  test('is counted by the hour for two days, then to the end of each day, up to now', async () => {
    const rows = await growthOf('new');
    expect(rows.map(({ unit, age }) => `${unit} ${age}`)).toEqual([
      ...Array.from({ length: 48 }, (_, hour) => `hour ${hour + 1}`),
      'day 3',
      'day 4',
    ]);
    const views = new Map(rows.map(({ unit, age, views }) => [`${unit} ${age}`, views]));
    // The second of the two addresses counts for the post.
    expect([views.get('hour 1'), views.get('hour 2'), views.get('hour 47'), views.get('hour 48')]).toEqual([
      3, 4, 4, 5,
    ]);
    expect(rows.at(-1)).toMatchObject({ until: '2040-03-21T00:00:00+01:00', partial: true, views: 8 });
    expect(rows[0]).toMatchObject({ until: '2040-03-17T12:30:00+01:00', partial: false });
  });

  test('stands beside the median and the middle half of its section at the same age', async () => {
    const rows = await growthOf('new');
    expect(rows[0]!.typical).toEqual({ posts: 6, low: 1.25, median: 2.5, high: 3.75 });
    expect(rows.at(-1)!.typical).toEqual({ posts: 6, low: 1.25, median: 2.5, high: 3.75 });
    // Days are counted to the 28th: the view of the sixth day is in none of the first four.
    const older = await growthOf('peer-0');
    expect(older.at(-1)).toMatchObject({ unit: 'day', age: 11, views: 1 });
    // Five others that are older still: one less than it.
    expect(older.at(-1)!.typical).toEqual({ posts: 5, low: 3, median: 4, high: 5 });
    expect((await growthOf('other'))[0]).toMatchObject({ views: 50, typical: null });
  });

  test('has all of its first 48 hours, also where a day of 23 hours is among them', async () => {
    const published = Date.parse('2040-03-24T23:40:00+01:00');
    await room.write(at('in-spring'), { title: 'In spring', pageType: 'post', section: 'Late', pubDate: published });
    await room.happen(...grows('in-spring', published, [0.5, 47.2, 47.9]));
    room.setNow(published + 3 * DAY);
    const rows = await growthOf('in-spring');
    room.setNow(NOW);
    expect(rows.slice(46, 48)).toMatchObject([
      { unit: 'hour', age: 47, views: 1 },
      { unit: 'hour', age: 48, views: 3 },
    ]);
  });

  test('of a post whose date names no time begins with that day in the time zone of the site', async () => {
    const pubDate = Date.parse('2040-03-10T00:00:00Z');
    await room.write(at('dated'), { title: 'Dated', pageType: 'post', section: 'Dated', pubDate });
    await room.happen(...grows('dated', pubDate, [-0.5, 0.5]));
    const rows = await growthOf('dated');
    expect(rows.slice(0, 2)).toMatchObject([
      { unit: 'hour', age: 1, until: '2040-03-10T01:00:00+01:00', views: 1 },
      { unit: 'hour', age: 2, until: '2040-03-10T02:00:00+01:00', views: 2 },
    ]);
    expect(rows.at(-1)).toMatchObject({ unit: 'day', age: 11, views: 2 });
  });

  test.each(['ancient', 'nowhere', ''])('is not there for %s', async (name) => {
    expect(await growthOf(name)).toEqual([]);
  });

  test('is not there on a site without any view, west of UTC neither', async () => {
    const site = { ...room.site, id: parseSiteId('quiet.example')!, timezone: 'America/New_York' };
    await room.deps.sites.add(site);
    const url = 'https://quiet.example/a';
    const patch = { pageType: 'post' as const, title: 'Read by none', pubDate: NOW - DAY };
    await room.deps.library.write(site.id, url, { patch });
    const query = new URLSearchParams({ apikey: site.id, secret: room.secret, url });
    const response = await room.app.request(`http://stats.example/v2/analytics/post/growth?${query}`);
    expect(await response.json()).toMatchObject({ success: true, data: [] });
  });
});

describe('the pages around a post', () => {
  const around = async (of: string, params: Record<string, string> = {}) =>
    (await room.ask(`/analytics/post/${of}`, { url: at('new'), period_start: '7d', ...params })).data.map(
      ({ url, title, metrics }) => [url, title, metrics.views],
    );

  test('are those that led to it, under any of its addresses, posts or not', async () => {
    expect(await around('previous')).toEqual([
      [HOME, 'Front page', 1],
      [at('unknown'), at('unknown'), 1],
    ]);
    expect(await around('previous', { url: at('new-old'), limit: '1' })).toHaveLength(1);
  });

  test('and those that were opened from it', async () => {
    expect(await around('next')).toEqual([
      [at('other'), 'Of other', 2],
      [HOME, 'Front page', 1],
    ]);
    expect(await around('next', { channel: 'amp' })).toEqual([[HOME, 'Front page', 1]]);
    expect(await around('next', { period_start: '36h' })).toEqual([[HOME, 'Front page', 1]]);
  });

  test('are none of those that are hidden, and none of a hidden post', async () => {
    await room.ask('/exclude/ignore', { url: at('other') });
    expect(await around('next')).toEqual([[HOME, 'Front page', 1]]);
    expect(await around('next', { url: at('other') })).toEqual([]);
    expect(await growthOf('other')).toEqual([]);
    await room.ask('/exclude/include', { url: at('other') });
  });
});

describe('a filter by post', () => {
  test.each(['posts', 'authors', 'sections', 'tags'])('narrows /analytics/%s to it', async (list) => {
    const all = await room.ask(`/analytics/${list}`, { period_start: '30d', post: at('new-old') });
    const views = all.data.map(({ metrics }) => metrics.views);
    expect(views).toEqual(list === 'posts' || list === 'sections' ? [8] : []);
  });

  test('narrows series, referrers and channels to its views', async () => {
    const asked = { post: at('new'), period_start: '30d' };
    const { data } = await room.ask('/analytics/series', { ...asked, metrics: 'views', interval: 'day' });
    expect(data.reduce((sum, { metrics }) => sum + metrics.views!, 0)).toBe(8);
    const referrers = await room.ask('/analytics/referrers', asked);
    expect(referrers.data.reduce((sum, { metrics }) => sum + metrics.views!, 0)).toBe(8);
    expect(
      (await room.ask('/analytics/channels', asked)).data.map(({ name, metrics }) => [name, metrics.views]),
    ).toEqual([['website', 8]]);
  });

  test('of a page that is no post finds nothing, and of no URL is refused', async () => {
    expect((await room.ask('/analytics/posts', { period_start: '30d', post: at('nowhere') })).data).toEqual([]);
    expect((await room.ask('/analytics/posts', { post: 'new' })).code).toBe(422);
  });
});

describe('what is stored of a post', () => {
  const storedOf = async (name: string) =>
    (await room.ask('/metadata/post', { url: at(name) })).data as unknown as StoredPostRecord[];

  test('is answered under any of its addresses, with who said it', async () => {
    const [post] = await storedOf('new-old');
    expect(post).toMatchObject({
      stored: {
        url: at('new'),
        title: 'Of new',
        section: 'World',
        page_type: 'post',
        pub_date: '2040-03-17T10:30:00.000Z',
      },
      sent: expect.arrayContaining(['title', 'section', 'pub_date']),
      read: null,
      crawl: null,
      aliases: [at('new-old')],
      hidden: false,
    });
  });

  test('says whether it is hidden, and what its page said when it was read last', async () => {
    await room.ask('/exclude/ignore', { url: at('other') });
    const said = { url: at('other'), pageType: 'post', title: 'Of others', imageUrl: '', pubDate: null } as const;
    await room.deps.store.crawlQueue.save([
      {
        ...{ site: room.site.id, url: at('other'), firstSeen: NOW, due: 0, requested: false, priority: 1, attempts: 0 },
        ...{ lastRead: NOW, lastFailure: '', updatedAt: NOW },
        said: { ...said, section: 'Sport', authors: ['Ann'], tags: [], language: 'en', words: 7 },
      },
    ]);
    const [post] = await storedOf('other');
    expect(post).toMatchObject({
      hidden: true,
      read: { title: 'Of others', authors: ['Ann'], pub_date: '', words: 7 },
      crawl: { read: new Date(NOW).toISOString(), due: null, requested: false, failure: '', attempts: 0 },
    });
    await room.ask('/exclude/include', { url: at('other') });
  });

  test('is nothing for an address that is not known', async () => {
    expect(await storedOf('nowhere')).toEqual([]);
    expect((await room.ask('/metadata/post', { url: 'javascript:alert(1)' })).code).toBe(422);
  });
});
