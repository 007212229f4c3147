// Pages of a site that another copy of the server has just made: they are in the queue before this copy knows the site.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { queued } from '../../server/crawl/schedule.ts';
import { article, CrawlRoom } from './crawlRoom.ts';

const room = new CrawlRoom();
beforeAll(() => room.open());
beforeEach(() => room.nextTest());
afterAll(() => room.close());

test('a page of a site that this copy does not know yet is read all the same', async () => {
  room.web.set(room.at('/a'), article('A'));
  const page = { site: room.site.id, url: room.at('/a'), requested: false };
  await room.store.crawlQueue.save([queued(undefined, page, room.now)]);
  room.isKnown = false;
  const { crawler } = room.start();
  await crawler.tick();
  await crawler.tick();
  await crawler.drain();
  expect(room.asked).toEqual([room.at('/a')]);
});
