// A page of the publisher's own with a list in it: the list is the one that the line to copy asks for.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';

let server: TestServer;
let site: TestSite;
let publisher: Server;
let origin: string;

beforeAll(async () => {
  server = await startServer({ flags: ['--allow-private-crawl'] });
  publisher = createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    const language = new URL(url!, 'http://localhost').searchParams.get('lang');
    const html = language === null ? '' : `<html lang="${language}">`;
    response.end(`<!doctype html>${html}<title>Own</title><article><h1>Of bread</h1><p>Dough.</p></article>`);
  });
  await new Promise<void>((done) => publisher.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`;
  site = await addSite(server, 'paper.example', '--domain', new URL(origin).host);
  const posts = [
    { title: 'Of science', section: 'Science' },
    { title: 'Of an opinion', section: 'Opinion' },
    { title: 'Of a sponsor', section: 'Science', tags: ['sponsored'] },
  ];
  for (const [index, post] of posts.entries()) {
    const metadata = { canonical_url: `${origin}/story-${index}`, ...post };
    await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
  }
});
afterAll(async () => {
  publisher.closeAllConnections();
  publisher.close();
  await server.stop();
});

async function shown(attributes: Record<string, string>, path = '/own'): Promise<string> {
  const query = new URLSearchParams({ apikey: site.apikey, url: origin + path, ...attributes });
  const html = await (await fetch(`${server.url}/preview/own/page?${query}`)).text();
  return html.slice(html.indexOf('</article>')).replace(/<style>.*?<\/style>/s, '');
}

test('the list leaves out all that its exclusions name, with bars between', async () => {
  expect(await shown({})).toMatch(/Of science.*Of an opinion|Of an opinion.*Of science/s);
  const left = await shown({ exclude: 'section:Opinion|tag:sponsored|' });
  expect(left).toContain('Of science');
  expect(left).not.toMatch(/Of an opinion|Of a sponsor/);
});

test.each([
  ['de', 'Mehr zum Thema'],
  ['pt_BR', 'Relacionados'],
  ['no language at all', 'Related'],
])('the list is in the language of the page, as the widget draws it there: %s', async (language, heading) => {
  expect(await shown({}, `/own?lang=${encodeURIComponent(language)}`)).toContain(`>${heading}</h2>`);
});
