// Pages that are viewed while the database is away are not lost for ever.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseSiteId } from '../../server/sites/site.ts';
import { article, CrawlRoom } from './crawlRoom.ts';

const room = new CrawlRoom();
beforeAll(() => room.open());
beforeEach(() => room.nextTest());
afterAll(() => room.close());

test('a page that was seen while the database was away is read after its next view, whatever other sites were seen', async () => {
  const { crawler } = room.start();
  const views = () => {
    crawler.viewed(parseSiteId('another.example')!, 'https://another.example/a');
    crawler.viewed(room.site.id, room.at('/a'));
  };
  const { get } = room.store.crawlQueue;
  room.store.crawlQueue.get = () => Promise.reject(new Error('away'));
  try {
    views();
    await expect(crawler.tick()).rejects.toThrow('away');
  } finally {
    room.store.crawlQueue.get = get;
  }
  room.web.set(room.at('/a'), article('A'));
  views();
  room.now += 5_000;
  await room.settled(crawler, 1);
  await crawler.drain();
});
