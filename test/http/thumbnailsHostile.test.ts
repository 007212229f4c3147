// Hostile pictures on the built server: none ends it, holds its event loop, fills the memory, or is served as what it is not.
// AFTERWORD_TEST_RUNS=1000 takes that many.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeDataDirs } from '../support/dataDir.ts';
import { type HostilePicture, hostilePictures } from '../support/hostile/pictures.ts';
import { getJson, postJson } from '../support/http.ts';
import { askPicture, openPictureHost, type PictureHost, photograph } from '../support/pictures.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { threadTime } from '../support/threadTime.ts';

const PICTURES = Number(process.env.AFTERWORD_TEST_RUNS ?? 80);
/** Milliseconds of the main thread's processor time. */
const BOUND = 50;
const MIB = 1024 * 1024;
/** Beyond what the server has before: pictures are decoded elsewhere. */
const MOST_GROWTH = 64 * MIB;
/** What the process that decodes ends itself at, and what it may have grown by between two looks. */
const MOST_OF_MAKER = 700 * MIB;

let host: PictureHost;
let server: TestServer;
let site: TestSite;
let pictures: HostilePicture[];
/** Address of the thumbnail of each. */
let thumbnails: string[];

beforeAll(async () => {
  host = await openPictureHost();
  server = await startServer({ flags: ['--allow-private-crawl'] });
  site = await addSite(server, 'hostile.example');
  pictures = await hostilePictures(PICTURES, createRandom(7));
  thumbnails = await publish('hostile', pictures);
});
afterAll(async () => {
  await server?.kill();
  await host?.close();
  await removeDataDirs();
});

/** mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Declares a post with each picture, and reads in the lists where its thumbnail is. */
async function publish(word: string, of: readonly HostilePicture[]): Promise<string[]> {
  const named = new Map<string, string>();
  for (const [at, picture] of of.entries()) {
    const name = `${word}-${at}`;
    const image_url = host.put(`/${name}.jpg`, (_, response) => picture.answer(response));
    const metadata = { canonical_url: `https://hostile.example/${name}`, title: `${word} ${at}`, image_url };
    await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
  }
  interface Found {
    data: { url: string; thumb_url_medium: string }[];
  }
  for (let page = 1; named.size < of.length; page++) {
    const asked = { apikey: site.apikey, q: word, limit: 100, page };
    const { data } = await getJson<Found>(server, '/v2/search', asked);
    expect(data.length).toBeGreaterThan(0);
    for (const { url, thumb_url_medium } of data)
      named.set(url.slice('https://hostile.example/'.length), thumb_url_medium);
  }
  return of.map((_, at) => named.get(`${word}-${at}`)!);
}

/** Bytes, from the kernel's own account of a process. */
function memoryOf(pid: number | string, field: 'VmRSS' | 'VmHWM'): number {
  const [, kib = '0'] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);

/** What came of a picture; throws where it is served as something that it is not. */
async function outcomeOf(answer: Response, original: string): Promise<'picture' | 'none'> {
  if (answer.status === 302) {
    expect(answer.headers.get('location')).toBe(original);
    return 'none';
  }
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('image/webp');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { format, width, height, pages = 1, exif, icc, xmp } = await sharp(bytes).metadata();
  expect([format, pages, exif, icc, xmp]).toEqual(['webp', 1, undefined, undefined, undefined]);
  expect(Math.abs(width / height - 16 / 9)).toBeLessThan(0.3);
  // Nothing behind the picture: its container says how long it is.
  expect(bytes.readUInt32LE(4) + 8).toBe(bytes.length);
  return 'picture';
}

describe.runIf(process.platform === 'linux')('hostile pictures', () => {
  test('become thumbnails or lead to the original, hold the event loop for a moment only, and fill no memory', async () => {
    // What is done once, at the first picture, is not what is measured.
    const plain = await (await photograph(640, 480)).jpeg().toBuffer();
    const [harmless] = await publish('harmless', [
      { kind: 'a photograph', becomes: 'picture', answer: (response) => void response.end(plain) },
    ]);
    expect((await askPicture(harmless!)).status).toBe(200);
    const before = memoryOf(server.pid, 'VmRSS');
    const [wrong, dear] = [[] as string[], [] as string[]];
    const came = { picture: 0, none: 0 };
    let [most, maker] = [0, 0];
    for (const [at, { kind, becomes }] of pictures.entries()) {
      const start = threadTime(server.pid);
      const answer = await askPicture(thumbnails[at]!);
      const cost = threadTime(server.pid) - start;
      const outcome = await outcomeOf(answer, `${host.origin}/hostile-${at}.jpg`);
      came[outcome]++;
      most = Math.max(most, cost);
      if (cost > BOUND) dear.push(`${kind}: ${cost.toFixed(1)} ms`);
      if (becomes !== 'either' && becomes !== outcome) wrong.push(`${kind} became ${outcome}`);
      for (const child of childrenOf(server.pid)) maker = Math.max(maker, memoryOf(child, 'VmHWM'));
    }
    const growth = memoryOf(server.pid, 'VmRSS') - before;
    process.stdout.write(
      `${came.picture} thumbnails, ${came.none} originals; at most ${most.toFixed(1)} ms of the main thread; the server grew by ` +
        `${Math.round(growth / MIB)} MiB, the process that decodes had at most ${Math.round(maker / MIB)} MiB\n`,
    );
    expect(wrong).toEqual([]);
    expect(dear).toEqual([]);
    expect(growth).toBeLessThan(MOST_GROWTH);
    expect(maker).toBeLessThan(MOST_OF_MAKER);
    expect(server.log().filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  });

  test('of slow ones many at once hold up neither lists nor what is ready on the disk, and readers see the originals in time', async () => {
    const slow = Array.from({ length: 30 }, (_, at) => ({
      kind: 'a body that drips',
      becomes: 'none' as const,
      answer: at % 2 === 0 ? drip : () => undefined,
    }));
    const addresses = await publish('slow', slow);
    const ready = thumbnails.find((_, at) => pictures[at]!.kind === 'a JPEG in CMYK')!;
    const answers = addresses.map((address) => askPicture(address));
    const start = performance.now();
    expect((await askPicture(ready)).status).toBe(200);
    expect((await getJson(server, '/v2/search', { apikey: site.apikey, q: 'hostile' })).success).toBe(true);
    const meanwhile = performance.now() - start;
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(30).fill(302));
    // Behind them in time: 5 s are a reader's patience, the others found it spent.
    expect(meanwhile).toBeLessThan(4_000);
  });
});

/** A byte now and then. */
const drip: HostilePicture['answer'] = (response) => {
  response.writeHead(200, { 'Content-Type': 'image/jpeg' });
  const timer = setInterval(() => response.write('\xff', 'latin1'), 200);
  response.once('close', () => clearInterval(timer));
};
