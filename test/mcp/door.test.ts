// POST /mcp as a door: who may ask, from where, how much and how often.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { connectOverHttp } from '../support/assistants.ts';
import { type AssistedPaper, openAssistedPaper } from '../support/assistedPaper.ts';
import { replaceSite } from '../support/replaceSite.ts';

let paper: AssistedPaper;
let room: AssistedPaper['room'];
let url: AssistedPaper['url'];
let reader: AssistedPaper['reader'];
let keys: AssistedPaper['keys'];

beforeAll(async () => {
  paper = await openAssistedPaper();
  ({ room, url, reader, keys } = paper);
});
afterAll(() => paper?.close());

const PING = { jsonrpc: '2.0', id: 7, method: 'tools/list' };

/** A message as no client of the SDK sends it. */
const post = (headers: Record<string, string>, body: unknown = PING, target = '/mcp') =>
  fetch(url + target, {
    method: 'POST',
    headers: { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('who may ask', () => {
  test('without a secret, with a wrong one, or for another site, the answer is 401', async () => {
    for (const headers of [
      { 'Afterword-Site': room.site.id },
      keys('wrong'),
      { ...keys(room.secret), 'Afterword-Site': 'other.example' },
      { Authorization: `Bearer ${room.secret}` },
      { ...keys(room.secret), Authorization: `Basic ${room.secret}` },
    ] as Record<string, string>[]) {
      const answer = await post(headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="afterword"');
      expect(await answer.json()).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32_000,
          message: 'Send either secret of the site as Authorization: Bearer, and the Site ID as Afterword-Site.',
        },
      });
    }
    await expect(connectOverHttp(url, keys('wrong'))).rejects.toThrow();
  });

  test('a secret in the address opens nothing; the Site ID may be there', async () => {
    const { Authorization } = keys(room.secret);
    const site = `apikey=${room.site.id}`;
    expect((await post({}, PING, `/mcp?${site}&secret=${room.secret}`)).status).toBe(401);
    expect((await post({ Authorization }, PING, `/mcp?${site}`)).status).toBe(200);
  });

  test('a page of another origin is refused before its keys are looked at', async () => {
    const Origin = 'https://evil.example';
    for (const headers of [{ ...keys(room.secret), Origin }, { Origin: url, ...keys(room.secret) }, { Origin: 'null' }])
      expect((await post(headers as Record<string, string>)).status).toBe(403);
    const settings = { ...room.deps.settings, publicUrl: 'https://stats.example' };
    const own = await createApp({ ...room.deps, settings }).request('/mcp', {
      method: 'POST',
      headers: {
        ...keys(room.secret),
        Origin: 'https://stats.example',
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(PING),
    });
    expect(own.status).toBe(200);
  });

  test('a secret that was replaced and its sessions open nothing: each message is verified', async () => {
    const { sites } = room.deps;
    const site = sites.find(room.site.id)!;
    await replaceSite(sites, { ...site, secretHash: 'f'.repeat(64) });
    try {
      await expect(reader.listTools()).rejects.toThrow();
    } finally {
      await replaceSite(sites, site);
    }
    expect((await reader.listTools()).tools.length).toBeGreaterThan(0);
  });
});

describe('messages', () => {
  test('other methods are answered 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const answer = await fetch(`${url}/mcp`, { method, headers: keys(room.secret) });
      expect([method, answer.status, answer.headers.get('Allow')]).toEqual([method, 405, 'POST']);
    }
  });

  test.each([
    ['too large a body', JSON.stringify({ ...PING, params: { text: 'a'.repeat(70_000) } }), 400],
    ['no JSON', '{', 400],
    ['a batch', JSON.stringify([PING, PING]), 400],
    ['too deep a body', `{"a":${'['.repeat(30)}${']'.repeat(30)}}`, 400],
    ['another protocol', '{"hello":1}', 400],
  ])('%s is refused', async (_, body, status) => {
    const answer = await post(keys(room.secret), body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });

  test('an error is a sentence of what is wrong and one of what to do', async () => {
    const { error } = (await (await post(keys(room.secret), '{')).json()) as { error: { message: string } };
    expect(error.message).toBe('Bad parameters: body. Send well-formed JSON.');
  });

  test.each([
    undefined,
    { name: 5 },
    { name: 'lists', arguments: 'all' },
    { name: 'lists', arguments: null },
    { name: 'lists', arguments: [] },
  ])('a call with the params %j is said to have invalid ones, and what they are', async (params) => {
    const answer = await post(keys(room.secret), { ...PING, method: 'tools/call', params });
    const message = 'Give params with name, the name of a tool, and arguments, an object.';
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32_602, message } });
  });

  test.each([
    ['analytics', { of: 'posts', section: '\ud800' }],
    ['related', { url: 'https://paper.example/\ud800' }],
  ])('half of a character in an argument of %s is named as what it is', async (name, args) => {
    const answer = await post(keys(room.secret), { ...PING, method: 'tools/call', params: { name, arguments: args } });
    expect(await answer.text()).toMatch(/The argument (section|url) has half of a character: give it whole\./);
  });

  test('a notification has no answer', async () => {
    const answer = await post(keys(room.secret), { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([answer.status, await answer.text()]).toEqual([202, '']);
  });

  test('no cache may keep an answer', async () => {
    for (const headers of [keys(room.secret), keys('wrong')])
      expect((await post(headers)).headers.get('Cache-Control')).toBe('private, no-store');
  });

  test('past the burst a network is refused, and a tool counts like the question it stands for', async () => {
    const settings = { ...room.deps.settings, trustedProxies: 1, readRate: { perSecond: 0.001, burst: 4 } };
    const app = createApp({ ...room.deps, settings });
    const call = async (address = '203.0.113.1') =>
      await app.request('/mcp', {
        method: 'POST',
        headers: {
          ...keys(room.secret),
          'X-Forwarded-For': address,
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ ...PING, method: 'tools/call', params: { name: 'exclude_list', arguments: {} } }),
      });
    const codes = [];
    for (let count = 0; count < 3; count++) codes.push((await call()).status);
    expect(codes).toEqual([200, 200, 429]);
    expect(Number((await call()).headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await call('198.51.100.1')).status).toBe(200);
  });

  test('a tool whose question is refused for the rate says when to ask again', async () => {
    const settings = { ...room.deps.settings, trustedProxies: 1, readRate: { perSecond: 0.01, burst: 1 } };
    const answer = await createApp({ ...room.deps, settings }).request('/mcp', {
      method: 'POST',
      headers: {
        ...keys(room.secret),
        'X-Forwarded-For': '203.0.113.1',
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ ...PING, method: 'tools/call', params: { name: 'exclude_list', arguments: {} } }),
    });
    expect(await answer.json()).toMatchObject({
      result: {
        isError: true,
        structuredContent: { answer: { code: 429, message: 'Too Many Requests. Ask again in 100 s.' } },
      },
    });
  });
});
