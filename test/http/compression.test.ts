// Compression and entity tags of answers, over HTTP: which coding a client gets, what is never compressed, and who gets 304.
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createListener } from '../../server/app.ts';
import { CODINGS, chooseCoding } from '../../server/http/compression.ts';
import { createHotLists, hotKey, hotTarget } from '../../server/http/hotLists.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const DAY = 86_400_000;
const at = (name: string | number) => `https://paper.example/${name}`;

let room: Newsroom;
let server: Server;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  for (let n = 0; n < 6; n++) {
    const words = `harbour ferries number ${n}`;
    await room.write(at(n), {
      title: `The ${words}`,
      section: 'Harbour',
      fullContent: words.repeat(20),
      pubDate: NOW - n * DAY,
    });
  }
  const metadata = JSON.stringify({ words: Array.from({ length: 20_000 }, (_, n) => `word ${n}`) });
  await room.write(at('long'), { title: 'Zeppelins', metadata, pubDate: NOW - DAY });
  await room.happen(...Array.from({ length: 6 }, (_, n) => ({ url: at(n), time: NOW - 1000 })));
  server = createServer(createListener(room.deps)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await room.close();
});

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** As it stands on the wire: `fetch` asks for codings of its own, and undoes them. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answered> {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${path}${path.includes('?') ? '&' : '?'}apikey=${room.site.id}`;
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    asking.on('error', reject).end();
  });
}

function textOf({ headers, bytes }: Answered): string {
  const coding = headers['content-encoding'];
  return (coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

const LISTS = [
  '/v2/top/posts',
  '/v2/related',
  '/v2/search?q=harbour',
  '/v2/fragment/top',
  '/v2/top/posts?callback=show',
];

describe.each(LISTS)('%s', (path) => {
  test.each(CODINGS)('is the same in %s, and smaller', async (coding) => {
    const plain = await ask(path);
    // The second time a list of /top comes from memory.
    for (const _ of ['made', 'from memory']) {
      const coded = await ask(path, { 'Accept-Encoding': coding });
      expect(coded.headers['content-encoding']).toBe(coding);
      expect(textOf(coded)).toBe(plain.bytes.toString());
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(coded.headers.vary).toBe('Accept-Encoding');
      expect(coded.headers.etag).not.toBe(plain.headers.etag);
    }
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toBe('Accept-Encoding');
  });

  test.each(['identity', ...CODINGS])('in %s is not sent again to a client that has it', async (coding) => {
    const headers = { 'Accept-Encoding': coding };
    const { headers: first } = await ask(path, headers);
    const etag = first.etag!;
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(path, { ...headers, 'If-None-Match': known });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
      expect(again.headers['cache-control']).toMatch(/^public, max-age=\d+$/);
      expect(again.headers['access-control-allow-origin']).toBe('*');
    }
    const other = await ask(path, { ...headers, 'If-None-Match': '"other"' });
    expect([other.status, other.headers.etag]).toEqual([200, etag]);
  });

  test('answers HEAD with the headers of GET, without a body', async () => {
    const headers = { 'Accept-Encoding': 'identity' };
    const [head, get] = [await ask(path, headers, 'HEAD'), await ask(path, headers)];
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    // A script is made of an answer to GET alone.
    if (!path.includes('callback'))
      for (const name of ['content-type', 'etag', 'vary']) expect(head.headers[name]).toBe(get.headers[name]);
    expect((await ask(path, { 'If-None-Match': head.headers.etag! }, 'HEAD')).status).toBe(304);
  });
});

test('an answer of up to 1 KiB is sent as it is', async () => {
  const headers = { 'Accept-Encoding': 'br, gzip' };
  const short = await ask('/v2/search?q=nothing', headers);
  expect([short.headers['content-encoding'], short.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
  expect(JSON.parse(short.bytes.toString())).toMatchObject({ data: [], success: true });
  const known = { ...headers, 'If-None-Match': short.headers.etag! };
  expect((await ask('/v2/search?q=nothing', known)).status).toBe(304);
});

test.each(CODINGS)('a long answer is whole in %s', async (coding) => {
  const [plain, coded] = [
    await ask('/v2/search?q=zeppelins'),
    await ask('/v2/search?q=zeppelins', { 'Accept-Encoding': coding }),
  ];
  expect(plain.bytes.length).toBeGreaterThan(200_000);
  expect([coded.headers['content-encoding'], textOf(coded)]).toEqual([coding, plain.bytes.toString()]);
});

test.each(['/openapi.json', '/docs'])('%s is compressed', async (path) => {
  const [plain, coded] = [await ask(path), await ask(path, { 'Accept-Encoding': 'br' })];
  expect([coded.headers['content-encoding'], textOf(coded)]).toEqual(['br', plain.bytes.toString()]);
});

describe('an answer that repeats a secret or a reader from its address', () => {
  test.each(['/v2/analytics/posts?', '/v2/related?', '/v2/search?q=harbour&', '/v2/related?uuid=reader&'])(
    '%s is never compressed',
    async (path) => {
      for (const name of ['secret', '%73ecret']) {
        const answer = await ask(`${path}${name}=${room.secret}`, { 'Accept-Encoding': 'br, gzip' });
        expect(answer.bytes.length).toBeGreaterThan(1024);
        expect(JSON.parse(answer.bytes.toString())).toMatchObject({ success: true });
        expect(answer.headers['content-encoding']).toBeUndefined();
      }
    },
  );

  test('is compressed where the secret comes in a header, and then does not contain it', async () => {
    const headers = { 'Accept-Encoding': 'br', Authorization: `Bearer ${room.secret}` };
    const answer = await ask('/v2/analytics/posts', headers);
    expect(answer.headers['content-encoding']).toBe('br');
    expect(JSON.parse(textOf(answer))).toMatchObject({ success: true });
    expect(textOf(answer)).not.toContain(room.secret);
  });

  test('a personal list has no entity tag either', async () => {
    const answer = await ask('/v2/related?uuid=reader', { 'Accept-Encoding': 'br' });
    expect([answer.headers['content-encoding'], answer.headers.etag]).toEqual([undefined, undefined]);
  });
});

test('a list in memory is compressed once for all requests', async () => {
  const lists = createHotLists({ clock: () => 0, allowed: () => true, log: pino({ level: 'silent' }) });
  const sent: Buffer[] = [];
  const direct = createServer((incoming, response) => {
    const end = response.end.bind(response);
    response.end = ((body: Buffer) => {
      sent.push(body);
      return end(body);
    }) as typeof response.end;
    if (!lists.answer(incoming, response)) response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => direct.once('listening', resolve));
  const host = `127.0.0.1:${(direct.address() as AddressInfo).port}`;
  const of = { site: room.site.id, key: hotKey(room.site.id, 'list'), target: hotTarget(host, '/list') };
  const list = await lists.get(of, async () => ({ text: 'again '.repeat(1000) }));
  const answers = await Promise.all([1, 2, 3].map(async () => await (await fetch(`http://${host}/list`)).text()));
  direct.closeAllConnections();
  await new Promise((resolve) => direct.close(resolve));
  expect(answers).toEqual(answers.map(() => list.body.toString()));
  expect(new Set(sent).size).toBe(1);
  expect([...list.coded.keys()]).toHaveLength(1);
});

describe('the coding a client gets', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;Q=0.5', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000', undefined],
    ['*', 'br'],
    ['*;q=0.1', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['gzip, *;q=0', 'gzip'],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0, br', 'br'],
    ['zstd, deflate', undefined],
    ['br;q=2', undefined],
    ['br;q=none', undefined],
    [' br ; q = 1 ', 'br'],
    ['x-gzip', undefined],
  ])('by %j is %s', (header, coding) => {
    expect(chooseCoding(header, CODINGS)).toBe(coding);
  });

  test('is one that it named, or `*`, whatever it sends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('br', 'gzip', ';', 'q=0', 'q=1', '=', ',', '*', 'identity', ' ', '\0')),
        (parts) => {
          const header = parts.join('');
          const coding = chooseCoding(header, CODINGS);
          if (coding !== undefined) expect(header).toMatch(new RegExp(`${coding}|\\*`));
        },
      ),
    );
  });
});
