// The widget's files as a publisher's page gets them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { widgetFiles } from '../../server/http/widgetFiles.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

afterAll(removeDataDirs);

const folder = makeDataDir();
const source = 'console.log("afterword");'.repeat(20);
mkdirSync(join(folder, 'chunks'));
writeFileSync(join(folder, 'afterword.js'), source);
writeFileSync(join(folder, 'afterword.js.br'), brotliCompressSync(source));
writeFileSync(join(folder, 'afterword.js.gz'), gzipSync(source));
writeFileSync(join(folder, 'chunks', 'list-B7x_9kQ2.js'), 'export {};');
writeFileSync(join(folder, 'notes.txt'), 'not for anyone');
mkdirSync(join(folder, '1.2.0-beta.1'));
writeFileSync(join(folder, '1.2.0-beta.1', 'afterword.js'), source);
writeFileSync(join(folder, 'p.js'), source);
const app = widgetFiles(folder);

const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('a page of any site may load it, read it and time it', async () => {
  const response = await get('/afterword.js');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(source);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding',
  });
});

describe('compression, as the client says', () => {
  test.each([
    ['gzip, deflate, br', 'br'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000', null],
    ['', null],
    ['identity', null],
    ['zstd', null],
  ])('%j gets %j', async (accepts, encoding) => {
    const response = await get('/afterword.js', { 'Accept-Encoding': accepts });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    const body = await bytes(response);
    const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
    expect(plain.toString()).toBe(source);
  });
});

test('the loader is asked for again soon, a file named by its hash never', async () => {
  expect((await get('/afterword.js')).headers.get('cache-control')).toBe(
    'public, max-age=300, stale-while-revalidate=3600',
  );
  const hashed = await get('/chunks/list-B7x_9kQ2.js');
  expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('who has the file already gets 304 and no bytes, for each encoding its own tag', async () => {
  const plain = (await get('/afterword.js')).headers.get('etag')!;
  const packed = (await get('/afterword.js', { 'Accept-Encoding': 'br' })).headers.get('etag')!;
  expect(packed).not.toBe(plain);
  for (const tag of [plain, `W/${plain}`, `"x", ${plain}`, '*']) {
    const response = await get('/afterword.js', { 'If-None-Match': tag });
    expect({ tag, status: response.status, body: await response.text() }).toEqual({ tag, status: 304, body: '' });
    expect(response.headers.get('etag')).toBe(plain);
  }
  expect((await get('/afterword.js', { 'If-None-Match': packed })).status).toBe(200);
});

test.each([
  '/notes.txt',
  '/afterword.js.br',
  '/../package.json',
  '/..%2fpackage.json',
  '/%2e%2e/package.json',
  '/chunks/../../package.json',
  '/chunks',
  '/chunks/',
  '/afterword.js/',
  '/afterword.js%00',
])('%s is not there', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('without a build there is nothing, and no error', async () => {
  expect((await widgetFiles(join(folder, 'nowhere')).request('/afterword.js')).status).toBe(404);
});

test('a frozen version is never asked for again', async () => {
  expect((await get('/1.2.0-beta.1/afterword.js')).headers.get('cache-control')).toBe(
    'public, max-age=31536000, immutable',
  );
});

test('older installations find their script under their Site ID', async () => {
  const response = await get('/keys/example.com/p.js');
  expect(await response.text()).toBe(source);
  expect((await get('/keys/p.js')).status).toBe(404);
});
