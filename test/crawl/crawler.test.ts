// The queue over a real engine: what is queued, read once, kept, tried again, and found again after a restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createCrawler, type RunningCrawler } from '../../server/crawl/crawler.ts';
import { CrawlError } from '../../server/crawl/failure.ts';
import type { CrawledPage } from '../../server/crawl/readSitePage.ts';
import { createLibrary } from '../../server/library.ts';
import { readPage } from '../../server/posts/readPage/readPage.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { Store } from '../../server/storage/store.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;
const log = pino({ level: 'silent' });
const path = mkdtempSync(join(tmpdir(), 'afterword-crawler-'));
// Rows of the queue that are older than 90 days are gone, by the engine's own clock.
let now = Date.now();
const open = () => openStore({ engine: { kind: 'embedded', path }, log, now: () => now });
let store: Store = await open();
let sequence = 0;

afterAll(async () => {
  await store.close();
  rmSync(path, { recursive: true, force: true });
});

/** A site of its own for each test, whose pages are what the test says. */
let site: Site;
let web: Map<string, string | CrawlError>;
let asked: string[];
beforeEach(() => {
  const id = parseSiteId(`site-${++sequence}.example`)!;
  site = {
    id,
    domains: [],
    timezone: 'UTC',
    features: { top: true, recommendations: true },
    secretHash: '',
    writeSecretHash: '',
    createdAt: 0,
  };
  web = new Map();
  asked = [];
});

const at = (page: string) => `https://${site.id}${page}`;
const article = (title: string, canonical = '') =>
  `<title>${title}</title><meta property="og:type" content="article">${canonical && `<link rel="canonical" href="${canonical}">`}<article><h1>${title}</h1>${'<p>Words of the article, one after another, for everyone.</p>'.repeat(20)}</article>`;

async function read(of: Pick<Site, 'id'>, url: string): Promise<CrawledPage> {
  asked.push(url);
  const html = web.get(url) ?? new CrawlError('gone', 'gone');
  if (html instanceof CrawlError) throw html;
  const record = readPage({ url, html }, (address) => address.hostname === of.id);
  return { ...record, fetched: url, encoding: 'utf-8', bytes: html.length, cut: false };
}

function start(reading: Partial<{ read: typeof read; pauseOf: () => number }> = {}) {
  const library = createLibrary({ store, now: () => now, log });
  const crawler = createCrawler({
    store,
    sites: { find: (id) => (id === site.id ? site : undefined) },
    library,
    reading: { read, pauseOf: () => 0, close: async () => {}, ...reading },
    now: () => now,
    log,
  });
  return { crawler, library };
}

const entryOf = async (url: string) => (await store.crawlQueue.get(site.id, [url]))[0];
const postOf = async (url: string) => (await store.posts.get(site.id, [url]))[0];

/** Ticks until the queue has heard of the outcome of reading a page so many times. */
async function settled(crawler: RunningCrawler, reads: number) {
  await until(`${reads} pages were read`, async () => {
    await crawler.tick();
    return asked.length >= reads;
  });
  await until('nothing is due', async () => {
    const due = await store.crawlQueue.due({ now, limit: 100_000, perSite: 100_000 });
    return !due.some((entry) => entry.site === site.id);
  });
}

describe('a page that is viewed', () => {
  test('is read once, however often it is viewed, and becomes a post', async () => {
    web.set(at('/a'), article('A'));
    const { crawler } = start();
    for (let view = 0; view < 50; view++) crawler.viewed(site.id, at('/a'));
    await settled(crawler, 1);
    for (let view = 0; view < 50; view++) crawler.viewed(site.id, at('/a'));
    await crawler.tick();
    await crawler.drain();
    expect(asked).toEqual([at('/a')]);
    expect(await postOf(at('/a'))).toMatchObject({ title: 'A', pageType: 'post', wordCount: 180 });
    expect(crawler.counts()).toEqual([{ outcome: 'read', count: 1 }]);
  });

  test('that is no post is known, but no post', async () => {
    web.set(at('/'), '<title>Front page</title>');
    const { crawler, library } = start();
    crawler.viewed(site.id, at('/'));
    await settled(crawler, 1);
    expect(await postOf(at('/'))).toMatchObject({ pageType: 'other', title: 'Front page' });
    expect(await library.cards(site.id, [at('/')])).toMatchObject([{ pageType: 'other' }]);
    await crawler.drain();
  });

  test('is not read when its publisher has sent it with its text, and read when it was sent without', async () => {
    const { crawler, library } = start();
    web.set(at('/bare'), article('From the page'));
    await library.write(site.id, at('/full'), {
      patch: { pageType: 'post', title: 'Sent', fullContent: 'All of it.' },
    });
    await library.write(site.id, at('/bare'), { patch: { pageType: 'post', title: 'Sent' } });
    crawler.viewed(site.id, at('/full'));
    crawler.viewed(site.id, at('/bare'));
    await settled(crawler, 1);
    await crawler.drain();
    expect(asked).toEqual([at('/bare')]);
    expect(await postOf(at('/bare'))).toMatchObject({ title: 'Sent', wordCount: 180 });
  });

  test('of another address of a known post is not read', async () => {
    const { crawler, library } = start();
    await library.write(site.id, at('/a'), {
      patch: { pageType: 'post', fullContent: 'Text.' },
      aliases: [at('/old')],
    });
    crawler.viewed(site.id, at('/old'));
    crawler.viewed(site.id, at('/a?page=2'));
    await crawler.tick();
    await crawler.drain();
    expect(asked).toEqual([]);
    expect(await entryOf(at('/old'))).toBeUndefined();
  });

  test('with parameters is read where its bare address is no post', async () => {
    web.set(at('/page'), '<title>Not found</title>').set(at('/page?id=7'), article('Seven'));
    const { crawler } = start();
    crawler.viewed(site.id, at('/page'));
    await settled(crawler, 1);
    crawler.viewed(site.id, at('/page?id=7'));
    await settled(crawler, 2);
    expect(await postOf(at('/page?id=7'))).toMatchObject({ title: 'Seven' });
    await crawler.drain();
  });

  test('of a site that was removed is let go', async () => {
    const { crawler } = start();
    await crawler.request(site.id, at('/a'));
    const { id } = site;
    site = { ...site, id: parseSiteId('another.example')! };
    await until('it is let go', async () => {
      await crawler.tick();
      return (await store.crawlQueue.get(id, [`https://${id}/a`]))[0]?.due === 0;
    });
    await crawler.drain();
    expect(asked).toEqual([]);
  });

  test('beyond what an hour allows is left for the next hour', async () => {
    const { crawler } = start({ read: () => new Promise(() => {}) });
    for (let page = 0; page < 3_700; page++) crawler.viewed(site.id, at(`/${page}`));
    await until('the hour is full', async () => {
      await crawler.tick();
      return crawler.counts().find(({ outcome }) => outcome === 'left-out')?.count === 100;
    });
    now += HOUR;
    crawler.viewed(site.id, at('/3650'));
    await crawler.tick();
    expect(await entryOf(at('/3650'))).toBeDefined();
  });
});

describe('what is kept', () => {
  test('fields the publisher sent stand, before and after the page is read', async () => {
    web.set(at('/a'), article('Page'));
    const { crawler, library } = start();
    await library.write(site.id, at('/a'), { patch: { pageType: 'post', title: 'Sent', authors: ['Sent Author'] } });
    await crawler.request(site.id, at('/a'));
    await settled(crawler, 1);
    expect(await postOf(at('/a'))).toMatchObject({ title: 'Sent', authors: ['Sent Author'], wordCount: 180 });
    await library.write(site.id, at('/a'), { patch: { tags: ['sent'] } });
    now += 1000;
    await crawler.request(site.id, at('/a'));
    await settled(crawler, 2);
    expect(await postOf(at('/a'))).toMatchObject({ title: 'Sent', tags: ['sent'] });
    await crawler.drain();
  });

  test('a field that left the page leaves the post', async () => {
    web.set(at('/a'), article('A').replace('<article>', '<meta name="author" content="Ada"><article>'));
    const { crawler } = start();
    await crawler.request(site.id, at('/a'));
    await settled(crawler, 1);
    expect((await postOf(at('/a')))?.authors).toEqual(['Ada']);
    web.set(at('/a'), article('A, corrected'));
    now += 1000;
    await crawler.request(site.id, at('/a'));
    await settled(crawler, 2);
    expect(await postOf(at('/a'))).toMatchObject({ title: 'A, corrected', authors: [] });
    await crawler.drain();
  });

  test('a page that has not changed is not written again', async () => {
    web.set(at('/a'), article('A'));
    const { crawler } = start();
    await crawler.request(site.id, at('/a'));
    await settled(crawler, 1);
    const before = await postOf(at('/a'));
    now += HOUR;
    await settled(crawler, 2);
    expect(await postOf(at('/a'))).toEqual(before);
    await crawler.drain();
  });

  test('an address that names another becomes its alias, and the other is read for itself', async () => {
    web.set(at('/amp'), article('Short', at('/story')));
    web.set(at('/story'), article('The story', at('/story')));
    const { crawler, library } = start();
    crawler.viewed(site.id, at('/amp'));
    await settled(crawler, 2);
    expect(asked).toEqual([at('/amp'), at('/story')]);
    expect(await library.resolve(site.id, at('/amp'))).toBe(at('/story'));
    expect(await postOf(at('/story'))).toMatchObject({ title: 'The story' });
    await crawler.drain();
  });

  test('an address that names another changes nothing about it once that has spoken for itself', async () => {
    web.set(at('/story'), article('The story'));
    web.set(at('/comment'), article('Buy cheap ropes', at('/story')));
    const { crawler } = start();
    await crawler.request(site.id, at('/story'));
    await settled(crawler, 1);
    crawler.viewed(site.id, at('/comment'));
    await settled(crawler, 2);
    expect(await postOf(at('/story'))).toMatchObject({ title: 'The story' });
    await crawler.drain();
  });

  test('a page that leads to a log-in is no alias of it', async () => {
    web.set(at('/members'), `<title>Log in</title><link rel="canonical" href="${at('/login')}">`);
    const { crawler, library } = start();
    crawler.viewed(site.id, at('/members'));
    await settled(crawler, 1);
    expect(await library.resolve(site.id, at('/members'))).toBe(at('/members'));
    expect(await postOf(at('/members'))).toMatchObject({ pageType: 'other' });
    await crawler.drain();
  });
});

describe('the queue', () => {
  test('is found again after a restart, with what was being read', async () => {
    const { crawler } = start({
      read: () => new Promise((_, fail) => setImmediate(fail, new CrawlError('too-slow', ''))),
    });
    await crawler.request(site.id, at('/a'));
    crawler.viewed(site.id, at('/b'));
    await until('both wait', async () => {
      await crawler.tick();
      return entryOf(at('/b'));
    });
    await crawler.drain();
    await store.close();
    store = await open();
    now += 5 * 60_000;
    web.set(at('/a'), article('A')).set(at('/b'), article('B'));
    const again = start();
    await settled(again.crawler, 2);
    expect(asked.sort()).toEqual([at('/a'), at('/b')]);
    expect(await postOf(at('/b'))).toMatchObject({ title: 'B' });
    await again.crawler.drain();
  });

  test('tries a failing page again, later and later, and then waits to be asked', async () => {
    web.set(at('/a'), new CrawlError('unreachable', 'down'));
    const { crawler } = start();
    await crawler.request(site.id, at('/a'));
    const waits: number[] = [];
    for (let reads = 1; ; reads++) {
      await settled(crawler, reads);
      const { due } = (await entryOf(at('/a')))!;
      if (due === 0) break;
      waits.push((due - now) / 60_000);
      now = due;
    }
    expect(waits).toEqual([1, 4, 16, 64, 256, 360, 360]);
    expect(await entryOf(at('/a'))).toMatchObject({ lastFailure: 'unreachable', attempts: 8 });
    web.set(at('/a'), article('Up again'));
    await crawler.request(site.id, at('/a'));
    await settled(crawler, 9);
    expect(await postOf(at('/a'))).toMatchObject({ title: 'Up again' });
    await crawler.drain();
  });

  test('reads requested pages before those that were only seen', async () => {
    const { crawler } = start();
    for (const page of ['/1', '/2', '/3']) crawler.viewed(site.id, at(page));
    await crawler.request(site.id, at('/asked'));
    await settled(crawler, 4);
    expect(asked[0]).toBe(at('/asked'));
    await crawler.drain();
  });

  test('asks a host for one page at a time, with a pause between', async () => {
    let open = 0;
    let most = 0;
    const starts: number[] = [];
    const { crawler } = start({
      pauseOf: () => 1000,
      read: async (...page) => {
        most = Math.max(most, ++open);
        starts.push(now);
        await new Promise(setImmediate);
        open--;
        return await read(...page);
      },
    });
    for (let page = 0; page < 5; page++) {
      web.set(at(`/${page}`), article(String(page)));
      await crawler.request(site.id, at(`/${page}`));
    }
    await until('all are read', async () => {
      await crawler.tick();
      now += 100;
      return asked.length === 5;
    });
    expect(most).toBe(1);
    expect(Math.min(...starts.slice(1).map((time, index) => time - starts[index]!))).toBeGreaterThanOrEqual(1000);
    await crawler.drain();
  });

  test('a request that comes while the page is read is not lost', async () => {
    web.set(at('/a'), article('Old'));
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    const { crawler } = start({
      read: async (...page) => {
        const found = await read(...page);
        await held;
        return found;
      },
    });
    await crawler.request(site.id, at('/a'));
    await until('it is being read', async () => {
      await crawler.tick();
      return asked.length === 1;
    });
    web.set(at('/a'), article('New'));
    now += 1;
    await crawler.request(site.id, at('/a'));
    release();
    await settled(crawler, 2);
    expect(await postOf(at('/a'))).toMatchObject({ title: 'New' });
    await crawler.drain();
  });

  test('rests when the database is away, and goes on when it is back', async () => {
    const { crawler } = start();
    const { due } = store.crawlQueue;
    store.crawlQueue.due = () => Promise.reject(new Error('away'));
    try {
      await expect(crawler.tick()).rejects.toThrow('away');
      await crawler.tick();
    } finally {
      store.crawlQueue.due = due;
    }
    web.set(at('/a'), article('A'));
    crawler.viewed(site.id, at('/a'));
    now += 5_000;
    await settled(crawler, 1);
    await crawler.drain();
  });
});
