// What becomes of a page that was read: what is written, and what never is.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { article, CrawlRoom } from './crawlRoom.ts';

const HOUR = 3_600_000;

const room = new CrawlRoom();
beforeAll(() => room.open());
beforeEach(() => room.nextTest());
afterAll(() => room.close());

test('fields the publisher sent stand, before and after the page is read', async () => {
  room.web.set(room.at('/a'), article('Page'));
  const { crawler, library } = room.start();
  await library.write(room.site.id, room.at('/a'), {
    patch: { pageType: 'post', title: 'Sent', authors: ['Sent Author'] },
  });
  await crawler.request(room.site.id, room.at('/a'));
  await room.settled(crawler, 1);
  expect(await room.postOf(room.at('/a'))).toMatchObject({
    title: 'Sent',
    authors: ['Sent Author'],
    wordCount: expect.closeTo(181, -1),
  });
  await library.write(room.site.id, room.at('/a'), { patch: { tags: ['sent'] } });
  room.now += 1000;
  await crawler.request(room.site.id, room.at('/a'));
  await room.settled(crawler, 2);
  expect(await room.postOf(room.at('/a'))).toMatchObject({ title: 'Sent', tags: ['sent'] });
  await crawler.drain();
});

test('a field that left the page leaves the post', async () => {
  room.web.set(room.at('/a'), article('A').replace('<article>', '<meta name="author" content="Ada"><article>'));
  const { crawler } = room.start();
  await crawler.request(room.site.id, room.at('/a'));
  await room.settled(crawler, 1);
  expect((await room.postOf(room.at('/a')))?.authors).toEqual(['Ada']);
  room.web.set(room.at('/a'), article('A, corrected'));
  room.now += 1000;
  await crawler.request(room.site.id, room.at('/a'));
  await room.settled(crawler, 2);
  expect(await room.postOf(room.at('/a'))).toMatchObject({ title: 'A, corrected', authors: [] });
  await crawler.drain();
});

test('a page that has not changed is not written again', async () => {
  room.web.set(room.at('/a'), article('A'));
  const { crawler } = room.start();
  await crawler.request(room.site.id, room.at('/a'));
  await room.settled(crawler, 1);
  const before = await room.postOf(room.at('/a'));
  room.now += HOUR;
  await room.settled(crawler, 2);
  expect(await room.postOf(room.at('/a'))).toEqual(before);
  await crawler.drain();
});

test('an address that names another becomes its alias, and the other is read for itself', async () => {
  room.web.set(room.at('/amp'), article('Short', room.at('/story')));
  room.web.set(room.at('/story'), article('The story', room.at('/story')));
  const { crawler, library } = room.start();
  crawler.viewed(room.site.id, room.at('/amp'));
  await room.settled(crawler, 2);
  expect(room.asked).toEqual([room.at('/amp'), room.at('/story')]);
  expect(await library.resolve(room.site.id, room.at('/amp'))).toBe(room.at('/story'));
  expect(await room.postOf(room.at('/story'))).toMatchObject({ title: 'The story' });
  await crawler.drain();
});

test('an address that names another changes nothing about it once that has spoken for itself', async () => {
  room.web.set(room.at('/story'), article('The story'));
  room.web.set(room.at('/comment'), article('Buy cheap ropes', room.at('/story')));
  const { crawler } = room.start();
  await crawler.request(room.site.id, room.at('/story'));
  await room.settled(crawler, 1);
  crawler.viewed(room.site.id, room.at('/comment'));
  await room.settled(crawler, 2);
  expect(await room.postOf(room.at('/story'))).toMatchObject({ title: 'The story' });
  await crawler.drain();
});

test('an address that named another is a post of its own once it has an article of its own', async () => {
  room.web.set(room.at('/live'), article('The story', room.at('/story')));
  room.web.set(room.at('/story'), article('The story'));
  const { crawler, library } = room.start();
  crawler.viewed(room.site.id, room.at('/live'));
  await room.settled(crawler, 2);
  expect(await library.resolve(room.site.id, room.at('/live'))).toBe(room.at('/story'));
  room.web.set(room.at('/live'), article('The next day'));
  room.now += 1000;
  await crawler.request(room.site.id, room.at('/live'));
  await room.settled(crawler, 3);
  expect(await library.resolve(room.site.id, room.at('/live'))).toBe(room.at('/live'));
  expect(await room.postOf(room.at('/live'))).toMatchObject({ title: 'The next day' });
  expect(await room.postOf(room.at('/story'))).toMatchObject({ title: 'The story' });
  await crawler.drain();
});

test('a page that leads to a log-in is no alias of it', async () => {
  room.web.set(room.at('/members'), `<title>Log in</title><link rel="canonical" href="${room.at('/login')}">`);
  const { crawler, library } = room.start();
  crawler.viewed(room.site.id, room.at('/members'));
  await room.settled(crawler, 1);
  expect(await library.resolve(room.site.id, room.at('/members'))).toBe(room.at('/members'));
  expect(await room.postOf(room.at('/members'))).toMatchObject({ pageType: 'other' });
  await crawler.drain();
});

test('an address its publisher gave to a post stays with it, whatever its page or another one says', async () => {
  room.web.set(room.at('/old'), article('Old', room.at('/old')));
  room.web.set(room.at('/amp'), article('Short', room.at('/old')));
  const { crawler, library } = room.start();
  await crawler.request(room.site.id, room.at('/old'));
  await room.settled(crawler, 1);
  const patch = { pageType: 'post', title: 'Moved', fullContent: 'Text.' } as const;
  await library.write(room.site.id, room.at('/new'), { patch, aliases: [room.at('/old')] });
  room.web.set(room.at('/old'), article('Old, corrected', room.at('/old')));
  await crawler.request(room.site.id, room.at('/old'));
  await crawler.request(room.site.id, room.at('/amp'));
  await room.settled(crawler, 3);
  for (const address of ['/old', '/amp', '/new'])
    expect(await library.resolve(room.site.id, room.at(address))).toBe(room.at('/new'));
  expect(await room.postOf(room.at('/new'))).toMatchObject({ title: 'Moved' });
  await crawler.drain();
});
