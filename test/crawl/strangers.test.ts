// What a stranger's server may answer: each is read within bounds, or refused with a reason, and holds nothing up.

import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FetchRules } from '../../server/crawl/fetchPage.ts';
import { readSitePage } from '../../server/crawl/readSitePage.ts';
import { cpuTime } from '../support/cpuTime.ts';
import { loopbackRules, loopbackSite, pageReaderFor } from './support.ts';

let server: Server;
let origin = '';
let answer: RequestListener;
let robots: RequestListener;

beforeAll(async () => {
  server = createHttpServer((request, response) =>
    (request.url === '/robots.txt' ? robots : answer)(request, response),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  robots = (_, response) => response.writeHead(404).end();
  answer = html('<title>Read</title>');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** For servers nothing comes from, however long they are waited for. */
const HASTY = { ...loopbackRules, timeout: 1_000 };

function html(body: string | Buffer, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(body);
}

const rulesFor = (expected: string) => (expected === 'too-slow' ? HASTY : loopbackRules);

/** Title of what was read, or why it was not. */
const outcome = (address = `${origin}/a`, rules: FetchRules = loopbackRules): Promise<string> =>
  readSitePage(loopbackSite, address, pageReaderFor(rules)).then(
    ({ patch }) => patch.title,
    (error: { failure?: string; message: string }) => error.failure ?? error.message,
  );

describe('a page that', () => {
  test.each<[string, RequestListener, string]>([
    [
      'promises 10 GB and sends a little',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': '10000000000' });
        response.write('<title>Little</title>');
      },
      'too-slow',
    ],
    [
      'promises 10 GB and hangs up',
      (request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': '10000000000' });
        response.write('<title>Little</title>', () => request.socket.destroy());
      },
      'unreachable',
    ],
    ['names an unknown charset', html('<title>Café</title>', { 'Content-Type': 'text/html; charset=klingon' }), 'Café'],
    [
      'names a charset it is not in',
      html(Buffer.from('<title>Caf\xe9</title>', 'latin1'), { 'Content-Type': 'text/html; charset=utf-8' }),
      'Caf\ufffd',
    ],
    [
      'is packed twice',
      html(gzipSync(gzipSync('<title>Twice</title>')), { 'Content-Encoding': 'gzip, gzip' }),
      'bad-encoding',
    ],
    ['is not packed though it says so', html('<title>Plain</title>', { 'Content-Encoding': 'gzip' }), 'bad-encoding'],
    [
      'is cut off while packed',
      html(gzipSync('<title>Cut</title>').subarray(0, -8), { 'Content-Encoding': 'gzip' }),
      'Cut',
    ],
    ['leads to itself', (_, response) => response.writeHead(302, { Location: '/a' }).end(), 'too-many-redirects'],
    [
      'leads to a script',
      (_, response) => response.writeHead(302, { Location: 'javascript:alert(1)' }).end(),
      'bad-url',
    ],
    ['leads to a file', (_, response) => response.writeHead(302, { Location: 'file:///etc/passwd' }).end(), 'bad-url'],
    ['leads nowhere', (_, response) => response.writeHead(302).end(), 'bad-status'],
    [
      'leads very far',
      (_, response) => response.writeHead(302, { Location: `/${'a'.repeat(20_000)}` }).end(),
      'bad-url',
    ],
    ['has no content', (_, response) => response.writeHead(204).end(), 'bad-status'],
    ['is a picture', html('GIF89a', { 'Content-Type': 'image/gif' }), 'not-html'],
    ['is of no type', (_, response) => response.writeHead(200).end('<title>x</title>'), 'not-html'],
    ['has a megabyte of headers', html('', { 'X-Flood': 'a'.repeat(1_000_000) }), 'unreachable'],
  ])('%s', async (_, listener, expected) => {
    answer = listener;
    expect(await outcome(undefined, rulesFor(expected))).toBe(expected);
  });

  test('has a hundred thousand tags and authors keeps a hundred of each', async () => {
    const many = Array.from({ length: 100_000 }, (_, n) => `t${n}`);
    answer = html(
      `<title>Many</title><meta property="og:type" content="article"><meta name="keywords" content="${many.join(',')}">
       ${many.map((name) => `<meta name="author" content="${name}">`).join('')}`,
    );
    const { patch } = await readSitePage(loopbackSite, `${origin}/a`, pageReaderFor(loopbackRules));
    expect(patch.tags).toHaveLength(100);
    expect(patch.authors).toHaveLength(100);
  });
});

describe('a robots.txt that', () => {
  test.each<[string, RequestListener, string]>([
    [
      'is 10 MB long, with its rule at the top',
      text(`User-agent: *\nDisallow: /a\n${'# more\n'.repeat(1_500_000)}`),
      'robots',
    ],
    ['is 10 MB long without a rule', text('# more\n'.repeat(1_500_000)), 'Read'],
    ['is a page', html('<!doctype html><h1>Not found</h1>User-agent: *'), 'Read'],
    ['is 500', (_, response) => response.writeHead(500).end(), 'bad-status'],
    ['is 403', (_, response) => response.writeHead(403).end(), 'Read'],
    ['never comes', () => {}, 'too-slow'],
    ['leads to itself', (_, response) => response.writeHead(301, { Location: '/robots.txt' }).end(), 'Read'],
    ['hangs up', (request) => request.socket.destroy(), 'unreachable'],
  ])('%s', async (_, listener, expected) => {
    robots = listener;
    expect(await outcome(undefined, rulesFor(expected))).toBe(expected);
  });

  test('is made of wildcards holds nothing up', async () => {
    robots = text(`User-agent: *\n${`Disallow: /${'*a'.repeat(50)}*b$\n`.repeat(5_000)}`);
    const taken = cpuTime();
    expect(await outcome(`${origin}/${'a'.repeat(2_000)}`)).toBe('Read');
    expect(taken()).toBeLessThan(3_000);
  });

  function text(body: string): RequestListener {
    return (_, response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(body);
  }
});

test.each<[string, (socket: Socket) => void, string]>([
  [
    'sends its head a letter at a time',
    (socket) => slowly(socket, 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'),
    'too-slow',
  ],
  ['answers in another protocol', (socket) => void socket.end('220 mail.example ESMTP\r\n'), 'unreachable'],
  [
    'sends two answers',
    (socket) => void socket.end(`${OK}Content-Length: 19\r\n\r\n<title>One</title>\n${OK}\r\n<title>Two</title>`),
    'One',
  ],
  [
    'says two lengths',
    (socket) => void socket.end(`${OK}Content-Length: 5\r\nContent-Length: 7\r\n\r\n<title>One</title>`),
    'unreachable',
  ],
])('a server that %s', async (_, speak, expected) => {
  const sockets = new Set<Socket>();
  const raw = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (data) => {
      if (data.toString().startsWith('GET /robots.txt'))
        socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      else speak(socket);
    });
  });
  await new Promise<void>((done) => raw.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(raw.address() as AddressInfo).port}/a`;
  expect(await outcome(address, rulesFor(expected))).toBe(expected);
  for (const socket of sockets) socket.destroy();
  raw.close();
});

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';

function slowly(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at === text.length) clearInterval(timer);
    else socket.write(text[at++]!);
  }, 100);
  timer.unref();
}
