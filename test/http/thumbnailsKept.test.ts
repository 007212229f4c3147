// Thumbnails beyond one run of the server: on the disk within a bound, over restarts, switched off, and where they cannot be made.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../server/http/etag.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { openDiskCache } from '../../server/thumbnails/diskCache.ts';
import { root } from '../support/build.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { askPicture, openPictureHost, type PictureHost, photograph, postWithPicture } from '../support/pictures.ts';
import { addSite, type StartOptions, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

let host: PictureHost;
let photo: Buffer;
beforeAll(async () => {
  host = await openPictureHost();
  photo = await (await photograph(1200, 800)).jpeg().toBuffer();
});
afterAll(async () => {
  await host.close();
  await removeDataDirs();
});

/** A server while something is done with it. */
async function withServer<T>(options: StartOptions, work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await startServer({ ...options, flags: ['--allow-private-crawl', ...(options.flags ?? [])] });
  try {
    return await work(server);
  } finally {
    await server.kill();
  }
}

/** What `afterword doctor` says of thumbnails. */
async function examine({ dataDir }: TestServer): Promise<{ state: string; says: string; remedy?: string } | undefined> {
  const { stdout } = await runInProcess(['doctor', '--json', '--data', dataDir]);
  return JSON.parse(stdout).find(({ about }: { about: string }) => about === 'thumbnails');
}

describe('after a restart', () => {
  const dataDir = makeDataDir();
  let site: TestSite;
  let path: string;
  let picture: string;
  let bytes: string;

  /** The bytes of a thumbnail; a busy machine answers with the original until it is made. */
  const read = async (url: string): Promise<string> => {
    const answer = await until('the thumbnail is made', async () => {
      const asked = await askPicture(url);
      return asked.status === 200 ? asked : undefined;
    });
    return hashOf(Buffer.from(await answer.arrayBuffer()));
  };

  test('a thumbnail is served from the disk, at the address it had, also where its picture is gone', async () => {
    picture = host.put('/kept.jpg', photo);
    await withServer({ dataDir }, async (server) => {
      site = await addSite(server, 'kept.example');
      const { thumb_url_medium } = await postWithPicture(server, site, { word: 'kept', image_url: picture });
      path = thumb_url_medium.slice(server.url.length);
      bytes = await read(thumb_url_medium);
      expect(await examine(server)).toMatchObject({
        state: 'ok',
        says: expect.stringMatching(/^Made since the start: 1, failed: 0; 0\.\d MiB on the disk\.$/),
      });
    });
    host.put('/kept.jpg', (_, response) => void response.writeHead(404).end());
    await withServer({ dataDir }, async (server) => {
      const again = await postWithPicture(server, site, { word: 'kept' });
      expect(again.thumb_url_medium).toBe(server.url + path);
      expect(await read(again.thumb_url_medium)).toBe(bytes);
      expect(host.asked('/kept.jpg')).toBe(1);
    });
  });

  test('with --thumbnails off records name the picture, and addresses named before lead to it', async () => {
    await withServer({ dataDir, flags: ['--thumbnails', 'off'] }, async (server) => {
      const record = await postWithPicture(server, site, { word: 'kept' });
      expect(record).toMatchObject({ image_url: picture, thumb_url_medium: picture });
      const answer = await askPicture(server.url + path);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, picture]);
      expect((await askPicture(server.url + path.replace('kept.jpg', 'other.jpg'))).status).toBe(404);
    });
  });
});

test('where sharp cannot be loaded the server serves without thumbnails, and its log says what to do', async () => {
  // The same program beside all its dependencies but one.
  const elsewhere = makeDataDir();
  cpSync(join(root, 'dist'), join(elsewhere, 'dist'), { recursive: true });
  mkdirSync(join(elsewhere, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== 'sharp' && name !== '@img')
      symlinkSync(join(root, 'node_modules', name), join(elsewhere, 'node_modules', name));
  writeFileSync(join(elsewhere, 'package.json'), '{"type":"module"}');
  const within = ['sh', '-c', `node=$1; shift 2; exec "$node" ${elsewhere}/dist/server/main.js "$@"`, 'sh'];
  await withServer({ within }, async (server) => {
    const picture = host.put('/plain.jpg', photo);
    const site = await addSite(server, 'plain.example');
    // Named before the machine is known to make none: it leads to the picture.
    const first = await postWithPicture(server, site, { word: 'early', image_url: picture });
    expect(first.thumb_url_medium).toContain('/thumb/');
    expect((await askPicture(first.thumb_url_medium)).headers.get('Location')).toBe(picture);
    const warning = await until('the log says so', () => server.log().find(({ msg }) => String(msg).includes('sharp')));
    expect(warning).toMatchObject({ level: 'warn', why: expect.stringContaining("'sharp'") });
    expect(String(warning.msg)).toContain('npm install sharp');
    expect(await postWithPicture(server, site, { word: 'plain', image_url: picture })).toMatchObject({
      thumb_url_medium: picture,
    });
    expect(await examine(server)).toMatchObject({
      state: 'warning',
      remedy: expect.stringContaining('npm install sharp'),
    });
  });
});

test('without --allow-private-crawl a picture on a private address is not fetched', async () => {
  const server = await startServer();
  try {
    const site = await addSite(server, 'private.example');
    const { port } = new URL(host.origin);
    host.put('/private.jpg', photo);
    for (const [at, name] of ['127.0.0.1', 'localhost', '[::1]', '0x7f000001', '[::ffff:127.0.0.1]'].entries()) {
      const picture = `http://${name}:${port}/private.jpg`;
      const record = await postWithPicture(server, site, { word: `private${'abcde'[at]}`, image_url: picture });
      const answer = await askPicture(record.thumb_url_medium);
      expect([name, answer.status]).toEqual([name, 302]);
    }
    expect(host.asked('/private.jpg')).toBe(0);
  } finally {
    await server.kill();
  }
});

test('the process that makes thumbnails starts with the first picture, has none of the server’s secrets, and is gone with it', async () => {
  const token = 'a-token-of-more-than-16-characters';
  const child = await withServer({ env: { AFTERWORD_METRICS_TOKEN: token } }, async (server) => {
    const children = () => readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim();
    const site = await addSite(server, 'secret.example');
    expect(children()).toBe('');
    const picture = host.put('/secret.jpg', photo);
    await askPicture((await postWithPicture(server, site, { word: 'secret', image_url: picture })).thumb_url_medium);
    const pid = await until('the process runs', () => {
      const [started = ''] = children().split(' ');
      return started && readFileSync(`/proc/${started}/cmdline`, 'utf8').includes('thumbnailProcess') ? started : '';
    });
    expect(readFileSync(`/proc/${server.pid}/environ`, 'utf8')).toContain(token);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(token);
    return pid;
  });
  await until(
    'it is gone',
    () => !existsSync(`/proc/${child}/cmdline`) || readFileSync(`/proc/${child}/cmdline`, 'utf8') === '',
  );
});

describe('the files of thumbnails', () => {
  const log = pino({ level: 'silent' });
  const KIB = Buffer.alloc(1024, 'x');
  const thumbnailOf = (bytes: Buffer) => ({ bytes, checksum: hashOf(bytes) });
  const files = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

  test('stay within their bound: those unused for longest go', async () => {
    const folder = makeDataDir();
    const cache = openDiskCache({ folder, maxBytes: 10 * 1024, now: () => 0, log });
    for (let at = 0; at < 8; at++) await cache.put(`key-${at}`, thumbnailOf(KIB));
    expect(await cache.get('key-0')).toBeDefined();
    for (let at = 8; at < 12; at++) await cache.put(`key-${at}`, thumbnailOf(KIB));
    expect(cache.bytes()).toBeLessThanOrEqual(10 * 1024);
    await cache.close();
    expect(files(folder)).toHaveLength(9);
    expect(await cache.get('key-0')).toBeDefined();
    expect(await cache.get('key-1')).toBeUndefined();
  });

  test('count after a restart, in the order of their last use; what was half-written is removed', async () => {
    const folder = makeDataDir();
    let day = 1;
    const options = { folder, maxBytes: 100 * 1024, now: () => day * 86_400_000, log };
    const before = openDiskCache(options);
    for (const key of ['a1', 'b2', 'c3']) await before.put(key, thumbnailOf(KIB));
    day = 20_000;
    await before.get('a1');
    await before.close();
    writeFileSync(join(folder, 'a1', 'a1.f00.part'), KIB);
    const after = openDiskCache({ ...options, maxBytes: 3 * 1100 });
    expect(await after.get('b2')).toEqual(thumbnailOf(KIB));
    day = 20_001;
    await after.put('d4', thumbnailOf(KIB));
    await after.close();
    expect(
      files(folder)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['a1', 'b2', 'd4']);
  });

  test('that are damaged are made again, never served', async () => {
    const folder = makeDataDir();
    const options = { folder, maxBytes: 100 * 1024, now: () => 0, log };
    const before = openDiskCache(options);
    for (const key of ['torn', 'turned']) await before.put(key, thumbnailOf(KIB));
    await before.close();
    writeFileSync(join(folder, 'to', 'torn'), '');
    writeFileSync(join(folder, 'tu', 'turned'), Buffer.alloc(1024, 'y'));
    writeFileSync(join(folder, 'notes.txt'), 'not ours');
    const cache = openDiskCache(options);
    for (const key of ['torn', 'turned']) expect(await cache.get(key)).toBeUndefined();
    await cache.put('torn', thumbnailOf(KIB));
    expect(await cache.get('torn')).toEqual(thumbnailOf(KIB));
    await cache.close();
  });

  test('that the disk does not give or take are left out, and the log has one line a minute of each', async () => {
    const folder = makeDataDir();
    const lines: { msg: string; more?: number }[] = [];
    const logged = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    let now = 0;
    const cache = openDiskCache({ folder, maxBytes: 100 * 1024, now: () => now, log: logged });
    for (const key of ['one', 'two']) {
      mkdirSync(join(folder, key.slice(0, 2), key), { recursive: true });
      writeFileSync(join(folder, key.slice(0, 2), key, 'in the way'), '');
    }
    for (const key of ['one', 'two']) {
      expect(await cache.get(key)).toBeUndefined();
      await cache.put(key, thumbnailOf(KIB));
    }
    expect(lines.map(({ msg }) => msg)).toEqual([
      'a thumbnail could not be read, and is made again',
      'a thumbnail could not be written, and is made again when it is asked for',
    ]);
    now += 60_000;
    expect(await cache.get('one')).toBeUndefined();
    expect(lines.at(-1)).toMatchObject({ msg: 'a thumbnail could not be read, and is made again', more: 1 });
    await cache.close();
  });
});

test('copies of the server that begin together sign with one key, which restarts keep', async () => {
  const dir = join(makeDataDir(), 'engine');
  await copyEmptyDatabase(dir);
  const options = { engine: { kind: 'embedded', path: dir } as const, log: pino({ level: 'silent' }), now: () => 0 };
  const store = await openStore(options);
  const agreed = await Promise.all(
    ['01', '02', '03', '04'].map((proposed) => store.keys.agree('thumbnails', proposed)),
  );
  expect(new Set(agreed).size).toBe(1);
  await store.close();
  const again = await openStore(options);
  expect(await again.keys.agree('thumbnails', '00')).toBe(agreed[0]);
  expect(await again.keys.agree('another', '00')).toBe('00');
  await again.close();
});
