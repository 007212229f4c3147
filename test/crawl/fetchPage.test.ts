// Fetching one page: what is read, how much of it, how long it may take, and what robots.txt says.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Failure } from '../../server/crawl/failure.ts';
import { fetchFrom } from '../../server/crawl/fetchPage.ts';
import { MAX_PAGE_BYTES, readSitePage } from '../../server/crawl/readSitePage.ts';
import { createRobots } from '../../server/crawl/robots.ts';
import { loopbackRules, loopbackSite, pageReaderFor, readHere } from './support.ts';

let server: Server;
let answer: RequestListener = (_, response) => response.end();
let robots: RequestListener = (_, response) => response.writeHead(404).end();
let requests: IncomingMessage[] = [];
let origin = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    (request.url === '/robots.txt' ? robots : answer)(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = [];
  robots = (_, response) => response.writeHead(404).end();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const read = (path = '/a') => readSitePage(loopbackSite, origin + path, pageReaderFor(loopbackRules));

const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => Promise.reject(new Error('It was read.')),
    (error: { failure: Failure }) => error.failure ?? Promise.reject(error),
  );

const html = (body: string | Buffer, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(body);
};

test('the crawler says who it is, and takes packed answers', async () => {
  answer = html('<title>Hello</title>');
  expect((await read()).patch.title).toBe('Hello');
  expect(requests.map(({ url }) => url)).toEqual(['/robots.txt', '/a']);
  expect(requests[1]!.headers).toMatchObject({
    'user-agent': 'AfterwordBot/0 (+https://stats.example)',
    'accept-encoding': 'gzip, deflate, br',
  });
});

test.each([
  ['in UTF-8', Buffer.from('/über/東京')],
  ['in Latin-1', Buffer.from('/über/%E6%9D%B1%E4%BA%AC', 'latin1')],
  ['escaped', Buffer.from('/%C3%BCber/%E6%9D%B1%E4%BA%AC')],
])('a redirect leads to the address that its header has, %s', async (_, location) => {
  answer = ({ url }, response) => {
    if (url !== '/a') return html('<title>Over</title>')({} as IncomingMessage, response as never);
    response.writeHead(301, { Location: location.toString('latin1') }).end();
  };
  expect((await read()).patch.title).toBe('Over');
  expect(requests.at(-1)!.url).toBe('/%C3%BCber/%E6%9D%B1%E4%BA%AC');
});

test.each<[string, number, Record<string, string>, Failure]>([
  ['a missing page', 404, {}, 'gone'],
  ['a page that is gone', 410, {}, 'gone'],
  ['a failing server', 500, {}, 'bad-status'],
  ['a page behind a wall', 403, {}, 'bad-status'],
  ['a redirect to nowhere', 302, {}, 'bad-status'],
  ['a picture', 200, { 'Content-Type': 'image/png' }, 'not-html'],
  ['JSON', 200, { 'Content-Type': 'application/json' }, 'not-html'],
  ['text that only begins like HTML', 200, { 'Content-Type': 'text/htmlx' }, 'not-html'],
  ['no type at all', 200, {}, 'not-html'],
  [
    'a content coding that was not requested',
    200,
    { 'Content-Type': 'text/html', 'Content-Encoding': 'zstd' },
    'bad-encoding',
  ],
  ['twice packed', 200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip, br' }, 'bad-encoding'],
  ['no gzip, but it says so', 200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }, 'bad-encoding'],
])('%s is not read', async (_, status, headers, failure) => {
  answer = (_request, response) => response.writeHead(status, headers).end('<title>x</title>');
  expect(await failureOf(read())).toBe(failure);
});

test('a server that asks for a pause makes the queue wait', async () => {
  answer = (_, response) => response.writeHead(503, { 'Retry-After': '120' }).end();
  await expect(read()).rejects.toMatchObject({ failure: 'bad-status', retryAfter: 120_000 });
});

describe('bounds', () => {
  const long = Buffer.from(`<title>Long</title>${'<p>words </p>'.repeat(300_000)}`);

  test.each<[string, Buffer, string]>([
    ['as it is', long, ''],
    ['gzip', gzipSync(long), 'gzip'],
    ['brotli', brotliCompressSync(long), 'br'],
    ['deflate without its wrapper', deflateRawSync(long), 'deflate'],
    ['a bomb: 200 MB in 200 kB', gzipSync(Buffer.alloc(200_000_000, 'a')), 'gzip'],
  ])('of a long page two MiB are read: %s', async (_, body, packed) => {
    answer = html(body, packed === '' ? {} : { 'Content-Encoding': packed });
    const page = await read();
    expect({ bytes: page.bytes, cut: page.cut }).toEqual({ bytes: MAX_PAGE_BYTES, cut: true });
  });

  test('a page that never ends is let go at the bound', async () => {
    let closed = () => {};
    const gone = new Promise<void>((done) => {
      closed = done;
    });
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      const more = () => {
        while (!response.destroyed && response.write('<p>more</p>'.repeat(1000)));
      };
      response.on('drain', more).on('close', closed);
      more();
    };
    expect((await read()).cut).toBe(true);
    await gone;
  });

  test.each<[string, RequestListener]>([
    ['never answers', () => {}],
    [
      'sends a byte now and then',
      (_, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).write('<'),
    ],
  ])('a server that %s is left in time', async (_, listener) => {
    answer = listener;
    const hasty = { ...loopbackRules, timeout: 300 };
    expect(await failureOf(readSitePage(loopbackSite, `${origin}/slow`, pageReaderFor(hasty)))).toBe('too-slow');
  });

  test('a name that is looked up for ever is left in time', async () => {
    const stuck = { ...loopbackRules, resolve: () => new Promise<string[]>(() => {}), timeout: 100 };
    const options = { site: { ...loopbackSite, domains: ['news.example'] }, accept: '*/*', max: 10 };
    expect(await failureOf(fetchFrom('http://news.example/', options, stuck))).toBe('too-slow');
  });

  test('a name that cannot be looked up once the time is over fails that request, and nothing else', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      const resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND news.example'));
      const over = { ...loopbackRules, resolve, stop: AbortSignal.abort() };
      const options = { site: { ...loopbackSite, domains: ['news.example'] }, accept: '*/*', max: 10 };
      expect(await failureOf(fetchFrom('http://news.example/', options, over))).toBe('too-slow');
      // Node reports what nothing handles once the microtasks are done.
      await new Promise((done) => setImmediate(done));
      expect(unhandled).toEqual([]);
    } finally {
      process.removeListener('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
    }
  });

  test('a server that hangs up, or is not there, is unreachable', async () => {
    answer = (request) => request.socket.destroy();
    expect(await failureOf(read())).toBe('unreachable');
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => closed.once('listening', done));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const away = readSitePage(loopbackSite, `http://127.0.0.1:${port}/`, pageReaderFor(loopbackRules));
    expect(await failureOf(away)).toBe('unreachable');
  });
});

describe('robots.txt', () => {
  const says = (text: string, status = 200): RequestListener => {
    return (_, response) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text);
  };
  beforeEach(() => {
    answer = html('<title>Read</title>');
  });

  test.each<[string, string, boolean]>([
    ['nothing', '', true],
    ['all robots out', 'User-agent: *\nDisallow: /', false],
    ['us out by name', 'User-agent: AfterwordBot\nDisallow: /\n\nUser-agent: *\nAllow: /', false],
    ['others out', 'User-agent: OtherBot\nDisallow: /', true],
    ['another path', 'User-agent: *\nDisallow: /private/', true],
    ['our path', 'User-agent: *\nDisallow: /a', false],
    ['our path but for this page', 'User-agent: *\nDisallow: /\nAllow: /a$', true],
    ['us in, others out', 'User-agent: *\nDisallow: /\n\nUser-agent: afterwordbot\nAllow: /', true],
    ['no text', '\u0000\u0001<html>', true],
  ])('%s', async (_, text, allowed) => {
    robots = says(text);
    const outcome = read().then(
      (page) => page.patch.title,
      (error: { failure: Failure }) => error.failure,
    );
    expect(await outcome).toBe(allowed ? 'Read' : 'robots');
    expect(requests.some(({ url }) => url === '/a')).toBe(allowed);
  });

  test.each([500, 503, 429])('a file that is answered with %i now means: not now', async (status) => {
    robots = says('', status);
    expect(await failureOf(read())).toBe('bad-status');
    expect(requests).toHaveLength(1);
  });

  test('it is read once an hour, and sets the pause', async () => {
    robots = says('User-agent: *\nCrawl-delay: 7');
    let now = 1;
    const file = createRobots({ rules: loopbackRules, agent: 'AfterwordBot', clock: () => now });
    const reading = { rules: loopbackRules, reader: readHere, robots: file.of(loopbackSite) };
    expect(file.delayOf(loopbackSite, new URL(origin))).toBe(0);
    await readSitePage(loopbackSite, `${origin}/a`, reading);
    await readSitePage(loopbackSite, `${origin}/b`, reading);
    expect(file.delayOf(loopbackSite, new URL(origin))).toBe(7);
    now += 3_600_001;
    await readSitePage(loopbackSite, `${origin}/c`, reading);
    expect(requests.map(({ url }) => url)).toEqual(['/robots.txt', '/a', '/b', '/robots.txt', '/c']);
  });

  test('a redirect is asked about, too', async () => {
    robots = says('User-agent: *\nDisallow: /closed');
    answer = (_, response) => response.writeHead(301, { Location: '/closed' }).end();
    expect(await failureOf(read())).toBe('robots');
    expect(requests.map(({ url }) => url)).toEqual(['/robots.txt', '/a']);
  });
});
