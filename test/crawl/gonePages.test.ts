// A post whose page is gone leaves the lists that readers see, and comes back with its page.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RunningCrawler } from '../../server/crawl/crawler.ts';
import { CrawlError } from '../../server/crawl/failure.ts';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import { CrawlRoom } from './crawlRoom.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const QUESTION = { limit: 10, page: 1, filters: {}, excluded: new Set<string>(), respectEmpty: false } as const;
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

/** What is due is done. */
async function rest(): Promise<void> {
  await room.tickUntil('nothing is due', crawler, async () => {
    const due = await room.store.crawlQueue.due({ now: room.now, limit: 100_000, perSite: 100_000 });
    return !due.some(({ site }) => site === room.site.id);
  });
}

/** A reader opens a post from a list. */
async function click(path: string): Promise<void> {
  await library.ready(room.site.id);
  crawler.clicked(room.site.id, room.at(path));
  await rest();
}

const later = async (ms: number) => {
  room.now += ms;
  await rest();
};

const remove = (...paths: string[]) => {
  for (const path of paths) room.web.set(room.at(path), new CrawlError('gone', 'no page'));
};

const isGone = async (path: string) => (await room.postOf(room.at(path)))?.goneAt !== undefined;

const recommended = async (path: string) =>
  (await library.recommend(room.site.id, { url: room.at(path), sort: 'score', ...QUESTION })).map(({ url }) => url);

test('two answers an hour apart take a post off the lists, and one that it is there brings it back', async () => {
  await readAll('/a', '/b');
  remove('/b');
  room.now += 2 * DAY;
  await click('/b');
  // A server may be wrong for a moment.
  expect(await recommended('/a')).toEqual([room.at('/b')]);
  expect(await room.entryOf(room.at('/b'))).toMatchObject({ due: room.now + HOUR, lastFailure: 'gone' });
  await later(HOUR);
  const goneAt = room.now;
  expect(await room.postOf(room.at('/b'))).toMatchObject({ title: 'Article /b', goneAt });
  expect(await recommended('/a')).toEqual([]);
  expect(await library.search(room.site.id, { query: 'article', sort: 'score', ...QUESTION })).toHaveLength(1);
  // A list that was read within five seconds is not read again.
  expect(await library.recent(room.site.id, { ...QUESTION, limit: 9 })).toMatchObject([{ url: room.at('/a') }]);
  room.web.set(room.at('/b'), dated('Article /b'));
  await later(DAY);
  expect(await isGone('/b')).toBe(false);
  expect(await recommended('/a')).toEqual([room.at('/b')]);
  await crawler.drain();
});

test('a post that is gone is asked for again after an hour, a day, a week and a month, then no more', async () => {
  await readAll('/a');
  remove('/a');
  room.now += 2 * DAY;
  await click('/a');
  const waits: number[] = [];
  for (let due = 1; due > 0; ) {
    ({ due } = (await room.entryOf(room.at('/a')))!);
    if (due === 0) break;
    waits.push((due - room.now) / HOUR);
    await later(due - room.now);
  }
  expect(waits).toEqual([1, 24, 7 * 24, 28 * 24]);
  await crawler.drain();
});

test('a click brings no attempt forward that waits for its time', async () => {
  await readAll('/a');
  remove('/a');
  room.now += 2 * DAY;
  await click('/a');
  for (const pause of [HOUR, DAY]) await later(pause);
  const before = await room.entryOf(room.at('/a'));
  expect(before).toMatchObject({ due: room.now + 7 * DAY, attempts: 3 });
  // A page in a cache of a reader still has it in its list.
  room.now += 2 * DAY;
  await click('/a');
  expect(await room.entryOf(room.at('/a'))).toEqual(before);
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
  await click('/a');
  expect(room.asked).toEqual([]);
  room.now += DAY;
  for (let invented = 0; invented < 3_000; invented++) crawler.clicked(room.site.id, room.at(`/invented/${invented}`));
  await click('/a');
  expect(room.asked).toEqual([room.at('/a')]);
  for (let clicks = 0; clicks < 10; clicks++) await click('/a');
  await click('/invented/0');
  expect(room.asked).toEqual([room.at('/a')]);
  expect(await room.entryOf(room.at('/invented/0'))).toBeUndefined();
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

test('the answer to an editor who asks again within the hour is no second one', async () => {
  await readAll('/a', '/b');
  remove('/b');
  room.now += 2 * DAY;
  for (const pause of [0, 20_000, 20_000]) {
    room.now += pause;
    await crawler.request(room.site.id, room.at('/b'));
    await rest();
  }
  expect(await isGone('/b')).toBe(false);
  await later(HOUR);
  expect(await isGone('/b')).toBe(true);
  await crawler.drain();
});

test.each([
  ['leads to the front page', '/'],
  ['says so with status 200', '/b'],
])('a post whose page %s leaves the lists, and keeps what is known of it', async (_, to) => {
  const reading = room.read;
  await readAll('/a', '/b');
  await crawler.drain();
  await library.close();
  ({ crawler, library } = room.start({
    read: async (site, url) => ({
      ...(await reading(site, url)),
      ...(url === room.at('/b') && { fetched: room.at(to) }),
    }),
  }));
  room.web.set(room.at('/b'), `<title>The Paper</title><link rel="canonical" href="${room.at(to)}"><p>All news.</p>`);
  room.now += 2 * DAY;
  await click('/b');
  expect(await recommended('/a')).toEqual([room.at('/b')]);
  await later(HOUR);
  expect(await isGone('/b')).toBe(true);
  expect(await room.postOf(room.at('/b'))).toMatchObject({ title: 'Article /b', pageType: 'post' });
  expect(await recommended('/a')).toEqual([]);
  await crawler.drain();
});

test('a page that its publisher made something else of is no post any more once an editor has it read again', async () => {
  await readAll('/a');
  room.web.set(room.at('/a'), '<title>About us</title><p>Who we are.</p>');
  await crawler.request(room.site.id, room.at('/a'));
  await rest();
  expect(await room.postOf(room.at('/a'))).toMatchObject({ title: 'About us', pageType: 'other' });
  await crawler.drain();
});

test('a server that answers the crawler alone with 404 empties no list', async () => {
  await readAll('/a', '/b', '/c');
  remove('/a', '/b', '/c');
  room.now += 2 * DAY;
  for (const path of ['/a', '/b', '/c']) await click(path);
  for (const pause of [HOUR, DAY]) await later(pause);
  expect(await recommended('/a')).toHaveLength(2);
  expect(crawler.gone()).toEqual({
    left: [],
    keptOut: [{ site: room.site.id, url: expect.stringMatching(/\/[abc]$/) }],
  });
  // It lets the crawler in again, and one page is gone indeed.
  for (const path of ['/a', '/c']) room.web.set(room.at(path), dated(`Article ${path}`));
  for (const pause of [DAY, DAY]) await later(pause);
  expect(await recommended('/a')).toEqual([room.at('/c')]);
  expect(crawler.gone()).toEqual({ left: [{ site: room.site.id, count: 1 }], keptOut: [] });
  expect(await room.store.posts.gone()).toContainEqual({ site: room.site.id, posts: 1 });
  await crawler.drain();
});

test('of several new posts that were removed at once, all leave the lists', async () => {
  await readAll('/a', '/b', '/c', '/d');
  remove('/a', '/b', '/c');
  room.now += 2 * DAY;
  for (const path of ['/a', '/b', '/c']) await click(path);
  for (const pause of [HOUR, DAY]) await later(pause);
  expect(await Promise.all(['/a', '/b', '/c', '/d'].map(isGone))).toEqual([true, true, true, false]);
  await crawler.drain();
});

test('a post that was read longer ago than the queue keeps is noticed, too', async () => {
  ({ crawler, library } = room.start());
  const patch = { pageType: 'post', title: 'Old', fullContent: 'As its page said.' } as const;
  await library.write(room.site.id, room.at('/old'), { patch, by: 'page' });
  await click('/old');
  expect(await room.entryOf(room.at('/old'))).toMatchObject({ due: room.now + HOUR });
  await later(HOUR);
  expect(await isGone('/old')).toBe(true);
  await crawler.drain();
});

test('a post of its publisher whose page never looked like one stays', async () => {
  await readAll('/a');
  await library.write(room.site.id, room.at('/film'), { patch: { pageType: 'post', title: 'Film' } });
  room.web.set(room.at('/film'), '<title>Film</title><video></video>');
  await crawler.request(room.site.id, room.at('/film'));
  await rest();
  expect(await room.entryOf(room.at('/film'))).toMatchObject({ lastFailure: '', lastRead: room.now });
  room.now += 2 * DAY;
  await click('/film');
  await later(HOUR);
  expect(await room.entryOf(room.at('/film'))).toMatchObject({ lastFailure: '', lastRead: room.now - HOUR });
  expect(await isGone('/film')).toBe(false);
  await crawler.drain();
});

test('what its publisher sends between two answers stands against the first', async () => {
  await readAll('/a', '/b');
  remove('/b');
  room.now += 2 * DAY;
  await click('/b');
  room.now += HOUR / 2;
  await library.write(room.site.id, room.at('/b'), { patch: { title: 'It is here' } });
  await later(HOUR / 2);
  expect(await isGone('/b')).toBe(false);
  await later(HOUR);
  expect(await isGone('/b')).toBe(true);
  await crawler.drain();
});

test('failures of other kinds before do not delay the second answer', async () => {
  await readAll('/a', '/b');
  room.web.set(room.at('/b'), new CrawlError('bad-status', 'busy'));
  room.now += 2 * DAY;
  await click('/b');
  remove('/b');
  await later(60_000);
  expect(await room.entryOf(room.at('/b'))).toMatchObject({ due: room.now + HOUR, lastFailure: 'gone' });
  await crawler.drain();
});
