// The reference document: nothing is missing from it, and answers are what it says they are.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../server/app.ts';
import { patternOf } from '../../server/http/mount.ts';
import type { OpenApi } from '../../server/reference/openapi.ts';
import { envelopeOf, errorSchema, type RecordName } from '../../server/reference/recordSchemas.ts';
import { createReadSecret, hashSecret } from '../../server/sites/secrets.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { A, openSmallPaper } from '../support/smallPaper.ts';

let room: Newsroom;
let document: OpenApi;

const ofPartner = createReadSecret();
beforeAll(async () => {
  room = await openSmallPaper();
  await room.deps.partners.add({ name: 'acme', secretHash: hashSecret(ofPartner), createdAt: room.deps.now() });
  document = (await (await room.app.request('http://stats.example/openapi.json')).json()) as OpenApi;
});

afterAll(() => room.close());

test('every route of the application is in the list, and every listed one in the document', () => {
  const listed = ROUTES.map((route) => `${route.method} ${patternOf(route)}`);
  const answering = room.app.routes.filter(({ method }) => method !== 'ALL' && method !== 'OPTIONS');
  expect(answering.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(listed.sort());
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const unlisted = ROUTES.filter(({ endpoint }) => endpoint.unlisted).map(({ path }) => path);
  // The first one is documented by its protocol.
  expect(unlisted.filter((path) => !path.startsWith('/console'))).toEqual([
    '/mcp',
    '/unsubscribe',
    '/unsubscribe',
    '/openapi.json',
  ]);
  expect(described).toHaveLength(ROUTES.length - unlisted.length);
  for (const path of unlisted) expect(Object.keys(document.paths)).not.toContain(path);
});

test('every parameter of a path is described', () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const { parameters } of Object.values(methods)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect([path, inPath.map(({ name }) => name)]).toEqual([path, named]);
      for (const parameter of parameters) expect([path, parameter.name, parameter.description]).not.toContain('');
    }
});

test('every body has an example where tools look for one', () => {
  const bodies = Object.entries(document.paths).flatMap(([path, { post }]) =>
    post?.requestBody === undefined ? [] : [[path, post.requestBody.content['application/json']] as const],
  );
  expect(bodies.length).toBeGreaterThan(8);
  for (const [path, { schema, example = {} }] of bodies) {
    const { required = [] } = schema as { required?: string[] };
    expect([path, Object.keys(example)]).toEqual([path, expect.arrayContaining(required)]);
  }
});

test('each described field of metadata is refused by its name when it is wrong', async () => {
  const { schema } = document.paths['/v2/metadata/{kind}']!.post!.requestBody!.content['application/json'];
  const { metadata } = (schema as { properties: { metadata: { properties: object } } }).properties;
  const names = Object.keys(metadata.properties);
  expect(names.length).toBeGreaterThan(12);
  for (const name of names) {
    const response = await room.app.request('http://stats.example/v2/metadata/posts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        apikey: room.site.id,
        secret: room.writeSecret,
        metadata: { canonical_url: A, [name]: name === 'custom_metadata' ? [1] : { no: 'value' } },
      }),
    });
    const { errors } = (await response.json()) as { errors?: object };
    expect([name, Object.keys(errors ?? {})]).toEqual([name, [name]]);
  }
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
  expect(security).toEqual([
    { site: [], secret: [] },
    { site: [], bearer: [] },
  ]);
  expect(document.paths['/v2/analytics/{meta}/{value}/detail']!.get!.parameters.slice(0, 2)).toMatchObject([
    { name: 'meta', in: 'path', required: true },
    { name: 'value', in: 'path', required: true },
  ]);
  expect(document.paths['/v2/similar']!.get!.deprecated).toBe(true);
});

test('where a secret may be in a header, the document says so', () => {
  const securityOf = (path: string, method: string) => document.paths[path]![method]!.security;
  const either = [{ secret: [] }, { bearer: [] }];
  expect(securityOf('/v2/metadata/{kind}', 'post')).toEqual([{}, { bearer: [] }]);
  expect(securityOf('/v2/crawl', 'get')).toEqual(either);
  expect(securityOf('/api/{partner}/settings/apikeys', 'get')).toEqual(either);
  expect(securityOf('/docs', 'get')).toEqual([]);
  // One that is in the header need not be in the address, too.
  for (const methods of Object.values(document.paths))
    for (const { security, parameters } of Object.values(methods))
      expect(security.length === 0 || parameters.every(({ name }) => name !== 'secret')).toBe(true);
});

test('what only leads elsewhere is never answered with 200', () => {
  expect(Object.keys(document.paths['/']!.get!.responses)).toEqual(['302', '500', '503']);
});

test('a list as HTML names every status it is answered with, that of a limited rate too', () => {
  for (const kind of ['related', 'top']) {
    const { responses } = document.paths[`/v2/fragment/${kind}`]!.get!;
    expect(Object.keys(responses)).toEqual(['200', '304', '403', '422', '429', '500', '503']);
    expect(responses[429]).toMatchObject({ headers: { 'Retry-After': { schema: { type: 'integer' } } } });
  }
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
    ['/analytics/now', {}, 'Now'],
    ['/analytics/setup', {}, 'SetUp'],
    ['/analytics/setup/posts', {}, 'ContentAudit'],
    ['/analytics/post/detail', { url: A }, 'PostDetail'],
    ['/analytics/author/Bob/detail', {}, 'Post'],
    ['/realtime/posts', {}, 'Post'],
    ['/referrers/search', {}, 'Referrer'],
    ['/referrers/post/detail', { url: A }, 'Referrer'],
    ['/referrers/search/posts', {}, 'Post'],
    ['/shares/posts', {}, 'SharedPost'],
    ['/shares/authors', {}, 'SharedAuthor'],
    ['/shares/sections', {}, 'SharedSection'],
    ['/shares/tags', {}, 'SharedTag'],
    ['/shares/post/detail', { url: A }, 'Shares'],
    ['/conversions/url', {}, 'Conversion'],
    ['/conversions/url/top', {}, 'Conversion'],
    ['/lists', {}, 'ListFigures'],
    ['/lists', { group: 'post' }, 'ListFigures'],
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
    expect(html).not.toMatch(/<script|src=|@import|url\(|https?:\/\/(?!stats\.example|example\.com\/an-article)/);
  });

  let customers = 0;
  test('its examples work once a reader’s own site and secrets stand in them', async () => {
    const { site, secret, writeSecret, app } = room;
    const customer = `customer-${++customers}.example`;
    const html = await (await app.request('http://stats.example/docs')).text();
    const lines = [...html.matchAll(/<pre>(.*?)<\/pre>/gs)].map(([, line = '']) => unescaped(line));
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines) {
      const own = line
        .replaceAll('WRITESECRET', writeSecret)
        .replaceAll('SECRET', line.includes('/api/acme/') ? ofPartner : secret)
        .replaceAll('customer.example.com', customer)
        .replaceAll('example.com', site.id);
      const { url, ...request } = asPasted(own);
      const response = await app.request(url, request);
      const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
      const { success } = isJson
        ? ((await response.json()) as { success: boolean })
        : { success: response.status < 400 };
      expect([line, success]).toEqual([line, true]);
    }
  });

  test('says what is taken where nothing is said, of every period, and every field of a body', async () => {
    const html = await (await room.app.request('http://stats.example/docs')).text();
    const section = (id: string) => html.split(`<h3 id="${id}">`)[1]!.split('</article>')[0]!;
    expect(section('get-v2-analytics-posts')).toContain('Default: 3 days ago. At most 90 days before the end.');
    expect(section('get-v2-analytics-post-detail')).toContain('Default: 90 days ago. What lies more than 90 days back');
    expect(section('get-v2-analytics-meta-value-detail')).toContain('Default: 14 days ago.');
    expect(section('get-v2-shares-posts')).toContain('Default: all shares');
    const metadata = section('post-v2-metadata-kind-');
    for (const name of ['apikey', 'metadata.canonical_url', 'metadata.urls', 'metadata.custom_metadata'])
      expect(metadata).toContain(`<code>${name}</code>`);
    expect(section('post-events')).toContain('<code>events[].idsite</code>');
  });
});

/** Characters of HTML as they are read. */
const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** What a shell makes of the line. */
function asPasted(line: string): { url: string } & RequestInit {
  const [, verb, url, type, body] =
    /^curl (?:-X ([A-Z]+) )?'([^']+)'(?: -H 'Content-Type: ([^']+)' -d '([^']+)')?$/.exec(line) ?? [];
  if (url === undefined) throw new Error(`No command: ${line}`);
  if (body === undefined) return { url, method: verb ?? 'GET' };
  return { url, method: verb ?? 'POST', headers: { 'Content-Type': type! }, body };
}
