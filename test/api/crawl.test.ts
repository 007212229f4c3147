// The article crawl: who may ask for it, how, and for which pages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: Date.now() });
});
afterAll(() => room.close());

const page = 'https://www.paper.example/a';
const queued = (url = page) => ({ data: { url, status: 'queued' }, success: true });
const forbidden = { code: 403, message: 'Forbidden', success: false };

const send = async (path: string, params: Record<string, string>, init?: RequestInit): Promise<unknown> => {
  const response = await room.app.request(`${path}?${new URLSearchParams(params)}`, init);
  expect(response.status).toBe(200);
  return await response.json();
};

const entry = async (url: string) => (await room.deps.store.crawlQueue.get(room.site.id, [url]))[0];

test.each(['GET', 'POST'])('%s at both addresses queues the page', async (method) => {
  const { secret } = room;
  expect(await send('/paper.example/ping_crawl', { secret, url: page }, { method })).toEqual(queued());
  expect(await send('/v2/crawl', { apikey: 'PAPER.example', secret, url: page }, { method })).toEqual(queued());
  expect(await entry(page)).toMatchObject({ requested: true, due: expect.any(Number) });
});

test('the parameters may stand in the body, as JSON or as a form', async () => {
  const fields = { apikey: 'paper.example', secret: room.writeSecret, url: page };
  expect(await send('/v2/crawl', {}, { method: 'POST', body: JSON.stringify(fields) })).toEqual(queued());
  expect(await send('/v2/crawl', {}, { method: 'POST', body: new URLSearchParams(fields).toString() })).toEqual(
    queued(),
  );
});

test.each([
  ['true', true],
  ['1', 1],
])('a dry run that the JSON of a body asks for as %s queues nothing', async (_, dry_run) => {
  const url = `${page}-dry-${typeof dry_run}`;
  const ask = (fields: object) =>
    send(
      '/v2/crawl',
      {},
      {
        method: 'POST',
        body: JSON.stringify({ apikey: 'paper.example', secret: room.writeSecret, url, ...fields }),
      },
    );
  expect(await ask({ dry_run })).toEqual({ data: { url, status: 'would be queued' }, success: true });
  expect(await ask({ dry_run: 'perhaps' })).toMatchObject({ errors: { dry_run: ['Give 1 or 0.'] } });
  expect(await ask({ dry_run: [true] })).toMatchObject({ errors: { dry_run: ['Give 1 or 0.'] } });
  expect(await entry(url)).toBeUndefined();
  expect(await ask({ dry_run: null })).toEqual(queued(url));
});

test('an address is queued without its tracking parameters', async () => {
  const url = `${page}?id=1&utm_source=mail#top`;
  expect(await send('/v2/crawl', { apikey: 'paper.example', secret: room.secret, url })).toEqual(
    queued(`${page}?id=1`),
  );
});

test.each([
  ['no secret', {}],
  ['a wrong secret', { secret: 'x'.repeat(43) }],
  ['an unknown site', { apikey: 'other.example' }],
])('%s is forbidden', async (_, change: Record<string, string>) => {
  const right = { apikey: 'paper.example', url: page, ...('apikey' in change && { secret: room.secret }) };
  expect(await send('/v2/crawl', { ...right, ...change })).toEqual(forbidden);
  const { apikey, ...rest } = { ...right, ...change };
  expect(await send(`/${apikey}/ping_crawl`, rest)).toEqual(forbidden);
});

test.each([
  ['nothing', undefined, 'This parameter is required.'],
  ['a path', '/a', 'Give an absolute http or https URL.'],
  ['a file', 'file:///etc/passwd', 'Give an absolute http or https URL.'],
  ['a page of another site', 'https://evil.example/', 'Give the address of a page of paper.example.'],
  ['a machine of our own', 'http://127.0.0.1/', 'Give the address of a page of paper.example.'],
])('%s is refused', async (_, url, sentence) => {
  const params = { apikey: 'paper.example', secret: room.secret, ...(url !== undefined && { url }) };
  expect(await send('/v2/crawl', params)).toEqual({
    code: 422,
    errors: { url: [sentence] },
    message: 'Bad parameters: url',
    success: false,
  });
});

test('broken JSON, and a body too long, are refused by name', async () => {
  const answer = (body: string) => send('/v2/crawl', {}, { method: 'POST', body });
  expect(await answer('{"url"')).toMatchObject({ code: 422, errors: { body: ['Send well-formed JSON.'] } });
  expect(await answer('x'.repeat(70_000))).toMatchObject({ code: 422, errors: { body: [expect.any(String)] } });
});

test('a callback gets a script, at both addresses', async () => {
  for (const path of ['/paper.example/ping_crawl', '/v2/crawl']) {
    const params = new URLSearchParams({ apikey: 'paper.example', secret: room.secret, url: page, callback: 'done' });
    const response = await room.app.request(`${path}?${params}`);
    expect(await response.text()).toBe(`/**/done(${JSON.stringify(queued())});`);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  }
});
