// The crawler while the wall clock is set: pages are read in their usual time, over a real engine.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CrawlError } from '../../server/crawl/failure.ts';
import { article, CrawlRoom } from './crawlRoom.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const room = new CrawlRoom();
beforeAll(() => room.open());
beforeEach(() => room.nextTest());
afterAll(() => room.close());

test('a clock that was five hours ahead and is set back delays neither new pages nor second attempts', async () => {
  room.web.set(room.at('/down'), new CrawlError('unreachable', 'down'));
  room.web.set(room.at('/new'), article('New'));
  const right = room.now;
  let passed = 0;
  const { crawler } = room.start({}, () => passed);
  room.now = right + 5 * HOUR;
  crawler.viewed(room.site.id, room.at('/down'));
  await room.settled(crawler, 1);
  room.now = right;
  passed += MINUTE;
  crawler.viewed(room.site.id, room.at('/new'));
  await room.settled(crawler, 3);
  expect([...room.asked].sort()).toEqual([room.at('/down'), room.at('/down'), room.at('/new')]);
  // The second attempt failed, too: the third waits as long as ever.
  expect(await room.entryOf(room.at('/down'))).toMatchObject({ attempts: 2, due: room.now + 4 * MINUTE });
  await crawler.drain();
});

test('a post that was read while the clock was a year ahead is read again when readers open it after that', async () => {
  room.web.set(room.at('/post'), article('Before'));
  const right = room.now;
  let passed = 0;
  const { crawler, library } = room.start({}, () => passed);
  const click = async () => {
    await library.ready(room.site.id);
    crawler.clicked(room.site.id, room.at('/post'));
  };
  room.now = right + 365 * 24 * HOUR;
  // Listed, so that it is not read again for being new.
  await crawler.sitemaps.queue(room.site.id, [{ url: room.at('/post'), changed: null }], 0);
  await room.settled(crawler, 1);
  await click();
  await crawler.tick();
  room.now = right;
  passed += 24 * HOUR;
  room.web.set(room.at('/post'), article('Corrected'));
  await click();
  await room.settled(crawler, 2);
  expect(await room.postOf(room.at('/post'))).toMatchObject({ title: 'Corrected' });
  await crawler.drain();
});
