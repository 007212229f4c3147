// A publisher who has sent nothing: a tag on an unknown page, a reader who opens it, and the article is in every list.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const SITE = 'harbour.example';

interface Titles {
  data: { title: string; url: string; author: string }[];
}

describeInBrowser('an article that was not announced', (browser) => {
  let server: TestServer;
  let paper: Server;
  let origin: string;

  const article = (title: string, text: string) => `<!doctype html><html lang="en"><head><title>${title}</title>
    <script async src="${server.url}/afterword.js" data-site="${SITE}"></script>
    <script type="application/ld+json">{"@type":"NewsArticle","headline":"${title}","author":{"@type":"Person","name":"Ada Quay"}}</script>
    </head><body><article><h1>${title}</h1>${`<p>${text}</p>`.repeat(8)}</article></body></html>`;

  beforeEach(async () => {
    const pages = new Map<string, () => string>([
      ['/pier', () => article('The pier', 'The old pier has a lantern, and the harbour council wants a new one.')],
      [
        '/lantern',
        () => article('The lantern', 'A lantern for the old pier, made by the harbour smith, burns all night.'),
      ],
    ]);
    paper = createServer((request, response) => {
      const page = pages.get(request.url ?? '');
      response.writeHead(page ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' }).end(page?.());
    });
    await new Promise<void>((done) => paper.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(paper.address() as AddressInfo).port}`;
    server = await startServer({ flags: ['--allow-private-crawl'] });
    await addSite(server, SITE, '--domain', new URL(origin).host);
  });
  afterEach(async () => {
    await server?.kill();
    paper.closeAllConnections();
    paper.close();
    await removeDataDirs();
  });

  const titles = async (path: string, params: Record<string, string> = {}) =>
    (await getJson<Titles>(server, path, { apikey: SITE, ...params })).data.map(({ title }) => title);

  /** Opens a page as a reader does, and waits until the lists have it. */
  async function read(path: string, listed: () => Promise<boolean>): Promise<void> {
    const page = await browser().newPage();
    await page.goto(origin + path);
    try {
      await until(`${path} is in the lists`, listed);
    } finally {
      await page.close();
    }
  }

  it('is in /top, /related and /search soon after its first reader, without any other step', async () => {
    await read('/pier', async () => {
      const lists = [titles('/v2/related'), titles('/v2/search', { q: '"old pier" lantern' })];
      return (await Promise.all(lists)).every((list) => list[0] === 'The pier');
    });
    // Asked once: a list of what is read most is kept for some seconds.
    await allStored(server);
    expect(await titles('/v2/top/posts')).toEqual(['The pier']);
    await read('/lantern', async () => {
      const lists = [
        titles('/v2/related', { url: `${origin}/pier`, respect_empty_results: '1' }),
        titles('/v2/search', { q: 'smith quay' }),
      ];
      return (await Promise.all(lists)).every((list) => list.includes('The lantern'));
    });
    expect((await titles('/v2/search', { q: 'lantern' })).sort()).toEqual(['The lantern', 'The pier']);
  });
});
