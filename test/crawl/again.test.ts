// Pages read again within their first day: asked for by what their server said of them, read only when they have changed.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createKeptPages } from '../../server/crawl/keptPages.ts';
import { readSitePage } from '../../server/crawl/readSitePage.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { loopbackRules, loopbackSite, pageReaderFor } from './support.ts';

let server: Server;
let origin = '';
let asked: IncomingHttpHeaders[] = [];
/** What the server says of its page, its title, what else is in its head, and an address that leads to it. */
let page: { headers: Record<string, string>; title: string; head?: string; moved?: string } = {
  headers: {},
  title: '',
};

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (request.url === '/moved' || request.url === page.moved)
      return response.writeHead(301, { Location: '/a' }).end();
    asked.push(request.headers);
    const { etag = '-', 'last-modified': changed = '-' } = page.headers;
    const same = request.headers['if-none-match'] === etag || request.headers['if-modified-since'] === changed;
    if (same) response.writeHead(304, page.headers).end();
    else
      response
        .writeHead(200, { 'Content-Type': 'text/html', ...page.headers })
        .end(`<title>${page.title}</title>${page.head ?? ''}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => server.close());

function open() {
  const kept = createKeptPages();
  const reader = { ...pageReaderFor(loopbackRules), kept };
  return async (path: string, again: boolean) =>
    (await readSitePage(loopbackSite, origin + path, { ...reader, again })).patch.title;
}

test.each([
  ['a tag', { etag: '"one"' }, { etag: '"two"' }],
  [
    'a date',
    { 'last-modified': 'Tue, 05 May 2026 10:00:00 GMT' },
    { 'last-modified': 'Tue, 05 May 2026 11:00:00 GMT' },
  ],
])('by %s', async (_, first: Record<string, string>, second: Record<string, string>) => {
  const read = open();
  page = { headers: first, title: 'First' };
  expect(await read('/a', true)).toBe('First');
  expect(await read('/a', true)).toBe('First');
  page = { headers: second, title: 'Second' };
  expect(await read('/a', true)).toBe('Second');
  const said = asked.map((headers) => headers['if-none-match'] ?? headers['if-modified-since']);
  expect(said).toEqual([undefined, Object.values(first)[0], Object.values(first)[0]]);
});

test('a page that is asked for by somebody is read, whatever its server believes', async () => {
  const read = open();
  page = { headers: { etag: '"same"' }, title: 'First' };
  await read('/a', true);
  page = { headers: { etag: '"same"' }, title: 'Corrected' };
  expect(await read('/a', true)).toBe('First');
  expect(await read('/a', false)).toBe('Corrected');
  expect(await read('/a', true)).toBe('Corrected');
});

test('an address that leads elsewhere, and a page nothing is said of, are read each time', async () => {
  const read = open();
  page = { headers: { etag: '"one"' }, title: 'Moved' };
  await read('/moved', true);
  await read('/moved', true);
  page = { headers: {}, title: 'Silent' };
  await read('/b', true);
  await read('/b', true);
  expect(asked.map((headers) => headers['if-none-match'])).toEqual([undefined, undefined, undefined, undefined]);
});

test('a page that leads elsewhere since is what stands there, though that has the tag or the date of before', async () => {
  const read = open();
  page = { headers: { etag: '"one"' }, title: 'First' };
  expect(await read('/c', true)).toBe('First');
  page = { ...page, title: 'Elsewhere', moved: '/c' };
  expect(await read('/c', true)).toBe('Elsewhere');
});

test('a page that has not changed is read anew for another site, and for one that has other domains since', async () => {
  const reader = { ...pageReaderFor(loopbackRules), kept: createKeptPages(), again: true };
  const urlFor = async (site: typeof loopbackSite) => (await readSitePage(site, `${origin}/a`, reader)).url;
  page = {
    headers: { etag: '"one"' },
    title: 'Moved',
    head: '<link rel="canonical" href="https://new.example/a">',
  };
  const moved = { ...loopbackSite, domains: ['new.example'] };
  const other = { id: parseSiteId('other.example')!, domains: [new URL(origin).host] };
  for (const _ of ['read', 'not changed']) {
    expect(await urlFor(loopbackSite)).toBe(`${origin}/a`);
    expect(await urlFor(moved)).toBe('https://new.example/a');
    expect(await urlFor(other)).toBe(`${origin}/a`);
  }
  expect(asked.map((headers) => headers['if-none-match'])).toEqual([...Array(3), ...Array(3).fill('"one"')]);
});
