// The crawler over a real engine, and a web that is what the test says: for tests of the queue and of what is kept.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createCrawler, type RunningCrawler } from '../../server/crawl/crawler.ts';
import { CrawlError } from '../../server/crawl/failure.ts';
import type { Reading } from '../../server/crawl/reading.ts';
import type { CrawledPage } from '../../server/crawl/readSitePage.ts';
import { readPage } from '../../server/posts/readPage/readPage.ts';
import { createLibrary, type LibraryOptions } from '../../server/siteIndex/library.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { Store } from '../../server/storage/store.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });

const PATIENCE_MS = 100_000;
const PAUSE_MS = 20;

/** A page of some 180 words. */
export const article = (title: string, canonical = '') =>
  `<title>${title}</title><meta property="og:type" content="article">
   ${canonical && `<link rel="canonical" href="${canonical}">`}
   <article><h1>${title}</h1>${'<p>Words of the article, one after another, for everyone.</p>'.repeat(20)}</article>`;

export class CrawlRoom {
  /** Rows of the queue that are older than 90 days are gone, by the engine's own clock: the present it is. */
  now = Date.now();
  store!: Store;
  /** A fresh one for each test. */
  site!: Site;
  /** Whether the crawler's directory has the site. One that another copy of the server has made comes with a refresh. */
  isKnown!: boolean;
  /** URL → page, or why there is none. */
  web!: Map<string, string | CrawlError>;
  /** URLs the crawler has asked for. */
  asked!: string[];
  private readonly path = mkdtempSync(join(tmpdir(), 'afterword-crawler-'));
  private sites = 0;

  async open(): Promise<void> {
    await copyEmptyDatabase(this.path);
    await this.openStore();
  }

  async reopen(): Promise<void> {
    await this.store.close();
    await this.openStore();
  }

  private async openStore(): Promise<void> {
    this.store = await openStore({ engine: { kind: 'embedded', path: this.path }, log, now: () => this.now });
  }

  async close(): Promise<void> {
    await this.store.close();
    rmSync(this.path, { recursive: true, force: true });
  }

  nextTest(): void {
    this.site = {
      id: parseSiteId(`site-${++this.sites}.example`)!,
      domains: [],
      timezone: 'UTC',
      features: { top: true, recommendations: true, search: true },
      secretHash: '',
      writeSecretHash: '',
      createdAt: 0,
    };
    this.isKnown = true;
    this.web = new Map();
    this.asked = [];
  }

  at(page: string): string {
    return `https://${this.site.id}${page}`;
  }

  read = async (of: Pick<Site, 'id'>, url: string): Promise<CrawledPage> => {
    this.asked.push(url);
    const html = this.web.get(url) ?? new CrawlError('gone', 'gone');
    if (html instanceof CrawlError) throw html;
    const record = readPage({ url, html }, (address) => address.hostname === of.id);
    return { ...record, fetched: url, encoding: 'utf-8', bytes: html.length, cut: false };
  };

  /** @param clock Monotonic; default: the wall clock. */
  start(reading: Partial<Reading> = {}, clock = () => this.now, { takePost }: Pick<LibraryOptions, 'takePost'> = {}) {
    const now = () => this.now;
    const library = createLibrary({ store: this.store, now, log, ...(takePost && { takePost }) });
    const crawler = createCrawler({
      store: this.store,
      sites: {
        find: (id) => (this.isKnown && id === this.site.id ? this.site : undefined),
        refresh: async () => {
          this.isKnown = true;
        },
      },
      library,
      reading: {
        read: this.read,
        readSitemap: () => Promise.reject(new CrawlError('gone', 'gone')),
        findSitemaps: async () => ({ urls: [], answered: false, hindered: [] }),
        pauseOf: () => 0,
        close: async () => {},
        ...reading,
      },
      now,
      clock,
      log,
    });
    return { crawler, library };
  }

  async entryOf(url: string) {
    return (await this.store.crawlQueue.get(this.site.id, [url]))[0];
  }

  async postOf(url: string) {
    return (await this.store.posts.get(this.site.id, [url]))[0];
  }

  /** Ticks until so many pages have been asked for, and nothing of the site is due. */
  async settled(crawler: RunningCrawler, reads: number): Promise<void> {
    await this.tickUntil(`${reads} pages were read`, crawler, () => this.asked.length >= reads);
    await until(
      'nothing is due',
      async () => {
        const due = await this.store.crawlQueue.due({ now: this.now, limit: 100_000, perSite: 100_000 });
        return !due.some((entry) => entry.site === this.site.id);
      },
      PATIENCE_MS,
      PAUSE_MS,
    );
  }

  /** Ticks until a question has a truthy answer. A tick is the work itself: it leaves the processor to nothing else. */
  async tickUntil(what: string, crawler: RunningCrawler, ask: () => unknown): Promise<void> {
    const tickAndAsk = async () => {
      await crawler.tick();
      return await ask();
    };
    await until(what, tickAndAsk, PATIENCE_MS, PAUSE_MS);
  }
}
