// What every request shares: refusals, JSON-P, CORS, caching, links. Asked through the application over a real engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const FORBIDDEN = { code: 403, message: 'Forbidden', success: false };
const NOT_FOUND = { code: 404, message: 'Not Found', success: false };

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW, publicUrl: 'https://stats.example' });
  await room.write('https://paper.example/a', { title: 'A </script> \u2028' });
  await room.happen({ url: 'https://paper.example/a' });
});

afterAll(() => room.close());

const request = (path: string, init?: RequestInit) => room.app.request(`http://10.0.0.1${path}`, init);

describe('who may ask', () => {
  test.each([
    ['no site', '/v2/analytics/posts?secret=SECRET'],
    ['an unknown site', '/v2/analytics/posts?apikey=other.example&secret=SECRET'],
    ['no secret', '/v2/analytics/posts?apikey=paper.example'],
    ['a wrong secret', '/v2/analytics/posts?apikey=paper.example&secret=wrong'],
    ['an empty secret', '/v2/analytics/posts?apikey=paper.example&secret='],
    ['a bad parameter without the right to know', '/v2/analytics/posts?apikey=paper.example&limit=x'],
    ['an unknown site on a public list', '/v2/top/posts?apikey=other.example'],
    ['no site on a public list', '/v2/top/posts'],
  ])('%s is forbidden, with status 200', async (_, path) => {
    const response = await request(path.replace('SECRET', room.secret));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(FORBIDDEN);
  });

  test.each([
    ['the Site ID in any case', (secret: string) => `/v2/analytics/posts?apikey=PAPER.example&secret=${secret}`],
    ['our other name for it', (secret: string) => `/v2/analytics/posts?service=paper.example&secret=${secret}`],
    ['a trailing slash', (secret: string) => `/v2/analytics/posts/?apikey=paper.example&secret=${secret}`],
    [
      'unknown and empty parameters',
      (secret: string) => `/v2/analytics/posts?apikey=paper.example&secret=${secret}&_=1&page=&boost=x&`,
    ],
    ['a wrong secret on a public list', () => '/v2/top/posts?apikey=paper.example&secret=wrong'],
  ])('%s is accepted', async (_, path) => {
    const body = (await (await request(path(room.secret))).json()) as { success: boolean };
    expect(body.success).toBe(true);
  });
});

test.each([
  '/v2',
  '/v2/',
  '/v2/nothing',
  '/v2/analytics',
  '/v2/analytics/nothing',
  '/v2/top/authors',
  '/v2/analytics/posts/more',
])('%s is not found, with status 200', async (path) => {
  const response = await request(path);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(NOT_FOUND);
});

test('a path outside the interface is a plain 404', async () => {
  expect((await request('/nothing')).status).toBe(404);
});

describe('bad parameters', () => {
  test.each([
    ['limit=0', { limit: ['Give a whole number from 1 to 2000.'] }],
    ['limit=2001', { limit: ['Give a whole number from 1 to 2000.'] }],
    ['limit=1e3', { limit: ['Give a whole number from 1 to 2000.'] }],
    [
      'page=x&limit=-1',
      { limit: ['Give a whole number from 1 to 2000.'], page: ['Give a whole number from 1 to 2000.'] },
    ],
    ['limit=100&page=21', { page: ['Give a page that begins within the first 2000 records.'] }],
    ['channel=radio', { channel: ['Give one of website, apln-rta, amp, fbia.'] }],
    ['tag=1&tag=2&tag=3&tag=4&tag=5&tag=6', { tag: ['Give at most 5 values.'] }],
    ['period_start=91d', { period_start: ['Give a period of at most 90 days.'] }],
    ['days=91', { days: ['Give a period of at most 90 days.'] }],
    ['time=91d', { time: ['Give a period of at most 90 days.'] }],
    ['time=0m', { time: ['Give a look-back such as 5m or 24h, not of zero.'] }],
    [
      'period_start=2040-01-01&period_end=2040-03-31',
      {
        period_end: ['Give a period of at most 90 days.'],
        period_start: ['Give a period of at most 90 days.'],
      },
    ],
    [
      'period_start=2040-03-10&period_end=2040-03-09',
      {
        period_end: ['Give a start that is not after the end.'],
        period_start: ['Give a start that is not after the end.'],
      },
    ],
  ])('%s', async (query, errors) => {
    const response = await request(`/v2/analytics/posts?apikey=paper.example&secret=${room.secret}&${query}`);
    const message = `Bad parameters: ${Object.keys(errors).join(', ')}`;
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({ code: 422, errors, message, success: false });
    expect(response.status).toBe(200);
  });

  test('the error for an unknown sort lists the known ones', async () => {
    const { errors } = await room.ask('/analytics/posts', { sort: 'likes' });
    expect(errors?.sort?.[0]).toContain('views, mobile_views');
    expect(errors?.sort?.[0]).toContain('recirculation_rate');
  });
});

describe('JSON-P', () => {
  test.each([
    ['a success', (secret: string) => `/v2/analytics/posts?apikey=paper.example&secret=${secret}`],
    ['a public list', () => '/v2/top/posts?apikey=paper.example'],
    ['a public list again, from memory', () => '/v2/top/posts?apikey=paper.example'],
    ['forbidden', () => '/v2/analytics/posts?apikey=paper.example'],
    ['not found', () => '/v2/nothing?x=1'],
    ['bad parameters', () => '/v2/top/posts?apikey=paper.example&days=99'],
  ])('%s', async (_, path) => {
    const plain = await (await request(path(room.secret))).json();
    const response = await request(`${path(room.secret)}&callback=app.show`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/javascript; charset=utf-8');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const script = await response.text();
    const [, json] = /^\/\*\*\/app\.show\((.*)\);$/s.exec(script)!;
    const wrapped = JSON.parse(json!);
    // The links of the one replay its callback; the rest is the same to the letter.
    expect({ ...wrapped, links: undefined }).toEqual({ ...(plain as object), links: undefined });
    expect(json).not.toContain('</');
    expect(json).not.toContain('\u2028');
  });

  test('HEAD has the type of the script', async () => {
    const response = await request('/v2/top/posts?apikey=paper.example&callback=app.show', { method: 'HEAD' });
    expect(response.headers.get('Content-Type')).toBe('application/javascript; charset=utf-8');
    expect(await response.text()).toBe('');
  });

  test('a callback that is no name is refused as plain JSON', async () => {
    const response = await request('/v2/top/posts?apikey=paper.example&callback=alert(1)//');
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({ code: 422, message: 'Bad parameters: callback', success: false });
  });
});

describe('HEAD', () => {
  const page = encodeURIComponent('https://paper.example/a');

  test.each([
    ['hides no post', '/v2/exclude/ignore', '', '/v2/exclude/list'],
    ['trains no profile', '/v2/profile', '&uuid=r', '/v2/history'],
  ])('%s', async (_, path, more, list) => {
    const query = `apikey=paper.example&secret=${room.secret}&url=${page}${more}`;
    const response = await request(`${path}?${query}`, { method: 'HEAD' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET']);
    expect(await (await request(`${list}?${query}`)).text()).not.toContain('https://paper.example/a');
  });

  test('queues no page', async () => {
    const query = `secret=${room.secret}&url=${page}`;
    const response = await request(`/paper.example/ping_crawl?${query}`, { method: 'HEAD' });
    expect(response.status).toBe(405);
    expect(await room.deps.store.crawlQueue.get(room.site.id, ['https://paper.example/a'])).toEqual([]);
  });
});

describe('a method that a path does not take', () => {
  test.each([
    ['POST', '/v2/analytics/posts?limit=1', 200, 'GET, HEAD'],
    ['PUT', '/v2/analytics/author/Ada/detail', 200, 'GET, HEAD'],
    ['GET', '/v2/metadata/posts', 200, 'POST'],
    ['DELETE', '/v2/rules/', 200, 'GET, HEAD, POST'],
    ['GET', '/events', 405, 'POST'],
    ['PATCH', '/console/session', 405, 'GET, HEAD, POST, DELETE'],
    ['PUT', '/v2/nothing', 200, null],
    ['PUT', '/nothing', 404, null],
  ])('%s %s', async (method, path, status, allow) => {
    const response = await request(path, { method });
    expect(response.headers.get('Allow')).toBe(allow);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      code: allow === null ? 404 : 405,
      message: allow === null ? 'Not Found' : `Method Not Allowed: send ${allow.replaceAll(', ', ' or ')}.`,
      success: false,
    });
  });

  test('is not said of one that a path takes and its guard refuses', async () => {
    const response = await request('/thumb/paper.example/AAAAAAAAAAAAAAAAAAAAAA/480?of=https%3A%2F%2Fa.example%2Fb');
    expect([response.status, response.headers.get('Allow')]).toEqual([404, null]);
  });
});

describe('headers', () => {
  test('any client may read a list, and no cache may keep one that needs a secret', async () => {
    const secret = await request(`/v2/analytics/posts?apikey=paper.example&secret=${room.secret}`);
    expect(secret.headers.get('Cache-Control')).toBe('private, no-store');
    expect(secret.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(secret.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    const open = await request('/v2/top/posts?apikey=paper.example');
    expect(open.headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/);
    const refused = await request('/v2/top/posts?apikey=paper.example&days=0');
    expect(refused.headers.get('Cache-Control')).toBe('private, no-store');
  });

  test('a page that isolates itself may load a list, as JSON, as a script, and from memory', async () => {
    for (const query of ['days=2', 'days=2', 'days=2&callback=show', 'days=0']) {
      const { headers } = await request(`/v2/top/posts?apikey=paper.example&${query}`);
      expect([query, headers.get('Cross-Origin-Resource-Policy')]).toEqual([query, 'cross-origin']);
      expect([query, headers.get('X-Content-Type-Options')]).toEqual([query, 'nosniff']);
      expect([query, headers.get('Timing-Allow-Origin')]).toEqual([query, '*']);
    }
  });

  test('what is stored of a post may be read by a page of any origin, and written by none', async () => {
    const stored = `/v2/metadata/post?apikey=paper.example&secret=${room.secret}&url=https%3A%2F%2Fpaper.example%2Fa`;
    const allowed = async (path: string, init?: RequestInit) => {
      const { status, headers } = await request(path, init);
      return [status, headers.get('Access-Control-Allow-Origin'), headers.get('Access-Control-Allow-Methods')];
    };
    const preflight = (method: string) => ({ method: 'OPTIONS', headers: { 'Access-Control-Request-Method': method } });
    expect(await allowed(stored)).toEqual([200, '*', null]);
    expect(await allowed('/v2/metadata/post', preflight('GET'))).toEqual([204, '*', 'GET, OPTIONS']);
    expect((await allowed('/v2/metadata/posts', { method: 'POST' }))[1]).toBeNull();
    expect((await allowed('/v2/metadata/posts', preflight('POST')))[1]).toBeNull();
  });

  test('a browser may ask before it asks', async () => {
    const response = await request('/v2/top/posts', { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });
});

test('too deep a page is named beside everything else that is wrong', async () => {
  const query = `apikey=paper.example&secret=${room.secret}&limit=2000&page=2&sort=nothing`;
  const answer = (await (await request(`/v2/analytics/posts?${query}`)).json()) as { message: string };
  expect(answer.message).toBe('Bad parameters: page, sort');
});

test('a browser that opens the server is shown the reference', async () => {
  const response = await request('/', { redirect: 'manual' });
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/docs']);
});

test('links are absolute, on the public origin, and replay the request', async () => {
  const query = `apikey=paper.example&secret=${room.secret}&limit=1&section=&boost=a%20b`;
  const { links } = (await (await request(`/v2/analytics/posts?${query}`)).json()) as { links: { first: string } };
  const first = new URL(links.first);
  expect(first.origin + first.pathname).toBe('https://stats.example/v2/analytics/posts');
  expect(Object.fromEntries(first.searchParams)).toEqual({
    apikey: 'paper.example',
    secret: room.secret,
    limit: '1',
    section: '',
    boost: 'a b',
    page: '1',
  });
});
