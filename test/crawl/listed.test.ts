// Pages of an archive in the crawler's queue: behind what readers open, the newest first, each once.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CrawlError } from '../../server/crawl/failure.ts';
import { PostQuotaError } from '../../server/sites/siteQuotas.ts';
import { until } from '../support/until.ts';
import { article, CrawlRoom } from './crawlRoom.ts';

const room = new CrawlRoom();
beforeAll(() => room.open());
beforeEach(() => room.nextTest());
afterAll(() => room.close());

const DAY = 86_400_000;
const listed = (paths: readonly string[], changed: number | null = null) =>
  paths.map((path) => ({ url: room.at(path), changed }));

/** Every page is there, and reads like an article. */
const publish = (...paths: string[]) => {
  for (const path of paths) room.web.set(room.at(path), article(path));
};

test('are read in the order they were listed in, after what was seen or asked for', async () => {
  publish('/1', '/2', '/3', '/4', '/seen', '/asked');
  const { crawler } = room.start();
  const { sitemaps } = crawler;
  expect(await sitemaps.queue(room.site.id, listed(['/1', '/2']), 0)).toEqual(['queued', 'queued']);
  room.now += 5;
  expect(await sitemaps.queue(room.site.id, listed(['/3', '/4']), 2)).toEqual(['queued', 'queued']);
  crawler.viewed(room.site.id, room.at('/seen'), '192.0.2.0/24');
  await crawler.request(room.site.id, room.at('/asked'));
  await room.settled(crawler, 6);
  expect(room.asked).toEqual(['/asked', '/seen', '/1', '/2', '/3', '/4'].map((path) => room.at(path)));
});

test('one that a reader opens meanwhile comes before the others', async () => {
  publish('/1', '/2', '/opened');
  const { crawler } = room.start();
  await crawler.sitemaps.queue(room.site.id, listed(['/1', '/2', '/opened']), 0);
  crawler.viewed(room.site.id, room.at('/opened'), '192.0.2.0/24');
  await room.settled(crawler, 3);
  expect(room.asked[0]).toBe(room.at('/opened'));
});

test('are queued once, not again while they are known, and again when they have changed', async () => {
  publish('/a', '/b');
  const { crawler } = room.start();
  const queue = (changed: number | null) => crawler.sitemaps.queue(room.site.id, listed(['/a', '/b'], changed), 0);
  expect(await queue(null)).toEqual(['queued', 'queued']);
  expect(await queue(null)).toEqual(['waiting', 'waiting']);
  await room.settled(crawler, 2);
  expect(await queue(null)).toEqual(['known', 'known']);
  expect(await queue(room.now - DAY)).toEqual(['known', 'known']);
  expect(await queue(room.now + DAY)).toEqual(['known', 'known']);
  room.now += 1000;
  expect(await queue(room.now - 500)).toEqual(['queued', 'queued']);
  await room.settled(crawler, 4);
});

test('other addresses of a post, and posts whose text was sent, are known', async () => {
  const { crawler, library } = room.start();
  const patch = { pageType: 'post' as const, title: 'Sent', fullContent: 'Words of the publisher.' };
  await library.write(room.site.id, room.at('/sent'), { patch, aliases: [room.at('/alias')], by: 'publisher' });
  const queue = (changed: number | null) =>
    crawler.sitemaps.queue(room.site.id, listed(['/sent', '/alias'], changed), 0);
  expect(await queue(null)).toEqual(['known', 'known']);
  // When they were read is known for 90 days.
  expect(await queue(room.now - 100 * DAY)).toEqual(['known', 'known']);
  expect(await queue(room.now - DAY)).toEqual(['queued', 'queued']);
});

test('what became of them is reported: posts, other pages, refusals, and what is tried again', async () => {
  publish('/post');
  room.web.set(room.at('/other'), '<title>About us</title><p>Few words.</p>');
  room.web.set(room.at('/moved'), article('Moved', room.at('/post')));
  room.web.set(room.at('/slow'), new CrawlError('too-slow', 'too slow'));
  const paths = ['/post', '/other', '/moved', '/slow', '/gone'];
  const { crawler } = room.start();
  const since = room.now;
  const outcomes = () =>
    crawler.sitemaps.outcomes(
      room.site.id,
      paths.map((path) => room.at(path)),
      since,
    );
  await crawler.sitemaps.queue(room.site.id, listed(paths), 0);
  expect(await outcomes()).toEqual(Array(5).fill({ state: 'waiting' }));
  await room.settled(crawler, 5);
  expect(await outcomes()).toEqual([
    { state: 'post' },
    { state: 'other' },
    { state: 'post' },
    { state: 'later', failure: 'too-slow' },
    { state: 'refused', failure: 'gone' },
  ]);
  // Asked for once more, those that failed are tried at once.
  expect(await crawler.sitemaps.queue(room.site.id, listed(paths), 0)).toEqual([
    'known',
    'known',
    'known',
    'queued',
    'queued',
  ]);
});

test('those that the site has no room for are left out, and are tried at once when asked for once more', async () => {
  publish('/first', '/second');
  room.web.set(room.at('/slow'), new CrawlError('too-slow', 'too slow'));
  const pages = listed(['/first', '/second', '/slow']);
  let left = 1;
  const takePost = async () => {
    if (left-- < 1) throw new PostQuotaError({ site: room.site.id, limit: 1 });
  };
  const { crawler } = room.start({}, undefined, { takePost });
  const { queue, outcomes } = crawler.sitemaps;
  const states = async (since: number) =>
    (
      await outcomes(
        room.site.id,
        pages.map(({ url }) => url),
        since,
      )
    ).map(({ state }) => state);
  const since = room.now;
  await queue(room.site.id, pages, 0);
  await room.settled(crawler, 3);
  expect(await states(since)).toEqual(['post', 'left-out', 'later']);
  room.now += 60_000;
  publish('/slow');
  await room.settled(crawler, 4);
  expect(await states(since)).toEqual(['post', 'left-out', 'left-out']);
  left = 2;
  expect(await queue(room.site.id, pages, 0)).toEqual(['known', 'queued', 'queued']);
  await room.settled(crawler, 6);
  expect(await states(since)).toEqual(['post', 'post', 'post']);
});

test('an old page is not read hourly on the day it was listed, and one of today is', async () => {
  const dated = (date: number) =>
    article('Dated').replace('<article>', `<time datetime="${new Date(date).toISOString()}"></time><article>`);
  publish('/undated');
  room.web.set(room.at('/today'), dated(room.now - 3_600_000));
  room.web.set(room.at('/old'), dated(room.now - 30 * DAY));
  const { crawler } = room.start();
  await crawler.sitemaps.queue(room.site.id, listed(['/undated', '/today', '/old']), 0);
  await room.settled(crawler, 3);
  const due = await Promise.all(
    ['/undated', '/today', '/old'].map(async (path) => (await room.entryOf(room.at(path)))?.due),
  );
  expect(due).toEqual([0, room.now + 3_600_000, 0]);
});

test('sitemaps of a host are read one at a time, with the pause of its pages between', async () => {
  const times: number[] = [];
  const readSitemap = async (_: unknown, url: string) => {
    times.push(room.now);
    return { format: 'sitemap' as const, entries: [], notes: [], fetched: url, bytes: 0, foreign: 0, malformed: 0 };
  };
  const { crawler } = room.start({ readSitemap, pauseOf: () => 7_000 });
  const reads = ['/1.xml', '/2.xml', '/3.xml'].map((path) => crawler.sitemaps.read(room.site, room.at(path)));
  await until('all are read', () => {
    room.now += 1_000;
    return times.length === 3;
  });
  await Promise.all(reads);
  const [first = 0, second = 0, third = 0] = times;
  expect(second - first).toBeGreaterThanOrEqual(7_000);
  expect(third - second).toBeGreaterThanOrEqual(7_000);
});
