// The doors behind a real HTTP server: bodies that are large, chunked, slow or cut off.
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_BATCH_BYTES } from '../../server/contract/limits.ts';
import { APP_BATCHES, batchListener, WIDGET_BATCHES } from '../../server/http/eventBatches.ts';
import { createTaking } from '../../server/http/eventSenders.ts';
import { silent } from '../storage/scratch.ts';
import { openRoutes } from '../support/routes.ts';
import { FIREFOX, newPage, newsroom, now } from './newsroom.ts';

const FORMATS = new Map([
  ['/events', WIDGET_BATCHES],
  ['/mobileproxy', APP_BATCHES],
]);

const room = newsroom();
let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    const settings = { publicUrl: undefined, trustedProxies: 1, widgetDir: '' };
    const deps = { ingest: room.ingest, log: silent, now: () => 0, settings };
    // What the framework would answer can be asked for, too.
    if (incoming.headers['x-slow'] === undefined) {
      const first = batchListener({ ...deps, taking: createTaking(deps) }, FORMATS);
      if (first(incoming, outgoing)) return;
    }
    const app = openRoutes(deps, ...FORMATS.keys());
    void getRequestListener(app.fetch)(incoming, outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = async (body: string, headers: Record<string, string> = {}, path = '/events') => {
  const sent = request({ port, path, method: 'POST', headers: { 'User-Agent': FIREFOX, ...headers } });
  sent.on('error', () => undefined);
  sent.end(body);
  const [answer] = await once(sent, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode as number;
};
const batch = (url: string, count = 1) =>
  JSON.stringify({
    events: Array.from({ length: count }, () => ({ idsite: 'news.example', action: 'pageview', url })),
  });

test.each(['/events', '/mobileproxy'])('a batch may begin with a byte order mark: %s', async (path) => {
  const url = newPage();
  expect(await send(`\uFEFF${batch(url)}`, {}, path)).toBe(200);
  expect(await send(`\uFEFF${batch(url)}`, { 'X-Slow': '1' }, path)).toBe(200);
  expect(await room.stored(url)).toHaveLength(2);
});

test('a batch arrives whole, announced or in chunks', async () => {
  const url = newPage();
  expect(await send(batch(url, 40), { 'Content-Length': String(Buffer.byteLength(batch(url, 40))) })).toBe(200);
  expect(await send(batch(url, 40), { 'Transfer-Encoding': 'chunked' })).toBe(200);
  expect(await room.stored(url)).toHaveLength(80);
});

test('too large a body is refused, and the connection serves on', async () => {
  const large = 'x'.repeat(MAX_BATCH_BYTES + 1);
  expect(await send(large, { 'Content-Length': String(large.length) })).toBe(413);
  expect(await send(large, { 'Transfer-Encoding': 'chunked' })).toBe(413);
  expect(await send(batch(newPage()))).toBe(200);
});

describe('a body of an app that is too large is cut: it would be sent again for ever', () => {
  const ways: [string, Record<string, string>][] = [
    ['announced', {}],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
    ['announced, past the short way', { 'X-Slow': '1' }],
  ];
  /** Of one length each, the same in every try. */
  const events = (url: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      idsite: 'news.example',
      action: 'pageview',
      url,
      data: { parsely_site_uuid: 'd', ts: now - n, note: 'a "]}, of \\ '.repeat(30) },
    }));

  test.each(ways)('%s: events that are all there count once, the rest is counted as dropped', async (_, headers) => {
    const url = newPage();
    const body = JSON.stringify({ events: events(url, 2000) });
    const each = (body.length - 12) / 2000;
    const fit = Math.floor((MAX_BATCH_BYTES - 10) / each);
    const chunked = headers['Transfer-Encoding'] !== undefined;
    const length = chunked ? undefined : { 'Content-Length': String(body.length) };
    const sent = () => send(body, { ...length, ...headers }, '/mobileproxy');
    expect(await sent()).toBe(200);
    expect(await room.stored(url)).toHaveLength(fit);
    const dropped = room.count('too-many-bytes');
    if (chunked) expect(dropped).toBe(1);
    else expect(Math.abs(dropped - (2000 - fit))).toBeLessThan(5);
    expect(await sent()).toBe(200);
    expect(await room.stored(url)).toHaveLength(fit);
    expect(room.count('duplicate')).toBe(fit);
    expect(await send(batch(newPage()))).toBe(200);
  });

  test('of the older form as well', async () => {
    const url = newPage();
    const rqs = JSON.stringify({ data: { idsite: 'news.example' }, events: events(url, 1000) });
    expect(await send(new URLSearchParams({ rqs }).toString(), {}, '/mobileproxy')).toBe(200);
    const { length } = await room.stored(url);
    expect(length).toBeGreaterThan(300);
    expect(length).toBeLessThan(1000);
    expect(room.count('malformed')).toBe(0);
  });

  test.each(['x', '{"events":[', '{"events":[{"a":', '[', '{'])(
    '%s without end is junk, and answered 200',
    async (junk) => {
      expect(await send(junk.repeat(600_000 / junk.length), {}, '/mobileproxy')).toBe(200);
      expect([room.count('malformed'), room.count('too-many-bytes')]).toEqual([1, 1]);
    },
  );
});

test('a sender who goes away in the middle leaves nothing behind', async () => {
  const before = room.ingest.counts();
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /events HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"events":[{');
  socket.destroy();
  await once(socket, 'close');
  expect(await send(batch(newPage()))).toBe(200);
  expect(room.ingest.counts()).toEqual([...before, { site: 'news.example', outcome: 'stored', count: 1 }]);
});

test('the address a trusted proxy saw counts, not the ones a client wrote before it', async () => {
  const url = newPage();
  const proxied = (forwarded: string) => send(batch(url), { 'X-Forwarded-For': forwarded });
  await proxied('198.51.100.1');
  await proxied('203.0.113.99, 198.51.100.1');
  await proxied('203.0.113.99, 198.51.100.2');
  expect(new Set((await room.stored(url)).map((row) => row.visitor)).size).toBe(2);
});

test.each([
  ['what is taken', '/events', (url: string) => batch(url), {}],
  ['what apps send', '/mobileproxy', (url: string) => batch(url), {}],
  ['what is no JSON', '/events', () => '{"events":[', {}],
  ['too many events', '/events', (url: string) => batch(url, 2001), {}],
  ['too large a body', '/events', () => 'x'.repeat(MAX_BATCH_BYTES + 1), {}],
  ['an unknown coding', '/events', (url: string) => batch(url), { 'Content-Encoding': 'gzip' }],
])('the short way from the connection answers as the long one does: %s', async (_, path, body, headers) => {
  const answer = async (more: Record<string, string>) => {
    const init = { method: 'POST', body: body(newPage()), headers: { 'User-Agent': FIREFOX, ...headers, ...more } };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { date, ...told } = Object.fromEntries(response.headers);
    return { status: response.status, told, body: await response.text() };
  };
  const short = await answer({});
  expect(short).toEqual(await answer({ 'X-Slow': '1' }));
  expect(short.told['access-control-allow-origin']).toBe('*');
});

describe.each(['/events', '/mobileproxy'])('%s', (path) => {
  test.each([
    ['straight', {}],
    ['by the application', { 'X-Slow': '1' }],
  ])('says only to the widget how many events came from a host that is not the site’s: %s', async (_, headers) => {
    const events = [
      ...JSON.parse(batch('http://localhost:5173/story', 2)).events,
      ...JSON.parse(batch(newPage())).events,
    ];
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'User-Agent': FIREFOX, Origin: 'http://localhost:5173', ...headers },
      body: JSON.stringify({ events }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Content-Type')).toContain('application/json');
    const message = expect.stringMatching(/^afterword: localhost:5173 is no host .* --domain localhost:5173$/);
    const dropped = path === '/events' ? { dropped: { 'foreign-host': 2 }, message } : {};
    expect(await answer.json()).toEqual({ success: true, ...dropped });
    const unknown = { idsite: 'unknown.example', action: 'pageview', url: 'http://localhost:5173/story' };
    const other = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'User-Agent': FIREFOX, ...headers },
      body: JSON.stringify({ events: [unknown] }),
    });
    expect(await other.json()).toEqual({ success: true });
  });

  test.each([
    ['straight', {}],
    ['by the application', { 'X-Slow': '1' }],
  ])('names the host that the canonical link of a page is on: %s', async (_, headers) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'User-Agent': FIREFOX, Origin: new URL(newPage()).origin, ...headers },
      body: batch('https://agency.example/story', 1),
    });
    const message = expect.stringMatching(/^afterword: .* on agency\.example, .* no host .* data-url/);
    const dropped = path === '/events' ? { dropped: { 'foreign-host': 1 }, message } : {};
    expect(await answer.json()).toEqual({ success: true, ...dropped });
  });
});
