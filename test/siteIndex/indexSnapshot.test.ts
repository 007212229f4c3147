// The index kept between two starts: read instead of the texts, and never believed where something has changed since.
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import type { Post, PostPatch } from '../../server/posts/post.ts';
import type { RecommendRequest } from '../../server/recommend/request.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import { parseSiteId, type SiteId } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { parsePosts } from '../../server/storage/postRows.ts';
import type { Store } from '../../server/storage/store.ts';
import { migratedScratch, type Scratch, silent } from '../storage/scratch.ts';
import { until } from '../support/until.ts';

const POSTS = 1200;
/** As it was built. */
const THREAD = new URL('../../dist/server/indexThread.js', import.meta.url);

let place: Scratch;
let folder: string;
let store: Store;
/** Each way of loading has a site of its own. */
let site: SiteId;
let thread: URL | undefined;
const at = (number: number | string) => `https://${site}/${number}`;
let clock = Date.UTC(2026, 5, 1);
const now = () => clock++;

beforeAll(async () => {
  place = await migratedScratch();
  folder = join(place.dir, 'indexes');
  store = await openStore({ engine: place.engine, log: silent, now });
});
afterAll(async () => {
  await store.close();
  place.remove();
});

function story(number: number): Post {
  const words = Array.from({ length: 50 }, (_, place) => `w${(number * 31 + place * place * 7) % 900}`);
  const patch: PostPatch = {
    pageType: 'post',
    title: `Story ${number % 300}`,
    fullContent: words.join(' '),
    section: `section ${number % 5}`,
    authors: [`author ${number % 40}`],
    tags: [`tag ${number % 70}`],
    pubDate: Date.UTC(2026, 4, 1 + (number % 28)),
    language: 'en',
  };
  return mergeMetadata(undefined, { url: at(number), patch, by: 'page', now: 1 });
}

const asking = (url: string): RecommendRequest => ({
  url,
  filters: {},
  excluded: new Set(),
  sort: 'score',
  limit: 20,
  page: 1,
  respectEmpty: true,
});

/**
 * A library whose storage counts the texts it gives away, and gives posts in one way only: to a thread, or to none.
 * @param first Done before the cards of posts are given.
 */
function open(first: () => Promise<void> = async () => undefined) {
  const texts = { read: 0 };
  const refuse = () => {
    throw new Error('This is not how it loads.');
  };
  const posts: Store['posts'] = {
    ...store.posts,
    async *cards(of) {
      await first();
      yield* store.posts.cards(of);
    },
    async *cardLines(of) {
      await first();
      yield* store.posts.cardLines(of);
    },
    ...(thread ? { stream: refuse, cards: refuse } : { lines: refuse, cardLines: refuse }),
    async *[thread ? 'lines' : 'stream'](of: SiteId) {
      for await (const batch of thread ? store.posts.lines(of) : store.posts.stream(of)) {
        texts.read += batch instanceof Uint8Array ? [...parsePosts(batch)].length : batch.length;
        yield batch;
      }
    },
    async get(of, urls) {
      const found = await store.posts.get(of, urls);
      texts.read += found.length;
      return found;
    },
  };
  const how = { store: { ...store, posts }, now, log: silent, folder, ...(thread && { thread }) };
  return { library: createLibrary(how), texts };
}

async function answers(library: LoadedLibrary) {
  const asked = Array.from({ length: 60 }, (_, i) => at(i * 20));
  const related = await Promise.all(asked.map((url) => library.recommend(site, asking(url))));
  const cards = await library.cards(site, [at(7), at(1199)]);
  return { related: related.map((found) => found.map(({ url }) => url)), cards, size: library.sizes().posts };
}

async function restarted<T>(work: (library: LoadedLibrary) => Promise<T>): Promise<{ result: T; read: number }> {
  const { library, texts } = open();
  try {
    await library.ready(site);
    const { read } = texts;
    return { result: await work(library), read };
  } finally {
    await library.close();
  }
}

const file = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.index'))!);

describe.each([
  ['in the thread of the server', 'news.example', undefined],
  ['in a thread of its own', 'threads.example', THREAD],
])('loaded %s', (_, host, by) => {
  beforeAll(async () => {
    site = parseSiteId(host)!;
    thread = by;
    const stories = Array.from({ length: POSTS }, (_, number) => story(number));
    await store.posts.save(site, stories);
  });

  test('a start reads texts once; the next one reads none, and answers alike', async () => {
    rmSync(folder, { recursive: true, force: true });
    const first = await restarted(answers);
    expect(first.read).toBe(POSTS);
    expect(first.result.related.filter((found) => found.length > 0).length).toBeGreaterThan(50);
    const second = await restarted(answers);
    expect(second.read).toBe(0);
    expect(second.result).toEqual(first.result);
  });

  test('what was written, renamed and removed since is as storage has it', async () => {
    const added = at('new?id=1');
    const other = { title: 'Rooks', fullContent: 'An endgame of pawns', section: '', authors: [], tags: [] };
    const changed = { ...story(60), ...other, updatedAt: now() };
    const twin = { ...story(40), url: added, title: 'Its twin', updatedAt: now() };
    await store.posts.save(site, [twin, changed]);
    await store.posts.remove(site, [at(80)], now());
    await store.posts.alias(site, at(100), [at(120)], now());
    const { result, read } = await restarted(async (library) => ({
      ...(await answers(library)),
      twins: await library.recommend(site, asking(added)),
      alias: await library.resolve(site, at(120)),
    }));
    expect(read).toBe(2);
    const fresh = createLibrary({ store, now, log: silent });
    expect(result.size).toBe((await answers(fresh)).size);
    expect(await fresh.cards(site, [added])).toMatchObject([{ title: 'Its twin' }]);
    expect(result.alias).toBe(at(100));
    expect(result.twins.length).toBeGreaterThan(0);
    const shown = new Set([...result.related.flat(), ...result.twins.map(({ url }) => url)]);
    for (const gone of [at(80), at(120), at(60)]) expect(shown.has(gone)).toBe(false);
    await fresh.close();
  });

  test('posts written while it loads are neither lost nor overwritten', async () => {
    const { library } = open();
    library.warm(site);
    await library.write(site, at(7), { patch: { title: 'Written meanwhile' } });
    await library.remove(site, [at(9)]);
    await library.ready(site);
    expect(await library.cards(site, [at(7), at(9)])).toMatchObject([{ title: 'Written meanwhile' }]);
    await library.close();
  });

  test('what was written last is there once, and can be removed, where a look for news of other copies met it first', async () => {
    const url = at('news');
    await store.posts.save(site, [{ ...story(40), url, title: 'Zeppelin', updatedAt: now() }]);
    rmSync(folder, { recursive: true, force: true });
    await restarted(answers);
    const { library } = open(() => library.refresh());
    const found = () =>
      library.search(site, { ...asking(''), query: 'Zeppelin' }).then((results) => results.map((one) => one.url));
    await library.ready(site);
    expect(await found()).toEqual([url]);
    await library.remove(site, [url]);
    expect(await found()).toEqual([]);
    await library.close();
  });

  test.each([
    ['cut short', (path: string) => truncateSync(path, 100_000)],
    ['empty', (path: string) => truncateSync(path, 0)],
    [
      'damaged',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes[bytes.length >>> 1]! ^= 255;
        writeFileSync(path, bytes);
      },
    ],
  ])('a file that is %s is not believed: the texts are read again, and it is written anew', async (_, damage) => {
    const before = readFileSync(file()).length;
    damage(file());
    const { result, read } = await restarted(answers);
    expect(read).toBeGreaterThan(POSTS - 10);
    expect(result.related.filter((found) => found.length > 0).length).toBeGreaterThan(50);
    await until('the index is kept again', () => readFileSync(file()).length > before / 2);
    expect((await restarted(answers)).read).toBeLessThan(10);
  });

  test('nothing is kept of a site that is removed', async () => {
    const { library } = open();
    await library.ready(site);
    library.forget(site);
    await until('its file is gone', () => readdirSync(folder).length === 0);
    await library.close();
  });

  test('nothing is kept of a site that is removed while it is loaded', async () => {
    const { library } = open();
    const loading = library.ready(site);
    library.forget(site);
    await loading;
    await library.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
