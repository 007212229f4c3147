// A related list that has too few posts for this reader is filled up, rather than shown short or not at all.

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { root } from '../support/build.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { articlePage, type Call, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const SITE = 'pages.example';
/** Pages that are no copies of each other. */
const TEXTS: Record<string, string> = {
  bread: 'A baker kneads dough at night, and lets it rise until the oven is hot.',
  ships: 'Masts and rigging creak while sailors wait in harbour for an eastern wind.',
  clocks: 'Each pendulum swings as long as its weight sinks; cogs count what it does.',
  gardens: 'Beans climb poles beside lettuce, where snails have their supper in the rain.',
  bridges: 'Steel arches carry a railway over the gorge that a river took ages to cut.',
};
const TOPICS = Object.keys(TEXTS);

describeInBrowser('a related list with too few posts', (browser) => {
  describe('of a server that a test replaces', () => {
    let stage: Stage;
    let page: Page;
    let pages = 0;
    stagedPages(browser, (opened) => {
      ({ stage, page } = opened);
    });

    /** VarintReader of posts: for the reader, for the page, of the ranking, the newest. */
    interface Posts {
      personal?: number[];
      related?: number[];
      top?: number[];
      newest?: number[];
    }
    const circleOf = ({ path, query }: Call): keyof Posts => {
      if (path.startsWith('/v2/top')) return 'top';
      if (query.has('uuid')) return 'personal';
      return query.has('url') ? 'related' : 'newest';
    };
    const lists = (): Call[] => stage.calls.filter(({ path }) => /^\/v2\/(top|related)/.test(path));

    async function open(posts: Posts, attributes = ''): Promise<number[]> {
      const all = records(30, stage.site);
      for (const path of ['/v2/related', '/v2/top'])
        stage.answer(path, (call, response) => {
          const data = (posts[circleOf(call)] ?? []).map((n) => all[n - 1]);
          return json({ data, success: true })(call, response);
        });
      const slot = `<div data-afterword="related" data-limit="4" ${attributes}></div>`;
      const at = `/post-${20 + (pages++ % 10)}`;
      const script =
        '<script>for (const type of ["render", "empty"]) addEventListener("afterword:" + type, () => (window.rests = type))</script>';
      await page.goto(stage.page(at, articlePage(stage, script + slot)));
      await page.waitForFunction('window.rests');
      return page
        .locator('[data-afterword] a')
        .evaluateAll((links) => links.map((a) => Number((a as HTMLAnchorElement).pathname.split('-')[1])));
    }

    it('asks one question where it is full', async () => {
      expect(await open({ personal: [1, 2, 3, 4, 5] })).toEqual([1, 2, 3, 4]);
      expect(lists().map(circleOf)).toEqual(['personal']);
    });

    it('leaves out the page that its slot names', async () => {
      const posts = { personal: [1], related: [1], top: [2, 3], newest: [2, 3, 4] };
      expect(await open(posts, `data-url="${stage.site}/post-2"`)).toEqual([1, 3, 4]);
    });

    it('has first what is not read yet: of the ranking, of the newest; then what was read', async () => {
      const posts = { personal: [1], related: [1, 2, 3], top: [2, 4], newest: [4, 5] };
      expect(await open(posts)).toEqual([1, 4, 5, 2]);
      expect(lists().map(circleOf)).toEqual(['personal', 'related', 'top', 'newest']);
    });

    it('asks no further than it needs to', async () => {
      expect(await open({ personal: [1, 2], related: [1, 2, 3], top: [4, 5, 6] })).toEqual([1, 2, 4, 5]);
      expect(lists().map(circleOf)).toEqual(['personal', 'related', 'top']);
    });

    it('has what was read where there is nothing else', async () => {
      expect(await open({ personal: [], related: [7, 8], top: [8, 7], newest: [7] })).toEqual([7, 8]);
    });

    it('never has the page itself, nor a post twice', async () => {
      const here = 20 + (pages % 10);
      expect(await open({ personal: [here], related: [here, 1], top: [here, 1, 1], newest: [2, here] })).toEqual([
        2, 1,
      ]);
    });

    it('keeps to the filters of the slot, and asks no ranking that does not know them', async () => {
      await open({ personal: [] }, 'data-section="News" data-exclude="tags:x" data-pub_date_start="2026-01-01"');
      expect(lists().map(circleOf)).toEqual(['personal', 'related', 'newest']);
      for (const { query } of lists()) {
        expect([query.get('section'), query.get('exclude'), query.get('pub_date_start')]).toEqual([
          'News',
          'tags:x',
          '2026-01-01',
        ]);
      }
    });

    it.each(['data-fill="off"', 'data-respect_empty_results="1"'])('stays as it is with %s', async (attribute) => {
      expect(await open({ personal: [1], related: [1, 2], top: [3], newest: [4] }, attribute)).toEqual([1]);
      expect(lists().map(circleOf)).toEqual(['personal']);
    });

    it('shows what it has where the server answers no more', async () => {
      stage.answer('/v2/top', (_, response) => void response.destroy());
      expect(await open({ personal: [1], related: [1, 2] })).toEqual([1, 2]);
    });
  });

  describe('of a site that is five pages old, all read by who tries it', () => {
    let server: TestServer;
    let paper: Server;
    let origin: string;
    let reader: BrowserContext;
    beforeEach(async () => {
      const readme = await readFile(join(root, 'README.md'), 'utf8');
      const snippet = /^## Paste this tag\s+```html\n(.*?)```/ms.exec(readme)![1]!;
      paper = createServer((request, response) => {
        const topic = TOPICS.find((one) => request.url === `/${one}`);
        response.writeHead(topic ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' });
        const pasted = snippet.replace('https://stats.example.com', server.url).replace('"example.com"', `"${SITE}"`);
        const text = `<p>${TEXTS[topic ?? ''] ?? ''}</p>`.repeat(8);
        response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${topic}</title>
          <script type="application/ld+json">{"@type":"NewsArticle","headline":"Of ${topic}"}</script></head>
          <body><article><h1>Of ${topic}</h1>${text}</article>${pasted}</body></html>`);
      });
      await new Promise<void>((done) => paper.listen(0, '127.0.0.1', done));
      origin = `http://127.0.0.1:${(paper.address() as AddressInfo).port}`;
      server = await startServer({ flags: ['--allow-private-crawl'] });
      await addSite(server, SITE, '--domain', new URL(origin).host);
      reader = await browser().newContext({ viewport: { width: 800, height: 2000 } });
    });
    afterEach(async () => {
      await reader.close();
      await server.kill();
      paper.closeAllConnections();
      paper.close();
      await removeDataDirs();
    });

    it('shows a list, by what the README says to paste', async () => {
      const page = await reader.newPage();
      // A browser keeps answers for a minute: those of the first visits are empty.
      const devtools = await reader.newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
      const links = () =>
        page
          .locator('[data-afterword=related] a')
          .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).pathname.slice(1)));
      const visitor = () =>
        page.evaluate(
          () =>
            new Promise<string>((resolve) => {
              window.afterword ??= [];
              window.afterword.push(async (afterword: { visitor(): Promise<string> }) =>
                resolve(await afterword.visitor()),
              );
            }),
        );
      for (const topic of TOPICS) {
        await page.goto(`${origin}/${topic}`);
        const uuid = await visitor();
        await until('the page is read', async () => {
          const { data } = await getJson<{ data: { urls: string[] } }>(server, '/v2/history', { apikey: SITE, uuid });
          return data.urls.includes(`${origin}/${topic}`);
        });
      }
      const related = async (more: Record<string, string> = {}) =>
        (await getJson<{ data: object[] }>(server, '/v2/related', { apikey: SITE, ...more })).data.length;
      await until('all pages are known', async () => (await related()) === TOPICS.length);
      expect(await related({ uuid: await visitor() }), 'and all are read').toBe(0);
      await page.goto(`${origin}/${TOPICS[0]}`);
      await until('the list is there', async () => (await links()).length === TOPICS.length - 1);
      expect((await links()).sort()).toEqual(TOPICS.slice(1).sort());
    });
  });
});
