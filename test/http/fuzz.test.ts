// Whatever is asked of the interface, however malformed: an answer in its own words, never a fault of the server.
// AFTERWORD_TEST_RUNS=50000 asks that many times.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createListener } from '../../server/app.ts';
import { encode, segment, value } from '../support/fuzz/values.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { openSmallPaper } from '../support/smallPaper.ts';

const RUNS = Number(process.env.AFTERWORD_TEST_RUNS ?? 600);

let room: Newsroom;
let server: Server;

beforeAll(async () => {
  room = await openSmallPaper();
  server = createServer(createListener(room.deps));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await room.close();
});

const PATHS = [
  '/analytics/posts',
  '/analytics/authors',
  '/analytics/tags',
  '/analytics/referrers',
  '/analytics/channels',
  '/analytics/campaigns',
  '/analytics/segments',
  '/analytics/videos',
  '/analytics/post/detail',
  '/analytics/tag/x/detail',
  '/realtime/posts',
  '/referrers/search',
  '/referrers/social/posts',
  '/referrers/other/tag/x/detail',
  '/referrers/post/detail',
  '/shares/posts',
  '/shares/post/detail',
  '/shares/author/Bob/detail',
  '/conversions/url',
  '/conversions/url/top',
  '/top/posts',
  '/top/videos',
  '/related',
  '/similar',
  '/profile',
  '/history',
  '/exclude/list',
  '/exclude/include',
  '/validate/secret',
];
const NAMES = [
  'limit',
  'page',
  'days',
  'sort',
  'period_start',
  'period_end',
  'pub_date_start',
  'pub_date_end',
  'author',
  'tag',
  'section',
  'segment',
  'channel',
  'device',
  'campaign_id',
  'campaign_key',
  'url',
  'uuid',
  'time',
  'callback',
  'domain',
  'pub_days',
  'attribution_type',
  'conversion_type',
  'conversion_label',
  'page_type',
  'exclude',
  'respect_empty_results',
  '__proto__',
  'constructor',
  'apikey',
];
const pairs = fc.array(fc.tuple(fc.oneof({ arbitrary: fc.constantFrom(...NAMES), weight: 9 }, fc.string()), value), {
  maxLength: 6,
});
const path = fc.oneof(
  { arbitrary: fc.constantFrom(...PATHS), weight: 8 },
  fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.map(encode).join('/')}`),
  segment.map((name) => `/analytics/tag/${encode(name)}/detail`),
  segment.map((name) => `/referrers/search/author/${encode(name)}/details`),
);

test(
  'random questions',
  async () => {
    await fc.assert(
      fc.asyncProperty(path, pairs, fc.constantFrom(true, true, true, false), async (path, pairs, knows) => {
        const secret = knows ? `&secret=${room.secret}` : '';
        const query = pairs.map(([name, text]) => `&${encode(name)}=${encode(text)}`).join('');
        const url = `http://stats.example/v2${path}?apikey=paper.example${secret}${query}`;
        const response = await room.app.request(url);
        // Dots may lead out of the interface: to the front door, or nowhere.
        const { pathname } = new URL(url);
        expect(response.status).toBe(/^\/v2(\/|$)/.test(pathname) ? 200 : pathname === '/' ? 302 : 404);
        if (pathname === '/') return;
        const text = await response.text();
        if (response.headers.get('Content-Type')?.startsWith('application/json'))
          expect(JSON.parse(text)).toHaveProperty('success');
        else expect(text).toMatch(/^\/\*\*\/[\w$.]+\(.*\);$/s);
      }),
      { numRuns: RUNS },
    );
  },
  30 * 60_000,
);

/** What a socket that says this is answered: the first line. */
function firstLine(request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (answer.includes('\r\n')) socket.destroy();
    });
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
    socket.on('error', reject);
    socket.write(request);
  });
}

test.each([
  [
    'a broken percent sign in the path',
    'GET /v2/analytics/tag/%E0%A4%A/detail?apikey=paper.example HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  ['a broken percent sign in the query', 'GET /v2/top/posts?apikey=%E0%A4%A HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an absolute target', 'GET http://evil.example/v2/top/posts?apikey=paper.example HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['two slashes', 'GET //v2/top/posts HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a target that is no path', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a host that is none', 'GET /v2/top/posts?apikey=paper.example HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['no host', 'GET /v2/top/posts?apikey=paper.example HTTP/1.0\r\n\r\n'],
  ['an unusual method', 'PROPFIND /v2/top/posts HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a body with a GET', 'GET /v2/top/posts?apikey=paper.example HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello'],
  [
    'metadata that is no JSON',
    'POST /v2/metadata/posts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{',
  ],
  ['bytes that are no text', Buffer.from('GET /v2/top/posts?apikey=\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n', 'latin1')],
  ['a long address', `GET /v2/top/posts?x=${'a'.repeat(15_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
])('%s', async (_, request) => {
  expect(await firstLine(request)).toMatch(/^HTTP\/1\.1 [234]\d\d /);
});
