// What the reference document says is what happens: HTTP statuses and media types of answers, look-backs, and names of metrics.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApi } from '../../server/reference/openapi.ts';
import { errorSchema } from '../../server/reference/recordSchemas.ts';
import { LIST_SERIES_METRICS } from '../../server/traffic/ledger/question.ts';
import { METRIC_NAMES } from '../../server/traffic/metrics.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { A, openSmallPaper } from '../support/smallPaper.ts';

let room: Newsroom;
let document: OpenApi;

beforeAll(async () => {
  room = await openSmallPaper();
  document = (await (await room.app.request('http://stats.example/openapi.json')).json()) as OpenApi;
});

afterAll(() => room.close());

type Declared = { headers?: Record<string, object>; content?: Record<string, object> };

const SITE = 'apikey=paper.example';
const url = encodeURIComponent(A);
const event = { idsite: 'paper.example', action: 'pageview', url: A };
const batch = (count: number) => JSON.stringify({ events: Array(count).fill(event) });

const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({ method: 'POST', body, headers });

test.each<[operation: string, target: string, status: number, init?: RequestInit]>([
  ['get /', '/', 302],
  ['get /docs', '/docs', 200],
  ['get /v2/top/posts', `/v2/top/posts?${SITE}`, 200],
  ['get /v2/top/posts', `/v2/top/posts?${SITE}&callback=show`, 200],
  ['get /v2/search', '/v2/search?apikey=other.example&q=a&callback=show', 200],
  ['get /v2/fragment/related', `/v2/fragment/related?${SITE}&url=${url}`, 200],
  ['get /v2/fragment/related', `/v2/fragment/related?${SITE}&url=x`, 422],
  ['get /v2/fragment/top', '/v2/fragment/top?apikey=other.example', 403],
  ['post /events', '/events', 200, post(batch(1))],
  ['post /events', '/events', 413, post('x'.repeat(600_000))],
  ['post /events', '/events', 415, post(batch(1), { 'Content-Encoding': 'gzip' })],
  ['post /events', '/events', 422, post(batch(2001))],
  ['post /mobileproxy', '/mobileproxy', 200, post(batch(2001))],
  ['post /mobileproxy', '/mobileproxy', 415, post(batch(1), { 'Content-Encoding': 'br' })],
  ['get /plogger', '/plogger', 200],
  [
    'get /thumb/{apikey}/{signature}/{size}',
    '/thumb/paper.example/AAAAAAAAAAAAAAAAAAAAAA/480?of=https%3A%2F%2Fa.example%2Fb',
    404,
  ],
  ['get /api/{apikey}/jess/sdk_config', '/api/paper.example/jess/sdk_config/', 200],
  ['get /api/{apikey}/jess/sdk_config', '/api/paper.example/jess/sdk_config/?callback=show', 200],
  ['get /api/{apikey}/jess/sdk_config', '/api/other.example/jess/sdk_config/', 404],
  ['get /preview/page', `/preview/page?${SITE}`, 200],
  ['get /preview/page', '/preview/page?apikey=other.example', 200],
  ['get /preview/own/page', `/preview/own/page?${SITE}`, 200],
])('%s: %s is answered %i, as the document says', async (operation, target, status, init = {}) => {
  const [method = '', path = ''] = operation.split(' ');
  const response = await room.app.request(`http://stats.example${target}`, init);
  const type = response.headers.get('Content-Type')?.split(';')[0];
  const declared = document.paths[path]![method]!.responses as Record<string, Declared>;
  expect([response.status, Object.keys(declared)]).toEqual([status, expect.arrayContaining([String(status)])]);
  if (type !== undefined && status !== 302) expect(Object.keys(declared[status]!.content ?? {})).toContain(type);
  if (type === 'application/json' && status >= 400) errorSchema.parse(await response.json());
});

test('what a client has already is answered with 304, as the document says', async () => {
  for (const [path, more] of [
    ['/v2/top/posts', ''],
    ['/v2/top/videos', ''],
    ['/v2/related', ''],
    ['/v2/similar', ''],
    ['/v2/search', '&q=a'],
    ['/v2/fragment/related', ''],
    ['/v2/fragment/top', ''],
  ] as const) {
    const target = `http://stats.example${path}?${SITE}${more}`;
    const etag = (await room.app.request(target)).headers.get('ETag')!;
    const again = await room.app.request(target, { headers: { 'If-None-Match': etag } });
    expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
    expect([path, Object.keys(document.paths[path]!.get!.responses)]).toEqual([path, expect.arrayContaining(['304'])]);
  }
});

test('where too much at once has an HTTP status of its own, the document says so, and when to ask again', () => {
  for (const operation of [
    ['/events', 'post'],
    ['/mobileproxy', 'post'],
    ['/plogger', 'get'],
    ['/px', 'get'],
    ['/preview/check', 'get'],
    ['/preview/own', 'get'],
    ['/preview/own/page', 'get'],
    ['/v2/fragment/top', 'get'],
  ] as const) {
    const responses = document.paths[operation[0]]![operation[1]]!.responses as Record<string, Declared>;
    expect([operation, responses[429]?.headers]).toEqual([operation, { 'Retry-After': expect.anything() }]);
    expect([operation, responses[503]?.headers]).toEqual([operation, { 'Retry-After': expect.anything() }]);
  }
});

test('days of lists of posts are of their publication, before now', () => {
  for (const [path, name] of [
    ['/v2/related', 'days'],
    ['/v2/search', 'days'],
    ['/v2/fragment/related', 'days'],
    ['/v2/shares/posts', 'pub_days'],
  ] as const) {
    const { description } = document.paths[path]!.get!.parameters.find((one) => one.name === name)!;
    expect([path, description]).toEqual([path, expect.stringContaining('Published within so many days before now')]);
  }
});

test('days of a look-back have the bound at which a longer period is refused', async () => {
  for (const [path, isRefused] of [
    ['/analytics/posts', true],
    ['/referrers/search', true],
    ['/analytics/post/detail', false],
  ] as const) {
    const ask = async (days: string) => (await room.ask(path, { days, url: A })).success;
    const { description } = document.paths[
      path === '/referrers/search' ? '/v2/referrers/{type}' : `/v2${path}`
    ]!.get!.parameters.find(({ name }) => name === 'days')!;
    expect([path, await ask('90'), await ask('91')]).toEqual([path, true, !isRefused]);
    expect([path, description.includes('At most 90.')]).toEqual([path, isRefused]);
  }
});

test('the metrics of a series are named, those of lists too', () => {
  const { parameters } = document.paths['/v2/analytics/series']!.get!;
  const { description } = parameters.find(({ name }) => name === 'metrics')!;
  for (const name of [...METRIC_NAMES, ...LIST_SERIES_METRICS]) expect(description).toContain(name);
});
