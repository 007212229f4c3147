// POST /v2/metadata/…: who may write, what the answer says, what reaches the library.
import { Hono } from 'hono';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { metadata } from '../../server/api/metadata.ts';
import type { Library, SiteDirectory } from '../../server/deps.ts';
import { answerErrors } from '../../server/http/errors.ts';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';

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

const app = new Hono();
app.onError(answerErrors(pino({ level: 'silent' })));
app.route('/v2', metadata({ sites, library, now: () => 0 } as Parameters<typeof metadata>[0]));

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

test('a post is written, and the answer is empty and kept by nobody', async () => {
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

  test('a type with parameters is JSON all the same', async () => {
    expect((await post(good, { headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' } })).body).toEqual(DONE);
  });
});

test('videos are videos', async () => {
  await post(good, { path: '/v2/metadata/videos' });
  expect(written[0]?.change.patch.pageType).toBe('video');
});

test.each(['/v2/metadata/authors', '/v2/metadata/posts/x', '/v2/metadata'])('%s does not exist', async (path) => {
  expect((await app.request(path, { method: 'POST', headers: JSON_TYPE, body: '{}' })).status).toBe(404);
});
