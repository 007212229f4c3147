// A big site is loaded by a thread of its own: what is written meanwhile counts, and a thread that fails costs nothing but time.
import { copyFileSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import type { Post, PostPatch } from '../../server/posts/post.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { Store } from '../../server/storage/store.ts';
import { migratedScratch, type Scratch, silent } from '../storage/scratch.ts';

const POSTS = 1100;
/** As it was built. */
const THREAD = new URL('../../dist/server/indexThread.js', import.meta.url);
const BUILT = fileURLToPath(new URL('.', THREAD));
const site = parseSiteId('aside.example')!;
const at = (name: number | string) => `https://aside.example/${name}`;

let place: Scratch;
let store: Store;
let library: LoadedLibrary;
let clock = Date.UTC(2026, 5, 1);
const now = () => clock++;

beforeAll(async () => {
  place = await migratedScratch();
  store = await openStore({ engine: place.engine, log: silent, now });
  const stories = Array.from({ length: POSTS }, (_, number) => story(number));
  await store.posts.save(site, stories);
});
afterEach(() => library.close());
afterAll(async () => {
  await store.close();
  place.remove();
});

/** Ten stories each are about the same. */
function story(number: number): Post {
  const about = Array.from({ length: 30 }, (_, place) => `w${Math.floor(number / 10)}x${place}`);
  const patch: PostPatch = {
    pageType: 'post',
    title: `Story ${about[number % 10]}`,
    fullContent: `${about.join(' ')} own${number}`,
    section: `section ${number % 5}`,
    authors: [`author ${number % 40}`],
    tags: [],
    pubDate: Date.UTC(2026, 4, 1 + (number % 28)),
    language: 'en',
  };
  return mergeMetadata(undefined, { url: at(number), patch, by: 'page', now: 1 });
}

const open = (thread: URL | undefined, posts: Partial<Store['posts']> = {}) =>
  createLibrary({
    store: { ...store, posts: { ...store.posts, ...posts } },
    now,
    log: silent,
    ...(thread && { thread }),
  });

const everyone = { filters: {}, excluded: new Set<string>(), sort: 'score' as const, limit: 20, page: 1 };
const related = (url: string) => library.recommend(site, { ...everyone, url, respectEmpty: true });
const found = (query: string) => library.search(site, { ...everyone, query });
const urlsOf = (posts: readonly { url: string }[]) => posts.map(({ url }) => url).sort();

/** What a reader of some posts is recommended, with all scores. */
async function answers() {
  const asked = Array.from({ length: 50 }, (_, i) => i * 22);
  return {
    related: await Promise.all(asked.map((number) => related(at(number)))),
    found: await Promise.all(asked.map((number) => found(`w${Math.floor(number / 10)}x3 author`))),
    phrase: await found('"w7x3 w7x4"'),
    cards: await library.cards(site, asked.map(at)),
    size: library.sizes().posts,
  };
}

/** Of the posts as they are stored now. */
async function answersWithout() {
  library = open(undefined);
  const told = await answers();
  await library.close();
  return told;
}

/** The same for tests that change no post, computed once. */
let toldWithout: ReturnType<typeof answersWithout> | undefined;
const unchangedAnswers = () => (toldWithout ??= answersWithout());

test('it answers, finds and shows what it would without one', async () => {
  const expected = await answersWithout();
  expect(expected.related.every((posts) => posts.length > 5)).toBe(true);
  library = open(THREAD, { stream: neverAsked });
  expect(await answers()).toEqual(expected);
  // And continues from there.
  await library.write(site, at('newcomer'), { patch: { ...story(70), title: 'A newcomer of quaggas' } });
  expect(urlsOf(await found('quaggas'))).toEqual([at('newcomer')]);
  expect(urlsOf(await related(at('newcomer')))).toContain(at(72));
  await library.remove(site, [at('newcomer')]);
  expect(await found('quaggas')).toEqual([]);
});

test('what is written, renamed and removed while the thread reads is as it was written', async () => {
  const changed = 'Okapis graze where nobody looks for them';
  const meanwhile = async () => {
    await library.write(site, at(5), { patch: { title: changed, fullContent: changed } });
    await library.write(site, at('new'), { patch: { ...story(20), title: 'A new one of okapis' } });
    await library.remove(site, [at(31)]);
    await library.write(site, at(32), { patch: {}, aliases: [at(33)] });
    // The last of all addresses: the thread has not come to it.
    await library.write(site, at(999), { patch: { title: 'Okapis at the end' } });
  };
  library = open(THREAD, {
    stream: neverAsked,
    async *lines(of) {
      let batches = 0;
      for await (const lines of store.posts.lines(of)) {
        yield lines;
        if (++batches === 1) await meanwhile();
      }
    },
  });
  library.warm(site);
  const tell = async () => ({
    okapis: urlsOf(await found('okapis')),
    related: await Promise.all([0, 20, 30, 32, 990, 'new'].map(async (name) => urlsOf(await related(at(name))))),
    alias: await library.resolve(site, at(33)),
    cards: await library.cards(site, [at(5), at(31), at(33), at('new')]),
    size: library.sizes().posts,
  });
  const told = await tell();
  expect(told.okapis).toEqual([at(5), at('new'), at(999)].sort());
  expect(told.alias).toBe(at(32));
  expect(told.cards.map(({ title }) => title)).toEqual([changed, 'A new one of okapis']);
  expect(told.related[1]).toContain(at('new'));
  expect(told.related[2]).not.toContain(at(31));
  await library.close();
  library = open(undefined);
  expect(await tell()).toEqual(told);
});

const failing = {
  'ends in the middle': 'if (request.method === "take" && ++taken > 1) process.exit(1); reply(request);',
  'says that it failed': 'if (request.method === "nextPart") fail(request); else reply(request);',
  'makes nothing': 'reply(request);',
  breaks: 'if (request.method === "take") throw new Error("broken"); reply(request);',
};

test.each(['is not there', ...Object.keys(failing)])('a thread that %s costs nothing but time', async (what) => {
  const expected = await unchangedAnswers();
  const dir = mkdtempSync(join(place.dir, 'threads-'));
  const file = join(dir, 'thread.mjs');
  if (what in failing) writeFileSync(file, `${FALSE_THREAD} ${failing[what as keyof typeof failing]} });`);
  library = open(pathToFileURL(file));
  expect(await answers()).toEqual(expected);
});

test.each([
  ['tokenizerThread.js', 'ends', 'process.exit(1)'],
  ['tokenizerThread.js', 'breaks', 'throw new Error("broken")'],
  ['searchThread.js', 'ends', 'process.exit(1)'],
  ['searchThread.js', 'says that it failed', 'parentPort.postMessage({ id, error: "no room" })'],
])('a thread whose %s %s costs nothing but time', async (helper, _, deed) => {
  const expected = await unchangedAnswers();
  const dir = mkdtempSync(join(place.dir, 'threads-'));
  for (const name of readdirSync(BUILT)) symlinkSync(join(BUILT, name), join(dir, name));
  // A link is where it leads to: this one must stand beside its false helper.
  const thread = join(dir, 'indexThread.js');
  rmSync(thread);
  copyFileSync(join(BUILT, 'indexThread.js'), thread);
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  library = open(pathToFileURL(thread), { stream: neverAsked });
  // It works as long as its helpers do.
  await answers();
  await library.close();
  const does = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ id }) => { ${deed} });`;
  rmSync(join(dir, helper));
  writeFileSync(join(dir, helper), does);
  library = open(pathToFileURL(thread));
  expect(await answers()).toEqual(expected);
});

/** Answers as the index thread does, and has indexed nothing. */
const FALSE_THREAD = `
  import { parentPort } from 'node:worker_threads';
  let taken = 0;
  const cards = { urls: [], times: new Float64Array(), ends: new Uint32Array(), bytes: new Uint8Array() };
  const results = { begin: { kept: false }, take: cards, nextPart: undefined };
  const reply = ({ id, method }) => parentPort.postMessage({ id, result: results[method] });
  const fail = ({ id }) => parentPort.postMessage({ id, error: 'no room' });
  parentPort.on('message', (request) => { `;

test('a database that goes away meanwhile is reported to the callers that wait, and asked again', async () => {
  let away = true;
  library = open(THREAD, {
    stream: neverAsked,
    async *lines(of) {
      let batches = 0;
      for await (const lines of store.posts.lines(of)) {
        if (away && ++batches === 2) throw new Error('engine away');
        yield lines;
      }
    },
  });
  await expect(related(at(0))).rejects.toThrow('engine away');
  away = false;
  expect((await related(at(0))).length).toBeGreaterThan(5);
});

test('a site of some thousand posts does not wait for the load of one of tens of thousands', async () => {
  const large = parseSiteId('large.example')!;
  let begun = () => {};
  let end = () => {};
  const reading = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  library = open(THREAD, {
    count: async (of) => (of === large ? 50_000 : store.posts.count(of)),
    async *lines(of) {
      if (of !== large) return yield* store.posts.lines(of);
      begun();
      await ended;
    },
  });
  library.warm(large);
  await reading;
  try {
    expect((await related(at(0))).length).toBeGreaterThan(5);
    expect(library.loading().map(({ site: of }) => of)).toEqual([large]);
  } finally {
    end();
  }
});

test('a server that stops does not wait for the thread', async () => {
  let begun = () => {};
  const reading = new Promise<void>((resolve) => {
    begun = resolve;
  });
  library = open(THREAD, {
    stream: neverAsked,
    async *lines(of) {
      for await (const lines of store.posts.lines(of)) {
        yield lines;
        begun();
      }
    },
  });
  library.warm(site);
  await reading;
  await library.close();
});

function neverAsked(): never {
  throw new Error('It was loaded without its thread.');
}
