// `--access-log`: a line for each request, with nothing in it that is somebody's.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { logAccess } from '../../server/http/accessLog.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

afterAll(removeDataDirs);

const UUID = '5f2b6c1e-0000-4000-8000-1234567890ab';
const ADDRESS = '203.0.113.77';

test('of a running server: one line a request, and no secret, reader or address in any', async () => {
  const server = await startServer({ flags: ['--access-log', '--trusted-proxies', '1'] });
  const { apikey, secret, write_secret } = await addSite(server, 'logged.example');
  const headers = { 'X-Forwarded-For': ADDRESS, Authorization: `Bearer ${secret}`, Cookie: `id=${UUID}` };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { ...headers, ...init.headers } });
  await ask(`/v2/analytics/posts?apikey=${apikey}&secret=${secret}`, { headers: { 'X-Request-Id': 'of-the-proxy' } });
  await ask(`/v2/analytics/posts?apikey=${apikey}&secret=wrong-${secret}`);
  await ask(`/v2/profile?apikey=${apikey}&uuid=${UUID}&url=https://logged.example/a`);
  await ask(`/px/?data=${encodeURIComponent(JSON.stringify({ parsely_site_uuid: UUID }))}&ip=${ADDRESS}`);
  await ask('/v2/metadata/posts', { method: 'POST', body: new URLSearchParams({ apikey, secret: write_secret }) });
  const answer = await ask(`/${'x'.repeat(3_000)}?secret=${secret}`);
  const proxied = request(server.url, { path: `http://user:${secret}@stats.example/docs?uuid=${UUID}`, headers });
  await new Promise<void>((done) => proxied.end().once('response', (given) => given.resume().once('end', done)));
  await ask('/healthz');
  const lines = () => server.log().filter(({ msg }) => msg === 'request');
  await until('each answer has its line', () => lines().length >= 7);
  expect(lines().map(({ method, path, status }) => [method, String(path).slice(0, 30), status])).toEqual([
    ['GET', '/v2/analytics/posts', 200],
    ['GET', '/v2/analytics/posts', 403],
    ['GET', '/v2/profile', 200],
    ['GET', '/px/', 200],
    ['POST', '/v2/metadata/posts', expect.any(Number)],
    ['GET', `/${'x'.repeat(29)}`, 404],
    ['GET', '/docs', expect.any(Number)],
  ]);
  for (const line of lines())
    expect(line).toMatchObject({ bytes: expect.any(Number), ms: expect.any(Number), requestId: expect.any(String) });
  expect(lines()[0]).toMatchObject({ requestId: 'of-the-proxy', level: 'info' });
  expect(String(lines()[5]!.path).length).toBeLessThanOrEqual(201);
  expect(answer.headers.get('X-Request-Id'), 'the line is found by its answer').toBe(lines()[5]!.requestId);
  const text = JSON.stringify(server.log());
  for (const word of [secret, write_secret, UUID, ADDRESS]) expect(text).not.toContain(word);
  await server.stop();
});

test('beyond the bound of a second, requests are counted in one line', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let now = 0;
  const server = createServer(
    logAccess((_, response) => void response.end('hello'), { log, clock: () => now, most: 3 }),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (let times = 0; times < 8; times++) await (await fetch(url)).text();
  await until('the lines of the first second are there', () => lines.length === 3);
  expect(lines[0]!.bytes, 'the head and the five bytes').toBeGreaterThan(100);
  now = 1_000;
  await (await fetch(url)).text();
  await until('the next second begins', () => lines.length === 5);
  expect(lines[3]).toMatchObject({ requests: 5, msg: expect.stringContaining('left out') });
  server.close().closeAllConnections();
});
