// GET /v2/top/posts over HTTP, through the listener that answers from memory.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createListener } from '../../server/app.ts';
import { type Answer, type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';

/** Half past one in the morning in Tokyo. */
const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const url = (name: string) => `https://paper.example/${name}`;

let room: Newsroom;
let server: Server;
let origin: string;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'Asia/Tokyo' });
  server = createServer(createListener(room.deps));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (let n = 0; n < 30; n++) {
    const patch = {
      title: `Post ${n}`,
      section: n % 2 ? 'Odd' : 'Even',
      authors: [`Author ${n % 3}`],
      tags: [`tag ${n % 5}`],
    };
    await room.write(url(String(n)), patch);
  }
  const views = Array.from({ length: 30 }, (_, n) =>
    Array.from({ length: 30 - n }, () => ({ url: url(String(n)), time: NOW - HOUR })),
  );
  await room.happen(
    ...views.flat(),
    // Within 24 hours, but the day before yesterday's evening is only two calendar days away.
    ...Array.from({ length: 100 }, () => ({ url: url('29'), time: NOW - 23 * HOUR })),
    ...Array.from({ length: 200 }, () => ({ url: url('28'), time: NOW - 25 * HOUR })),
    ...Array.from({ length: 300 }, () => ({ url: url('27'), time: NOW - 26 * HOUR })),
    ...Array.from({ length: 50 }, () => ({ url: url('26'), time: NOW - HOUR, channel: 'amp' as const })),
  );
});

afterAll(async () => {
  await new Promise((done) => server.close(done));
  await room.close();
});

async function top(query = ''): Promise<Answer> {
  const response = await fetch(`${origin}/v2/top/posts?apikey=paper.example${query}`);
  return (await response.json()) as Answer;
}

const titles = async (query?: string) => (await top(query)).data.map((record) => Number(record.title.slice(5)));

test('ten posts without numbers', async () => {
  const body = await top();
  expect(body.data).toHaveLength(10);
  expect(body.data[1]).toEqual({
    title: 'Post 26',
    url: url('26'),
    link: url('26'),
    author: 'Author 2',
    authors: ['Author 2'],
    section: 'Even',
    tags: ['tag 1'],
    pub_date: '',
    image_url: '',
    thumb_url_medium: '',
    full_content_word_count: 0,
    metadata: '',
  });
  expect(Object.keys(body)).toEqual(['data', 'meta', 'links', 'success']);
  expect(body.meta).toEqual({ metrics: [], sort: 'views' });
});

test.each([
  ['', 10],
  ['&limit=10', 10],
  ['&limit=3', 10],
  ['&limit=25', 25],
  ['&limit=11', 25],
  ['&limit=2000', 25],
  ['&limit=', 10],
])('limit%s gives %i', async (query, length) => {
  expect((await top(query)).data).toHaveLength(length);
});

describe('days', () => {
  test('one is the last 24 hours', async () => {
    expect((await titles()).slice(0, 3)).toEqual([29, 26, 0]);
  });

  test('two are today and yesterday in the site’s zone', async () => {
    // Tokyo's yesterday began at 15:00 UTC on the 18th: 25.5 hours ago.
    expect((await titles('&days=2')).slice(0, 3)).toEqual([28, 29, 26]);
  });

  test('three reach further', async () => {
    expect((await titles('&days=3')).slice(0, 3)).toEqual([27, 28, 29]);
  });

  test.each(['0', '32', '-1', '1.5', 'x'])('%s is refused', async (days) => {
    expect(await top(`&days=${days}`)).toMatchObject({ code: 422, message: 'Bad parameters: days' });
  });
});

test.each([
  ['&section=Odd', [29, 1, 3]],
  ['&author=Author%201', [1, 4, 7]],
  ['&tag=tag%203', [3, 8, 13]],
  ['&channel=amp', [26]],
  ['&section=Odd&author=Author%201', [1, 7, 13]],
  ['&section=odd', []],
  ['&section=Odd&section=Even', [29, 26, 0]],
  ['&tag=tag%203&author=Author%201', [13, 28]],
  ['&author=Author%201&author=Author%202', []],
])('filters %s', async (query, expected) => {
  expect((await titles(query)).slice(0, 3)).toEqual(expected);
});

test.each(['author', 'tag', 'section'])('six values of %s are refused', async (name) => {
  const values = Array.from({ length: 6 }, (_, n) => `&${name}=${n}`).join('');
  expect(await top(values)).toMatchObject({ code: 422, errors: { [name]: ['Give at most 5 values.'] } });
});

test('a hidden post is gone from lists in memory at once, and back at once', async () => {
  const change = (what: 'ignore' | 'include', post: string) =>
    fetch(
      `${origin}/v2/exclude/${what}?apikey=paper.example&secret=${room.secret}&url=${encodeURIComponent(url(post))}`,
    );
  expect((await titles())[0]).toBe(29);
  await room.ask('/exclude/ignore', { url: url('29') });
  // The change went through the application beside this listener; what it holds is not older than its freshness.
  await change('ignore', '26');
  expect((await titles())[0]).toBe(0);
  await change('include', '26');
  expect((await titles())[0]).toBe(26);
  await change('include', '29');
  expect((await titles())[0]).toBe(29);
});

test('a list from memory is the same to the byte, headers included', async () => {
  const ask = () => fetch(`${origin}/v2/top/posts?apikey=paper.example&days=5`);
  const [made, kept] = [await ask(), await ask()];
  expect(await kept.text()).toBe(await made.text());
  for (const name of ['content-type', 'content-length', 'cache-control', 'access-control-allow-origin']) {
    expect([name, kept.headers.get(name)]).toEqual([name, made.headers.get(name)]);
  }
});

test('a client of HTTP/1.0, which names no host, has the list', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /v2/top/posts?apikey=paper.example&limit=1 HTTP/1.0\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('"title":"Post 29"');
});

test('a site that keeps its lists to itself answers like an unknown one, at once', async () => {
  expect((await top()).success).toBe(true);
  await replaceSite(room.deps.sites, { ...room.site, features: { ...room.site.features, top: false } });
  expect(await top()).toEqual({ code: 403, message: 'Forbidden', success: false });
  await replaceSite(room.deps.sites, room.site);
  expect((await top()).success).toBe(true);
});
