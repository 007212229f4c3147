// The queue over a real engine: what is queued, read once, tried again, and found again after a restart.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CrawlError } from '../../server/crawl/failure.ts';
import { queued } from '../../server/crawl/schedule.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { article, CrawlRoom } from './crawlRoom.ts';

const HOUR = 3_600_000;

const room = new CrawlRoom();
beforeAll(() => room.open());
beforeEach(() => room.nextTest());
afterAll(() => room.close());

describe('a page that is viewed', () => {
  test('is read once, however often it is viewed, and becomes a post', async () => {
    room.web.set(room.at('/a'), article('A'));
    const { crawler } = room.start();
    for (let view = 0; view < 50; view++) crawler.viewed(room.site.id, room.at('/a'));
    await room.settled(crawler, 1);
    for (let view = 0; view < 50; view++) crawler.viewed(room.site.id, room.at('/a'));
    await crawler.tick();
    await crawler.drain();
    expect(room.asked).toEqual([room.at('/a')]);
    expect(await room.postOf(room.at('/a'))).toMatchObject({
      title: 'A',
      pageType: 'post',
      wordCount: expect.closeTo(181, -1),
    });
    expect(crawler.counts()).toEqual([{ outcome: 'read', count: 1 }]);
  });

  test('that is no post is known, but no post', async () => {
    room.web.set(room.at('/'), '<title>Front page</title>');
    const { crawler, library } = room.start();
    crawler.viewed(room.site.id, room.at('/'));
    await room.settled(crawler, 1);
    expect(await room.postOf(room.at('/'))).toMatchObject({ pageType: 'other', title: 'Front page' });
    expect(await library.cards(room.site.id, [room.at('/')])).toMatchObject([{ pageType: 'other' }]);
    await crawler.drain();
  });

  test('is not read when its publisher has sent it with its text, and read when it was sent without', async () => {
    const { crawler, library } = room.start();
    room.web.set(room.at('/bare'), article('From the page'));
    await library.write(room.site.id, room.at('/full'), {
      patch: { pageType: 'post', title: 'Sent', fullContent: 'All of it.' },
    });
    await library.write(room.site.id, room.at('/bare'), { patch: { pageType: 'post', title: 'Sent' } });
    crawler.viewed(room.site.id, room.at('/full'));
    crawler.viewed(room.site.id, room.at('/bare'));
    await room.settled(crawler, 1);
    await crawler.drain();
    expect(room.asked).toEqual([room.at('/bare')]);
    expect(await room.postOf(room.at('/bare'))).toMatchObject({ title: 'Sent', wordCount: expect.closeTo(181, -1) });
  });

  test('of another address of a known post is not read', async () => {
    const { crawler, library } = room.start();
    await library.write(room.site.id, room.at('/a'), {
      patch: { pageType: 'post', fullContent: 'Text.' },
      aliases: [room.at('/old')],
    });
    crawler.viewed(room.site.id, room.at('/old'));
    crawler.viewed(room.site.id, room.at('/a?page=2'));
    await crawler.tick();
    await crawler.drain();
    expect(room.asked).toEqual([]);
    expect(await room.entryOf(room.at('/old'))).toBeUndefined();
    // Views that were stored before anyone knew are the post's as well.
    expect(await room.store.posts.aliases(room.site.id, [room.at('/a?page=2')])).toEqual(
      new Map([[room.at('/a?page=2'), room.at('/a')]]),
    );
  });

  test('of a post that became known since it could not be read is one more address of it', async () => {
    room.web.set(room.at('/a?from=mail'), new CrawlError('unreachable', 'down'));
    const { crawler, library } = room.start();
    crawler.viewed(room.site.id, room.at('/a?from=mail'));
    await room.settled(crawler, 1);
    await library.write(room.site.id, room.at('/a'), { patch: { pageType: 'post', fullContent: 'Text.' } });
    room.now = (await room.entryOf(room.at('/a?from=mail')))!.due;
    await room.tickUntil(
      'it is nothing to be read any more',
      crawler,
      async () => (await room.entryOf(room.at('/a?from=mail')))?.due === 0,
    );
    await crawler.drain();
    expect(room.asked).toHaveLength(1);
    expect(await library.resolve(room.site.id, room.at('/a?from=mail'))).toBe(room.at('/a'));
    expect((await room.store.posts.aliases(room.site.id)).get(room.at('/a?from=mail'))).toBe(room.at('/a'));
  });

  test('that has an id for an address is a post as soon as its publisher declares it', async () => {
    const { crawler, library } = room.start();
    const name = 'post-id:17';
    const aliases = async () => [...(await room.store.posts.aliases(room.site.id))];
    crawler.viewed(room.site.id, name);
    await crawler.tick();
    await library.write(room.site.id, room.at('/a'), {
      patch: { pageType: 'post', postId: '17', fullContent: 'Text.' },
    });
    crawler.viewed(room.site.id, name);
    await crawler.tick();
    expect(await aliases()).toEqual([]);
    room.now += 60_000;
    await crawler.tick();
    crawler.viewed(room.site.id, name);
    await crawler.tick();
    expect(await aliases()).toEqual([[name, room.at('/a')]]);
    await crawler.drain();
    expect(room.asked).toEqual([]);
  });

  test('with parameters is read where its bare address is no post', async () => {
    room.web.set(room.at('/page'), '<title>Not found</title>').set(room.at('/page?id=7'), article('Seven'));
    const { crawler } = room.start();
    crawler.viewed(room.site.id, room.at('/page'));
    await room.settled(crawler, 1);
    crawler.viewed(room.site.id, room.at('/page?id=7'));
    await room.settled(crawler, 2);
    expect(await room.postOf(room.at('/page?id=7'))).toMatchObject({ title: 'Seven' });
    await crawler.drain();
  });

  test('of a site that was removed is let go', async () => {
    const { crawler } = room.start();
    await crawler.request(room.site.id, room.at('/a'));
    const { id } = room.site;
    room.site = { ...room.site, id: parseSiteId('another.example')! };
    await room.tickUntil(
      'it is let go',
      crawler,
      async () => (await room.store.crawlQueue.get(id, [`https://${id}/a`]))[0]?.due === 0,
    );
    await crawler.drain();
    expect(room.asked).toEqual([]);
  });

  test('beyond what an hour allows is left for the next hour', async () => {
    const { crawler } = room.start({ read: () => new Promise(() => {}) });
    for (let page = 0; page < 3_700; page++) crawler.viewed(room.site.id, room.at(`/${page}`));
    await room.tickUntil(
      'the hour is full',
      crawler,
      () => crawler.counts().find(({ outcome }) => outcome === 'left-out')?.count === 100,
    );
    room.now += HOUR;
    crawler.viewed(room.site.id, room.at('/3650'));
    await crawler.tick();
    expect(await room.entryOf(room.at('/3650'))).toBeDefined();
  });
});

describe('the queue', () => {
  test('lets go of what is no address, and reads what stands behind it', async () => {
    room.web.set(room.at('/a'), article('A'));
    const { crawler } = room.start();
    const waiting = (url: string, since: number) =>
      queued(undefined, { site: room.site.id, url, requested: false }, since);
    await room.store.crawlQueue.save([waiting('(other)', room.now - HOUR), waiting(room.at('/a'), room.now)]);
    await room.settled(crawler, 1);
    await crawler.drain();
    expect(room.asked).toEqual([room.at('/a')]);
  });

  test('is found again after a restart, with what was being read', async () => {
    const { crawler } = room.start({
      read: () => new Promise((_, fail) => setImmediate(fail, new CrawlError('too-slow', ''))),
    });
    await crawler.request(room.site.id, room.at('/a'));
    crawler.viewed(room.site.id, room.at('/b'));
    await room.tickUntil('both wait', crawler, () => room.entryOf(room.at('/b')));
    await crawler.drain();
    await room.reopen();
    room.now += 5 * 60_000;
    room.web.set(room.at('/a'), article('A')).set(room.at('/b'), article('B'));
    const again = room.start();
    await room.settled(again.crawler, 2);
    expect(room.asked.sort()).toEqual([room.at('/a'), room.at('/b')]);
    expect(await room.postOf(room.at('/b'))).toMatchObject({ title: 'B' });
    await again.crawler.drain();
  });

  test('tries a failing page again, later and later, and then waits to be asked', async () => {
    room.web.set(room.at('/a'), new CrawlError('unreachable', 'down'));
    const { crawler } = room.start();
    await crawler.request(room.site.id, room.at('/a'));
    const waits: number[] = [];
    for (let reads = 1; ; reads++) {
      await room.settled(crawler, reads);
      const { due } = (await room.entryOf(room.at('/a')))!;
      if (due === 0) break;
      waits.push((due - room.now) / 60_000);
      room.now = due;
    }
    expect(waits).toEqual([1, 4, 16, 64, 256, 360, 360]);
    expect(await room.entryOf(room.at('/a'))).toMatchObject({ lastFailure: 'unreachable', attempts: 8 });
    room.web.set(room.at('/a'), article('Up again'));
    await crawler.request(room.site.id, room.at('/a'));
    await room.settled(crawler, 9);
    expect(await room.postOf(room.at('/a'))).toMatchObject({ title: 'Up again' });
    await crawler.drain();
  });

  test('reads pages it has never read before those it reads again', async () => {
    const { crawler } = room.start();
    room.web.set(room.at('/known'), article('Known'));
    crawler.viewed(room.site.id, room.at('/known'));
    await room.settled(crawler, 1);
    room.now += HOUR;
    for (const page of ['/1', '/2']) crawler.viewed(room.site.id, room.at(page));
    await room.settled(crawler, 4);
    expect(room.asked.at(-1)).toBe(room.at('/known'));
    await crawler.drain();
  });

  test('reads requested pages before those that were only seen', async () => {
    const { crawler } = room.start();
    for (const page of ['/1', '/2', '/3']) crawler.viewed(room.site.id, room.at(page));
    await crawler.request(room.site.id, room.at('/asked'));
    await room.settled(crawler, 4);
    expect(room.asked[0]).toBe(room.at('/asked'));
    await crawler.drain();
  });

  test('asks a host for one page at a time, with a pause between', async () => {
    let open = 0;
    let most = 0;
    const starts: number[] = [];
    const { crawler } = room.start({
      pauseOf: () => 1000,
      read: async (site, url) => {
        most = Math.max(most, ++open);
        starts.push(room.now);
        await new Promise(setImmediate);
        open--;
        return await room.read(site, url);
      },
    });
    for (let page = 0; page < 5; page++) {
      room.web.set(room.at(`/${page}`), article(String(page)));
      await crawler.request(room.site.id, room.at(`/${page}`));
    }
    await room.tickUntil('all are read', crawler, () => {
      room.now += 100;
      return room.asked.length === 5;
    });
    expect(most).toBe(1);
    expect(Math.min(...starts.slice(1).map((time, index) => time - starts[index]!))).toBeGreaterThanOrEqual(1000);
    await crawler.drain();
  });

  test('a request that comes while the page is read is not lost', async () => {
    room.web.set(room.at('/a'), article('Old'));
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    const { crawler } = room.start({
      read: async (site, url) => {
        const found = await room.read(site, url);
        await held;
        return found;
      },
    });
    await crawler.request(room.site.id, room.at('/a'));
    await room.tickUntil('it is being read', crawler, () => room.asked.length === 1);
    room.web.set(room.at('/a'), article('New'));
    room.now += 1;
    await crawler.request(room.site.id, room.at('/a'));
    release();
    await room.settled(crawler, 2);
    expect(await room.postOf(room.at('/a'))).toMatchObject({ title: 'New' });
    await crawler.drain();
  });

  test('rests when the database is away, and continues when it is back', async () => {
    const { crawler } = room.start();
    const { due } = room.store.crawlQueue;
    room.store.crawlQueue.due = () => Promise.reject(new Error('away'));
    try {
      await expect(crawler.tick()).rejects.toThrow('away');
      await crawler.tick();
    } finally {
      room.store.crawlQueue.due = due;
    }
    room.web.set(room.at('/a'), article('A'));
    crawler.viewed(room.site.id, room.at('/a'));
    room.now += 5_000;
    await room.settled(crawler, 1);
    await crawler.drain();
  });
});
