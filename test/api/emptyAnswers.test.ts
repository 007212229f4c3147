// Public answers without a record: caches keep them for seconds, so the first readers of a new site see its first posts.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createListener } from '../../server/app.ts';
import { type Answer, type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { until } from '../support/until.ts';

const NOW = Date.UTC(2041, 3, 2);
const PATHS = [
  '/related?url=https://paper.example/first',
  '/related?section=News',
  '/search?q=ferry',
  '/top/posts?days=7',
  '/top/videos?days=7',
];

let room: Newsroom;
let server: Server;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  server = createServer(createListener(room.deps));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // While an index is loaded, another list stands in, which no cache keeps.
  await until('the index of the site is loaded', async () => (await ask(PATHS[0]!)).caching !== 'private, no-store');
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  await room.close();
});

async function ask(path: string): Promise<{ count: number; caching: string | null }> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/v2${path}&apikey=${room.site.id}`);
  return { count: ((await response.json()) as Answer).data.length, caching: response.headers.get('Cache-Control') };
}

test.each(PATHS)('%s without a record is cached for five seconds at most', async (path) => {
  const { count, caching } = await ask(path);
  expect(count).toBe(0);
  const [, seconds] = /^public, max-age=(\d+)$/.exec(caching!)!;
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(Number(seconds)).toBeLessThanOrEqual(5);
});

test('an answer with a record is cached as usual, also the first one of a site', async () => {
  const ferry = { title: 'The ferry', section: 'News', fullContent: 'The ferry is late.', pubDate: NOW - 60_000 };
  await room.write('https://paper.example/ferry', ferry);
  for (const path of PATHS.slice(0, 3))
    expect(await ask(path), path).toEqual({ count: 1, caching: 'public, max-age=60' });
});

test('an answer for one reader is not cached, with or without a record', async () => {
  for (const section of ['News', 'Sport'])
    expect((await ask(`/related?uuid=reader&section=${section}`)).caching).toBe('private, no-store');
});
