// Doors for events are closed while they are full; everything else is answered all the same.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { pixelSender, sender } from '../../server/api/doors.ts';
import { ROUTES } from '../../server/app.ts';
import { boundCrowd, type CrowdLimits } from '../../server/http/crowd.ts';
import { until } from '../support/until.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server whose doors answer when the test lets them. */
async function serve(limits: CrowdLimits) {
  const waiting: ServerResponse[] = [];
  const listener = boundCrowd((request, response) => {
    if (request.url === '/v2/top/posts') response.end('list');
    else request.resume().once('end', () => waiting.push(response));
  }, limits);
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (path: string, body: string) => fetch(url + path, { method: 'POST', body });
  return { url, waiting, post };
}

test('past the bound senders are refused at once, lists are not, and a place that gets free is taken', async () => {
  const { url, waiting, post } = await serve({ requests: 3 });
  const under = ['/events', '/mobileproxy', '/events/'].map((path) => post(path, '{}'));
  await until('three are under way', () => waiting.length === 3);
  for (const path of ['/plogger/?idsite=a', '/px?idsite=a', '/events']) {
    const refused = await fetch(url + path);
    expect([
      refused.status,
      refused.headers.get('Retry-After'),
      refused.headers.get('Access-Control-Allow-Origin'),
      refused.headers.get('Access-Control-Expose-Headers'),
    ]).toEqual([503, '5', '*', 'Retry-After']);
  }
  expect(await (await fetch(`${url}/v2/top/posts`)).text()).toBe('list');
  waiting.shift()!.end();
  await Promise.race(under);
  const fourth = await until('there is a place', async () => {
    const answer = post('/events', '{}');
    const refused = await Promise.race([
      answer.then(({ status }) => status === 503),
      until('it waits', () => waiting.length === 3).then(() => false),
    ]);
    return refused ? undefined : { answer };
  });
  for (const response of waiting) response.end();
  expect((await fourth.answer).status).toBe(200);
});

test('bodies are bounded together, and what announces no length counts as large', async () => {
  const { url, waiting, post } = await serve({ bytes: 1_000_000 });
  const large = post('/events', 'x'.repeat(500_000));
  await until('one is under way', () => waiting.length === 1);
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{}'));
      controller.close();
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  expect((await fetch(`${url}/events`, init)).status).toBe(503);
  expect((await post('/events', 'x'.repeat(500_001))).status).toBe(503);
  const small = post('/events', 'x'.repeat(400_000));
  await until('both are under way', () => waiting.length === 2);
  for (const response of waiting) response.end();
  expect([(await large).status, (await small).status]).toEqual([200, 200]);
});

test('every route that receives events is bounded', async () => {
  const { url } = await serve({ requests: 0 });
  const guards: readonly object[] = [sender, pixelSender];
  const doors = ROUTES.filter(({ guard }) => guards.includes(guard));
  const answers = doors.map(async ({ method, path }) => `${path} ${(await fetch(url + path, { method })).status}`);
  expect(await Promise.all(answers)).toEqual(['/events 503', '/mobileproxy 503', '/plogger 503', '/px 503']);
});
