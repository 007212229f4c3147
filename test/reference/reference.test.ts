// The reference document: nothing is missing from it, and answers are what it says they are.
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApi, undescribedRoutes } from '../../server/reference/openapi.ts';
import { OTHER_OPERATIONS } from '../../server/reference/otherOperations.ts';
import { envelopeOf, errorSchema, type RecordName } from '../../server/reference/recordSchemas.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { A, openSmallPaper } from '../support/smallPaper.ts';

let room: Newsroom;
let document: OpenApi;

beforeAll(async () => {
  room = await openSmallPaper();
  document = (await (await room.app.request('http://stats.example/openapi.json')).json()) as OpenApi;
});

afterAll(() => room.close());

test('every route is described, and nothing that is no route', () => {
  expect(undescribedRoutes(room.app)).toEqual([]);
  const routes = room.app.routes.map(({ method, path }) => `${method} ${path}`);
  for (const name of Object.keys(OTHER_OPERATIONS)) expect(routes).toContain(name);
});

test('a new route without a description is noticed', () => {
  const app = new Hono().get('/v2/unheard-of', (c) => c.text(''));
  expect(undescribedRoutes(app)).toEqual(['GET /v2/unheard-of']);
});

test('parameters are those the routes validate with', () => {
  const { parameters, security } = document.paths['/v2/analytics/posts']!.get!;
  const byName = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
  expect(byName.limit).toMatchObject({
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 2000, default: 10 },
  });
  expect(byName.tag).toMatchObject({ schema: { type: 'array', maxItems: 5 } });
  expect(byName.sort?.schema.enum).toContain('recirculation_rate');
  expect(byName.callback).toBeDefined();
  expect(security).toEqual([{ site: [], secret: [] }]);
  expect(document.paths['/v2/analytics/{meta}/{value}/detail']!.get!.parameters.slice(0, 2)).toMatchObject([
    { name: 'meta', in: 'path', required: true },
    { name: 'value', in: 'path', required: true },
  ]);
  expect(document.paths['/v2/similar']!.get!.deprecated).toBe(true);
});

test('every reference within the document leads somewhere', () => {
  const text = JSON.stringify(document);
  for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    expect(document.components).toHaveProperty(['schemas', name!]);
  }
  expect(document.openapi).toBe('3.1.0');
});

describe('answers are what the document says', () => {
  test.each<[string, Record<string, string>, RecordName | undefined]>([
    ['/analytics/posts', { sort: 'avg_engaged' }, 'Post'],
    ['/analytics/authors', {}, 'Author'],
    ['/analytics/sections', {}, 'Section'],
    ['/analytics/tags', {}, 'Tag'],
    ['/analytics/referrers', {}, 'Referrer'],
    ['/analytics/channels', {}, 'Channel'],
    ['/analytics/campaigns', {}, 'Campaign'],
    ['/analytics/segments', {}, 'Segment'],
    ['/analytics/videos', {}, 'Post'],
    ['/analytics/post/detail', { url: A }, 'PostDetail'],
    ['/analytics/author/Bob/detail', {}, 'Post'],
    ['/realtime/posts', {}, 'Post'],
    ['/referrers/search', {}, 'Referrer'],
    ['/referrers/post/detail', { url: A }, 'Referrer'],
    ['/referrers/search/posts', {}, 'Post'],
    ['/shares/posts', {}, 'SharedPost'],
    ['/shares/post/detail', { url: A }, 'Shares'],
    ['/conversions/url', {}, 'Conversion'],
    ['/conversions/url/top', {}, 'Conversion'],
    ['/top/posts', {}, 'TopPost'],
    ['/top/videos', {}, 'TopPost'],
    ['/related', { url: A }, 'Related'],
    ['/validate/secret', {}, undefined],
  ])('%s', async (path, params, record) => {
    const answer = await room.ask(path, params);
    expect(() => envelopeOf(record).parse(answer)).not.toThrow();
    if (record) expect(answer.data.length).toBeGreaterThan(0);
  });

  test.each<[string, Record<string, string>]>([
    ['/analytics/posts', { limit: 'x' }],
    ['/analytics/posts', { secret: 'wrong' }],
    ['/nothing', {}],
  ])('an error of %s %j', async (path, params) => {
    const answer = await room.ask(path, params);
    expect(() => errorSchema.parse(answer)).not.toThrow();
  });
});

describe('the page', () => {
  test('names every endpoint and loads nothing', async () => {
    const response = await room.app.request('http://stats.example/docs');
    const html = await response.text();
    expect(response.headers.get('Content-Type')).toContain('text/html');
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(response.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    for (const path of Object.keys(document.paths)) expect(html).toContain(path);
    expect(html).not.toMatch(/<script|src=|@import|url\(|https?:\/\/(?!stats\.example)/);
  });
});
