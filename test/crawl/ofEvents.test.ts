// A post that was made of the metadata of events is read like any page, and what it says of itself counts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { article, CrawlRoom } from './crawlRoom.ts';

const room = new CrawlRoom();
beforeAll(() => room.open());
beforeEach(() => room.nextTest());
afterAll(() => room.close());

test('a page overrides what an event has said of it, and counts as any unknown page', async () => {
  const { crawler, library } = room.start();
  room.web.set(room.at('/a'), article('From the page'));
  await library.write(room.site.id, room.at('/a'), {
    patch: { pageType: 'post', title: 'Invented', section: 'Invented' },
    by: 'event',
  });
  crawler.viewed(room.site.id, room.at('/a'));
  await room.settled(crawler, 1);
  await crawler.drain();
  expect(await room.postOf(room.at('/a'))).toMatchObject({ title: 'From the page', pageType: 'post' });
  expect(await room.entryOf(room.at('/a'))).toMatchObject({ priority: 1 });
});
