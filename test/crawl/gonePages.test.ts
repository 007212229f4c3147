// A post whose page is gone leaves the lists that readers see, and comes back with its page.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunningCrawler } from '../../server/crawl/crawler.ts';
import { CrawlError } from '../../server/crawl/failure.ts';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import { CrawlRoom } from './crawlRoom.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WISH = { limit: 10, page: 1, filters: {}, excluded: new Set<string>(), respectEmpty: false } as const;
/** An article of long ago, which is not read again for being new: some words of its own, some that all have. */
const dated = (title: string) => {
  const own = Array.from({ length: 60 }, (_, at) => `${title.at(-1)}word${at} harbour${at % 7} ferry`).join(' ');
  return `<title>${title}</title><meta property="og:type" content="article">
    <meta property="article:published_time" content="2026-01-01T00:00:00Z"><article><h1>${title}</h1><p>${own}.</p></article>`;
};

const room = new CrawlRoom();
beforeAll(() => room.open());
beforeEach(() => room.nextTest());
afterAll(() => room.close());

let crawler: RunningCrawler;
let library: LoadedLibrary;

async function readAll(...paths: string[]): Promise<void> {
  ({ crawler, library } = room.start());
  for (const path of paths) {
    room.web.set(room.at(path), dated(`Article ${path}`));
    crawler.viewed(room.site.id, room.at(path));
  }
  await room.settled(crawler, paths.length);
  room.asked = [];
}

/** A reader opens a post from a list, and what is due for it is done. */
async function click(path: string, reads = room.asked.length + 1): Promise<void> {
  await library.ready(room.site.id);
  crawler.clicked(room.site.id, room.at(path));
  await room.settled(crawler, reads);
}

const recommended = async (path: string) =>
  (await library.recommend(room.site.id, { url: room.at(path), sort: 'score', ...WISH })).map(({ url }) => url);

test('two answers an hour apart take a post off the lists, and one that it is there brings it back', async () => {
  await readAll('/a', '/b');
  room.web.set(room.at('/b'), new CrawlError('gone', 'no page'));
  room.now += 2 * DAY;
  await click('/b');
  // A server may be wrong for a moment.
  expect(await recommended('/a')).toEqual([room.at('/b')]);
  expect(await room.entryOf(room.at('/b'))).toMatchObject({ due: room.now + HOUR, lastFailure: 'gone' });
  room.now += HOUR;
  await room.settled(crawler, 2);
  const goneAt = room.now;
  expect(await room.postOf(room.at('/b'))).toMatchObject({ title: 'Article /b', goneAt });
  expect(await recommended('/a')).toEqual([]);
  expect(await library.search(room.site.id, { query: 'article', sort: 'score', ...WISH })).toHaveLength(1);
  expect(await library.recent(room.site.id, WISH)).toMatchObject([{ url: room.at('/a') }]);
  room.web.set(room.at('/b'), dated('Article /b'));
  room.now += DAY;
  await room.settled(crawler, 3);
  expect((await room.postOf(room.at('/b')))?.goneAt).toBeUndefined();
  expect(await recommended('/a')).toEqual([room.at('/b')]);
  await crawler.drain();
});

test('a post that is gone is asked for again after an hour, a day, a week and a month, then no more', async () => {
  await readAll('/a');
  room.web.set(room.at('/a'), new CrawlError('gone', 'no page'));
  room.now += 2 * DAY;
  await click('/a');
  const waits: number[] = [];
  for (let due = 1; due > 0; ) {
    ({ due } = (await room.entryOf(room.at('/a')))!);
    if (due === 0) break;
    waits.push((due - room.now) / HOUR);
    room.now = due;
    await room.settled(crawler, room.asked.length + 1);
  }
  expect(waits).toEqual([1, 24, 7 * 24, 28 * 24]);
  await crawler.drain();
});

test('a post stays gone over a restart, until its publisher sends it again', async () => {
  await readAll('/a', '/b');
  await library.write(room.site.id, room.at('/b'), { patch: { goneAt: room.now }, by: 'page' });
  await crawler.drain();
  await library.close();
  ({ crawler, library } = room.start());
  expect(await recommended('/a')).toEqual([]);
  // One more address says nothing of the page.
  await library.write(room.site.id, room.at('/b'), { patch: {}, aliases: [room.at('/old')], by: 'page' });
  expect(await recommended('/a')).toEqual([]);
  await library.write(room.site.id, room.at('/b'), { patch: { title: 'Once more' } });
  expect(await recommended('/a')).toEqual([room.at('/b')]);
  await crawler.drain();
});

test('a click has a post read again that was not read for a day, and no other', async () => {
  await readAll('/a');
  await click('/a', 0);
  room.now += DAY;
  for (let clicks = 0; clicks < 10; clicks++) await click('/a', 1);
  crawler.clicked(room.site.id, room.at('/invented'));
  crawler.clicked(room.site.id, room.at('/a'));
  await room.settled(crawler, 1);
  expect(room.asked).toEqual([room.at('/a')]);
  expect(await room.entryOf(room.at('/invented'))).toBeUndefined();
  await crawler.drain();
});

test('a post that the crawler never could read stays, as its publisher says that it is there', async () => {
  ({ crawler, library } = room.start());
  const patch = { pageType: 'post', title: 'Sent', fullContent: 'All of it.' } as const;
  await library.write(room.site.id, room.at('/sent'), { patch });
  await click('/sent');
  room.now += DAY;
  await click('/sent');
  expect(await room.postOf(room.at('/sent'))).not.toHaveProperty('goneAt');
  await crawler.drain();
});
