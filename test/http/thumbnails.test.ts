// Thumbnails on the built server: named in records, made from the pictures of posts, kept, and refused to who invents addresses.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import {
  askPicture,
  inSize,
  openPictureHost,
  type PictureHost,
  photograph,
  postWithPicture,
} from '../support/pictures.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';

let host: PictureHost;
let server: TestServer;
let site: TestSite;
let photo: Buffer;
beforeAll(async () => {
  host = await openPictureHost();
  server = await startServer({ flags: ['--allow-private-crawl'] });
  site = await addSite(server, 'gallery.example');
  photo = await (await photograph(1600, 900)).jpeg({ quality: 90 }).toBuffer();
});
afterAll(async () => {
  await server.kill();
  await host.close();
  await removeDataDirs();
});

const thumbnailOf = async (word: string, picture: string, more: object = {}): Promise<string> =>
  (await postWithPicture(server, site, { word, image_url: picture, ...more })).thumb_url_medium;

const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

test('a record names a thumbnail on this server, and a browser gets a small WebP of it', async () => {
  const thumbnail = await thumbnailOf('harbour', host.put('/harbour.jpg', photo));
  expect(thumbnail).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/thumb\/gallery\.example\/[\w-]{22}\/480\?of=http%3A%2F%2F/);
  expect(thumbnail.startsWith(`${server.url}/`)).toBe(true);
  const answer = await askPicture(thumbnail);
  const bytes = await bytesOf(answer);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 480, height: 270 });
  expect(bytes.length).toBeLessThan(photo.length / 10);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
  });
  expect(answer.headers.has('set-cookie')).toBe(false);
});

test('it has not changed for who has it already', async () => {
  const thumbnail = await thumbnailOf('anchor', host.put('/anchor.jpg', photo));
  const etag = (await askPicture(thumbnail)).headers.get('etag')!;
  const again = await askPicture(thumbnail, undefined, { 'If-None-Match': etag });
  expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0]);
});

test('a drawing in SVG, of which none is made, is named itself', async () => {
  const drawing = host.put('/drawing.SVG?of=harbour', photo);
  expect(await thumbnailOf('drawing', drawing)).toBe(drawing);
});

test.each([
  ['image/jpeg, */*', 'jpeg'],
  ['*/*', 'jpeg'],
  ['image/webp;q=0, image/jpeg', 'jpeg'],
  ['text/html, image/webp', 'webp'],
])('who accepts %s gets %s', async (accept, format) => {
  const thumbnail = await thumbnailOf('accepted', host.put('/accepted.jpg', photo));
  const answer = await askPicture(thumbnail, accept);
  expect(answer.headers.get('content-type')).toBe(`image/${format}`);
  expect(await sharp(await bytesOf(answer)).metadata()).toMatchObject({ format, width: 480 });
});

test.each([
  ['1', 160, 90],
  ['321', 480, 270],
  ['99999', 960, 540],
  ['320x1.3333', 320, 240],
  ['320x1', 320, 320],
  ['320x0.2', 320, 480],
  ['320x1.7777777777777777', 320, 180],
  ['320x1000', 320, 160],
  ['160x5', 160, 80],
])('the size %s is rounded to %i × %i', async (size, width, height) => {
  const thumbnail = await thumbnailOf('sized', host.put('/sized.jpg', photo));
  const bytes = await bytesOf(await askPicture(inSize(thumbnail, size)));
  expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
});

test('a picture smaller than its thumbnail is not blown up', async () => {
  const small = await (await photograph(200, 200)).png().toBuffer();
  const thumbnail = await thumbnailOf('small', host.put('/small.png', small));
  expect(await sharp(await bytesOf(await askPicture(thumbnail))).metadata()).toMatchObject({ width: 200, height: 113 });
});

test('what draws the eye is in the middle of what is cut out', async () => {
  const face = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#e0603f' } })
    .png()
    .toBuffer();
  const wide = await sharp({ create: { width: 2400, height: 400, channels: 3, background: '#9aa5ad' } })
    .composite([{ input: face, left: 2000, top: 50 }])
    .jpeg()
    .toBuffer();
  const thumbnail = await thumbnailOf('face', host.put('/face.jpg', wide));
  const { channels } = await sharp(await bytesOf(await askPicture(inSize(thumbnail, '320x1')))).stats();
  // Of the grey around it alone, red would be less than blue.
  expect(channels[0]!.mean).toBeGreaterThan(channels[2]!.mean + 50);
});

test('a thumbnail of the publisher’s own stays, and a post without a picture has none', async () => {
  expect(
    await thumbnailOf('own', host.put('/own.jpg', photo), { thumb_url: 'https://cdn.example/own-small.jpg' }),
  ).toBe('https://cdn.example/own-small.jpg');
  expect(await thumbnailOf('bare', '')).toBe('');
});

test('lists of every kind name it on the host they were asked on', async () => {
  const picture = host.put('/everywhere.jpg', photo);
  const thumbnail = await thumbnailOf('everywhere', picture);
  await thumbnailOf('elsewhere', picture);
  const path = thumbnail.slice(server.url.length);
  const asked = { apikey: site.apikey, url: 'https://gallery.example/elsewhere', limit: 50 };
  const byHost = async (origin: string): Promise<string> =>
    JSON.stringify(await getJson({ url: origin }, '/v2/related', asked));
  const local = server.url.replace('127.0.0.1', 'localhost');
  expect(await byHost(server.url)).toContain(`"${server.url}${path}"`);
  expect(await byHost(local)).toContain(`"${local}${path}"`);
  const fragment = async (origin: string): Promise<string> =>
    await (await fetch(`${origin}/v2/fragment/related?apikey=${site.apikey}&url=${asked.url}&limit=25`)).text();
  expect(await fragment(server.url)).toContain(`${server.url}${path.replaceAll('&', '&amp;')}`);
  expect(await fragment(local)).toContain(`${local}${path}`);
});

describe('an address that the server did not name', () => {
  test.each([
    ['of another picture', (url: string) => `${url}x`],
    ['of another site', (url: string) => url.replace('gallery.example', 'other.example')],
    ['of a site that there is not', (url: string) => url.replace('gallery.example', 'none.example')],
    [
      'with a signature that is one letter off',
      (url: string) => url.replace(/\/([\w-])(?=[\w-]{21}\/)/, (_, a) => `/${a === 'A' ? 'B' : 'A'}`),
    ],
    ['with a signature that is cut', (url: string) => url.replace(/\/[\w-]{22}\//, '/AAAA/')],
    ['without a picture', (url: string) => url.replace(/of=.*/, '')],
    ['without a size', (url: string) => inSize(url, 'big')],
    ['of no width', (url: string) => inSize(url, '0')],
    ['of a file', (url: string) => url.replace(/of=.*/, 'of=file%3A%2F%2F%2Fetc%2Fpasswd')],
  ])('%s is not found, and nothing is fetched', async (what, change) => {
    await addSite(server, `other.example`).catch(() => undefined);
    const path = `/forged-${what.replaceAll(' ', '-')}.jpg`;
    const thumbnail = await thumbnailOf('forged', host.put(path, photo));
    host.put(`${path}x`, photo);
    const answer = await askPicture(change(thumbnail));
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect([host.asked(path), host.asked(`${path}x`)]).toEqual([0, 0]);
  });
});

test('of many who ask at once for one thumbnail, one has its picture fetched', async () => {
  const thumbnail = await thumbnailOf('crowd', host.put('/crowd.jpg', photo));
  const answers = await Promise.all(Array.from({ length: 20 }, () => askPicture(thumbnail)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(host.asked('/crowd.jpg')).toBe(1);
});

test('the widths of one picture that are asked for soon after one another take one fetch of it', async () => {
  const thumbnail = await thumbnailOf('widths', host.put('/widths.jpg', photo));
  for (const size of ['160', '320', '640', '160x1'])
    expect((await askPicture(inSize(thumbnail, size))).status).toBe(200);
  expect(host.asked('/widths.jpg')).toBe(1);
});

test('a picture that fails leads to the original, and is left alone for a while', async () => {
  const picture = host.put('/broken.jpg', Buffer.from('<h1>Not found</h1>'));
  const thumbnail = await thumbnailOf('broken', picture);
  for (const size of ['480', '320', '160x1']) {
    const answer = await askPicture(inSize(thumbnail, size));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, picture]);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  }
  expect(host.asked('/broken.jpg')).toBe(1);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^afterword_thumbnails_total\{outcome="no-picture"\} [1-9]/m);
  expect(metrics).toMatch(/^afterword_thumbnails_total\{outcome="resting"\} [1-9]/m);
  expect(metrics).toMatch(/^afterword_thumbnails_total\{outcome="made"\} [1-9]/m);
  expect(metrics).toMatch(/^afterword_thumbnail_bytes [1-9]\d{3}/m);
});

test('a page of ten pictures of 2 MB loads at least 95 % fewer bytes of them', async () => {
  const large = await (await photograph(2600, 1733, 40)).jpeg({ quality: 92 }).toBuffer();
  expect(large.length).toBeGreaterThan(2_000_000);
  const words = Array.from({ length: 10 }, (_, at) => `large${String.fromCharCode(97 + at)}`);
  const sizes = await Promise.all(
    words.map(async (word) => {
      const thumbnail = await thumbnailOf(word, host.put(`/${word}.jpg`, large));
      return (await bytesOf(await askPicture(thumbnail))).length;
    }),
  );
  const [before, after] = [large.length * words.length, sizes.reduce((sum, size) => sum + size, 0)];
  process.stdout.write(`ten pictures: ${before} bytes, as thumbnails of 480 px: ${after} bytes\n`);
  expect(after).toBeLessThan(before * 0.05);
});
