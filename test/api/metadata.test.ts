// POST /v2/metadata/…: who may write, what the answer says, what reaches the library.
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import type { Library } from '../../server/siteIndex/types.ts';
import type { SiteDirectory } from '../../server/sites/directory.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { openRoutes } from '../support/routes.ts';

const site: Site = {
  id: parseSiteId('example.com')!,
  timezone: 'UTC',
  domains: [],
  features: { top: true, recommendations: true, search: true },
  secretHash: hashSecret('read'),
  writeSecretHash: hashSecret('write'),
  createdAt: 0,
};
const sites: Pick<SiteDirectory, 'find'> = { find: (id) => (parseSiteId(id) === site.id ? site : undefined) };

type Written = { site: string; url: string; change: Parameters<Library['write']>[2] };
let written: Written[] = [];
beforeEach(() => {
  written = [];
});
const library: Pick<Library, 'write'> = {
  async write(id, url, change) {
    written.push({ site: id, url, change });
    return mergeMetadata(undefined, { url, patch: change.patch, now: 0 });
  },
};

const app = openRoutes({ sites: sites as SiteDirectory, library: library as Library, now: () => 0 }, '/v2/metadata');

const JSON_TYPE = { 'Content-Type': 'application/json' };
const good = {
  apikey: 'example.com',
  secret: 'write',
  metadata: { canonical_url: 'https://example.com/a', title: 'A' },
};

async function post(
  body: unknown,
  { path = '/v2/metadata/posts', headers = JSON_TYPE as Record<string, string> } = {},
) {
  const response = await app.request(path, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const FORBIDDEN = { code: 403, message: 'Forbidden', success: false };
const DONE = { data: [], success: true };

test('a body may begin with a byte order mark', async () => {
  expect(await post(`\uFEFF${JSON.stringify(good)}`)).toMatchObject({ status: 200, body: DONE });
  const long = { ...good, metadata: { ...good.metadata, full_content: 'long '.repeat(400_000) } };
  expect(await post(`\uFEFF${JSON.stringify(long)}`)).toMatchObject({ status: 200, body: DONE });
  expect(written.map(({ url }) => url)).toEqual([good.metadata.canonical_url, good.metadata.canonical_url]);
});

test('a post is written, and the answer is empty and not cached', async () => {
  const answer = await post(good);
  expect(answer).toMatchObject({ status: 200, body: DONE });
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(written).toEqual([
    {
      site: 'example.com',
      url: 'https://example.com/a',
      change: { patch: { pageType: 'post', title: 'A' }, aliases: [] },
    },
  ]);
});

describe('who may write', () => {
  test.each([
    ['the write secret in the body', good, '', DONE],
    ['another case of the Site ID', { ...good, apikey: 'EXAMPLE.com' }, '', DONE],
    ['the alias of its name', { service: 'example.com', secret: 'write', metadata: good.metadata }, '', DONE],
    ['all in the query', { metadata: good.metadata }, '?apikey=example.com&secret=write', DONE],
    [
      'empty in the body, given in the query',
      { ...good, apikey: '', secret: '' },
      '?apikey=example.com&secret=write',
      DONE,
    ],
    ['the read secret', { ...good, secret: 'read' }, '', FORBIDDEN],
    ['the hash of the secret', { ...good, secret: site.writeSecretHash }, '', FORBIDDEN],
    ['no secret', { ...good, secret: undefined }, '', FORBIDDEN],
    ['a secret that is no text', { ...good, secret: ['write'] }, '', FORBIDDEN],
    ['another site', { ...good, apikey: 'other.example' }, '', FORBIDDEN],
    ['no site', { ...good, apikey: undefined }, '', FORBIDDEN],
    ['a wrong secret, though the metadata is wrong too', { ...good, secret: 'x', metadata: 7 }, '', FORBIDDEN],
  ])('%s', async (_, body, query, expected) => {
    expect((await post(body, { path: `/v2/metadata/posts${query}` })).body).toEqual(expected);
    expect(written).toHaveLength(expected === DONE ? 1 : 0);
  });
});

describe('what is refused', () => {
  test.each<[string, unknown, Record<string, string>, string[]]>([
    ['another content type', good, { 'Content-Type': 'text/plain' }, ['content-type']],
    ['no content type', good, { 'Content-Type': '' }, ['content-type']],
    ['broken JSON', '{"apikey":', JSON_TYPE, ['body']],
    ['an empty body', '', JSON_TYPE, ['body']],
    ['a list', [good], JSON_TYPE, ['body']],
    ['null', 'null', JSON_TYPE, ['body']],
    ['more than fits', { ...good, pad: 'x'.repeat(9 * 1024 * 1024) }, JSON_TYPE, ['body']],
    ['no metadata', { ...good, metadata: undefined }, JSON_TYPE, ['metadata']],
    [
      'several wrong fields',
      { ...good, metadata: { title: 7, tags: 8 } },
      JSON_TYPE,
      ['canonical_url', 'tags', 'title'],
    ],
  ])('%s', async (_, body, headers, fields) => {
    const answer = await post(body, { headers });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      code: 422,
      errors: Object.fromEntries(fields.map((field) => [field, [expect.stringMatching(/^[A-Z].*\.$/)]])),
      message: `Bad parameters: ${fields.join(', ')}`,
      success: false,
    });
    expect(written).toEqual([]);
  });

  test('a compressed body, by name', async () => {
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
    const body = gzipSync(JSON.stringify(good));
    const response = await app.request('/v2/metadata/posts', { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ code: 422, message: 'Bad parameters: content-encoding' });
    expect((await post(good, { headers: { ...JSON_TYPE, 'Content-Encoding': 'identity' } })).body).toEqual(DONE);
  });

  test('a text in another character set: no title is stored with letters replaced', async () => {
    const cafe = { ...good, metadata: { ...good.metadata, title: 'Café \ufffd' } };
    const headers = { 'Content-Type': 'application/json; charset=iso-8859-1' };
    const body = Buffer.from(JSON.stringify({ ...cafe, metadata: { ...cafe.metadata, title: 'Café' } }), 'latin1');
    const response = await app.request('/v2/metadata/posts', { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ code: 422, errors: { body: ['Send the body as UTF-8.'] } });
    expect(written).toEqual([]);
    expect((await post(cafe)).body).toEqual(DONE);
  });

  test('a type with parameters is JSON all the same', async () => {
    expect((await post(good, { headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' } })).body).toEqual(DONE);
  });
});

describe('a body that is large', () => {
  const MIB = 1024 * 1024;
  /** Sends a body in parts. @returns The answer, and how many bytes were taken of it. */
  async function stream(start: string, padding: number, query = '') {
    const parts = [start, ...Array.from({ length: padding / 65_536 }, () => ' '.repeat(65_536)), '"":0}'];
    let taken = 0;
    const body = new ReadableStream({
      pull(controller) {
        const part = parts.shift();
        if (part === undefined) return controller.close();
        taken += part.length;
        controller.enqueue(new TextEncoder().encode(part));
      },
    });
    const init = { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' } as RequestInit;
    const response = await app.request(`/v2/metadata/posts${query}`, init);
    return { body: await response.json(), taken };
  }
  const whole = `${JSON.stringify(good).slice(0, -1)},`;

  test('is read to a megabyte without the secret', async () => {
    for (const start of ['{"apikey":"example.com",', '{"apikey":"example.com","secret":"wrong",', '{']) {
      const answer = await stream(start, 7 * MIB);
      expect(answer.body).toEqual(FORBIDDEN);
      expect(answer.taken).toBeLessThanOrEqual(MIB + 4 * 65_536);
    }
    expect(written).toEqual([]);
  });

  test('is read whole with it, in the body or in the query', async () => {
    expect((await stream(whole, 6 * MIB)).body).toEqual(DONE);
    const metadata = `{"metadata":${JSON.stringify(good.metadata)},`;
    expect((await stream(metadata, 6 * MIB, '?apikey=example.com&secret=write')).body).toEqual(DONE);
    expect(written).toHaveLength(2);
  });

  test('may name the secret anywhere in its first megabyte', async () => {
    const long = { ...good.metadata, full_content: 'word '.repeat(100_000) };
    expect((await post({ metadata: long, apikey: good.apikey, secret: good.secret })).body).toEqual(DONE);
  });

  test.each([
    ['many names', `"x":{${Array.from({ length: 30_000 }, (_, n) => `"${n}":0`)}}`],
    ['many values', `"x":[${'0,'.repeat(30_000)}0]`],
    ['many levels', `"x":${'['.repeat(100)}${']'.repeat(100)}`],
  ])('of %s is refused', async (_, field) => {
    expect((await post(`${whole}${field}}`)).body).toMatchObject({ message: 'Bad parameters: body' });
    expect((await post(`{${field}}`)).body).toMatchObject({ success: false });
    expect(written).toEqual([]);
  });
});

describe('a secret is found in the body as JSON.parse would find it', () => {
  const { metadata } = good;
  test.each([
    ['behind other fields', `{"metadata":${JSON.stringify(metadata)},"apikey":"example.com","secret":"write"}`],
    ['with spaces', `  {  "apikey" :\n"example.com" ,\t"secret": "write","metadata":${JSON.stringify(metadata)}}`],
    [
      'escaped',
      `{"\\u0061pikey":"ex\\u0061mple.com","secre\\u0074":"writ\\u0065","metadata":${JSON.stringify(metadata)}}`,
    ],
    [
      'behind quotes',
      `{"a":"\\"\\\\","b":"\\\\\\"secret","apikey":"example.com","secret":"write","metadata":${JSON.stringify(metadata)}}`,
    ],
    [
      'twice, the last one',
      `{"apikey":"example.com","secret":"x","secret":"write","metadata":${JSON.stringify(metadata)}}`,
    ],
  ])('%s', async (_, body) => {
    expect(JSON.parse(body)).toMatchObject({ apikey: 'example.com', secret: 'write' });
    expect((await post(body)).body).toEqual(DONE);
  });

  test.each([
    ['in an object', `{"apikey":"example.com","metadata":{"secret":"write"}}`],
    ['in a list', `{"apikey":"example.com","metadata":["secret","write"],"x":{}}`],
    ['in a text', `{"apikey":"example.com","metadata":"\\",\\"secret\\":\\"write\\""}`],
    ['twice, the first one', `{"apikey":"example.com","secret":"write","secret":"x","metadata":{}}`],
  ])('not %s', async (_, body) => {
    expect((await post(body)).body).toEqual(FORBIDDEN);
  });
});

test('videos are videos', async () => {
  await post(good, { path: '/v2/metadata/videos' });
  expect(written[0]?.change.patch.pageType).toBe('video');
});

test.each(['/v2/metadata/authors', '/v2/metadata/posts/x', '/v2/metadata'])('%s does not exist', async (path) => {
  expect((await app.request(path, { method: 'POST', headers: JSON_TYPE, body: '{}' })).status).toBe(404);
});
