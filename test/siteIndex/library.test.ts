// The library on a real engine: what is written is durable, found under all its addresses, and recommended at once.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { PostPatch } from '../../server/posts/post.ts';
import type { RecommendRequest } from '../../server/recommend/request.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { Store } from '../../server/storage/store.ts';
import { PostIndex } from '../../server/textindex/postIndex.ts';
import { migratedScratch, type Scratch, silent } from '../storage/scratch.ts';
import { until } from '../support/until.ts';

const site = parseSiteId('news.example')!;
const at = (name: string) => `https://news.example/${name}`;
const HOUR = 3_600_000;

let place: Scratch;
let store: Store;
let clock = Date.UTC(2026, 5, 1);
const now = () => clock;

beforeAll(async () => {
  place = await migratedScratch();
  store = await openStore({ engine: place.engine, log: silent, now });
});
afterAll(async () => {
  await store.close();
  place.remove();
});

const open = () => createLibrary({ store, now, log: silent });

const about = (title: string, fullContent: string): PostPatch => ({
  pageType: 'post',
  title,
  fullContent,
  pubDate: Date.UTC(2026, 4, 30),
});
const asking = (url: string): RecommendRequest => ({
  url,
  filters: {},
  excluded: new Set(),
  sort: 'score',
  limit: 10,
  page: 1,
  respectEmpty: true,
});

test('a post is recommended as soon as it is written, and after a restart', async () => {
  const library = open();
  await library.write(site, at('ferry'), { patch: about('The night ferry', 'The ferry leaves the old harbour late.') });
  await library.write(site, at('bread'), { patch: about('Sourdough', 'Bread needs a patient baker.') });
  await library.write(site, at('kiosk'), { patch: about('The kiosk', 'Ferry tickets from the harbour kiosk.') });
  const found = await library.recommend(site, asking(at('ferry')));
  expect(found.map(({ url }) => url)).toEqual([at('kiosk')]);
  await library.close();

  const again = open();
  expect(await again.recommend(site, asking(at('ferry')))).toEqual(found);
  expect((await again.cards(site, [at('kiosk')]))[0]).toMatchObject({ title: 'The kiosk', url: at('kiosk') });
  await again.close();
});

test('later writes add to what is known, also when two come at once', async () => {
  const library = open();
  await Promise.all([
    library.write(site, at('ferry'), { patch: { section: 'Travel' } }),
    library.write(site, at('ferry'), { patch: { authors: ['Ada'] } }),
  ]);
  expect((await library.get(site, [at('ferry')]))[0]).toMatchObject({
    title: 'The night ferry',
    section: 'Travel',
    authors: ['Ada'],
  });
  await library.close();
});

test('an address leads to its post: itself, an alias, with a query, with tracking', async () => {
  const library = open();
  await library.write(site, at('ferry'), { patch: {}, aliases: [at('amp/ferry'), at('?p=7')] });
  const inMemory = [at('ferry'), at('amp/ferry'), at('?p=7'), at('ferry?print=1#top'), at('amp/ferry?utm_source=x')];
  const resolveAll = (from: typeof library) => Promise.all(inMemory.map((url) => from.resolve(site, url)));
  const expected = inMemory.map(() => at('ferry'));
  expect(await resolveAll(library)).toEqual(expected);
  expect(await library.resolve(site, at('new?id=3&utm_source=x'))).toBe(at('new?id=3'));
  await library.close();

  const cold = open();
  expect(await resolveAll(cold)).toEqual(expected);
  await cold.close();
});

test('a post that turns out to be an alias gives way, until it declares itself again', async () => {
  const library = open();
  const listed = async (from: typeof library) =>
    (await from.recommend(site, asking(at('kiosk')))).map(({ url }) => url).sort();
  await library.write(site, at('ferry-2'), { patch: about('Night ferries', 'The ferry and the old harbour kiosk.') });
  expect(await listed(library)).toEqual([at('ferry'), at('ferry-2')]);
  await library.write(site, at('ferry'), { patch: {}, aliases: [at('ferry-2')] });
  expect(await listed(library)).toEqual([at('ferry')]);
  await library.write(site, at('ferry-2'), { patch: {} });
  expect(await listed(library)).toEqual([at('ferry'), at('ferry-2')]);
  await library.close();

  const again = open();
  expect(await listed(again)).toEqual([at('ferry'), at('ferry-2')]);
  await again.remove(site, [at('ferry-2')]);
  expect(await listed(again)).toEqual([at('ferry')]);
  await again.close();
});

test('loading says how far it is, and an index without requests leaves memory', async () => {
  const library = open();
  library.warm(site);
  expect(library.loading()).toEqual([{ site, progress: 0 }]);
  await until('the site is loaded', () => library.loading().length === 0);
  clock += HOUR / 2;
  library.dropIdle();
  expect(await library.recommend(site, asking(at('ferry')))).toHaveLength(1);
  clock += HOUR + 1;
  library.dropIdle();
  library.warm(site);
  expect(library.loading()).toHaveLength(1);
  await library.close();
});

test('a site leaves memory by how long it was not used, however the time of day is set', async () => {
  let [time, elapsed] = [clock, 0];
  const neighbour = parseSiteId('neighbour.example')!;
  const options = { store, now: () => time, clock: () => elapsed, log: silent };
  const probe = createLibrary(options);
  await probe.ready(site);
  const { bytes } = probe.sizes();
  await probe.close();

  const library = createLibrary({ ...options, memory: bytes * 1.5 });
  await library.ready(site);
  time += 24 * HOUR;
  library.dropIdle();
  expect(library.isLoaded(site)).toBe(true);
  // Traffic of another site takes the place of one that was not used for ten minutes.
  time -= 25 * HOUR;
  elapsed += 11 * 60_000;
  await library.warm(neighbour);
  expect(library.isLoaded(neighbour)).toBe(true);
  elapsed += HOUR + 1;
  library.dropIdle();
  expect(library.isLoaded(neighbour)).toBe(false);
  await library.close();
});

test('a site that is larger than all memory for indexes answers, makes the others leave, and is named once in the log', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const library = createLibrary({ store, now, log, memory: 1 });
  const neighbour = parseSiteId('neighbour.example')!;
  for (const asked of [site, neighbour, site]) {
    await library.recommend(asked, asking(at('ferry')));
    expect(library.isLoaded(asked)).toBe(true);
    expect(library.sizes().sites).toBe(1);
  }
  expect(library.sizes().evictions).toBe(2);
  expect(lines.filter((line) => line.includes('--index-memory'))).toHaveLength(2);
  await library.close();
});

test('a load that fails is reported to the callers that wait, and tried again', async () => {
  let broken = true;
  const posts = {
    ...store.posts,
    stream: (of: typeof site) => {
      if (broken) throw new Error('engine away');
      return store.posts.stream(of);
    },
  };
  const library = createLibrary({ store: { ...store, posts }, now, log: silent });
  await expect(library.recommend(site, asking(at('ferry')))).rejects.toThrow('engine away');
  broken = false;
  expect(await library.recommend(site, asking(at('ferry')))).toHaveLength(1);
  await library.close();
});

test('a site whose index cannot be put in order is loaded again, with what was written last', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
  const library = createLibrary({ store, now, log });
  const broken = parseSiteId('broken.example')!;
  const page = (name: string) => `https://broken.example/${name}`;
  const ferry = about('The ferry', 'Ferry and harbour news.');
  await library.write(broken, page('ferry'), { patch: ferry });
  await library.ready(broken);
  vi.spyOn(PostIndex.prototype, 'tidy').mockImplementationOnce(() => {
    throw new Error('no memory');
  });
  await Promise.all(['pier', 'crane'].map((name) => library.write(broken, page(name), { patch: ferry })));
  await until('it has left memory', () => !library.isLoaded(broken));
  expect(lines.filter((line) => line.includes('could not be tidied'))).toHaveLength(1);
  const found = await library.recommend(broken, { ...asking(page('ferry')), respectEmpty: false });
  expect(found.map(({ url }) => url).sort()).toEqual([page('crane'), page('pier')]);
  await library.close();
});

let fleets = 0;
test('vectors are taken in at once, by another copy of the server when it looks, and are gone when they are removed', async () => {
  const mine = open();
  const theirs = open();
  const fleet = parseSiteId(`fleet-${++fleets}.example`)!;
  const page = (name: string) => `https://${fleet}/${name}`;
  const order = async (library: LoadedLibrary) =>
    (await library.recommend(fleet, asking(page('a')))).map(({ url }) => url.at(-1)).join('');
  for (const name of 'abc') {
    const text = `The ferry leaves the harbour. ${name}1 ${name}2 ${name}3`;
    await mine.write(fleet, page(name), { patch: about(`Ferry ${name}`, text) });
  }
  expect([await order(mine), await order(theirs)]).toEqual(['bc', 'bc']);
  const given = Object.entries({ a: [9, 1, 3], b: [-9, 0, 3], c: [9, 0, 3] }).map(([name, numbers]) => ({
    url: page(name),
    vector: Int8Array.from(numbers),
  }));
  clock += 1000;
  expect(await mine.writeVectors(fleet, given)).toEqual(['stored', 'stored', 'stored']);
  const other = [{ url: page('a'), vector: Int8Array.from([1, 2]) }];
  expect(await theirs.writeVectors(fleet, other)).toEqual(['other-dimension']);
  expect([await order(mine), await order(theirs)]).toEqual(['cb', 'bc']);
  await theirs.refresh();
  expect(await order(theirs)).toBe('cb');
  const fresh = open();
  expect(await fresh.recommend(fleet, asking(page('a')))).toEqual(await mine.recommend(fleet, asking(page('a'))));

  clock += 1000;
  await mine.clearVectors(fleet);
  await theirs.refresh();
  expect([await order(mine), await order(theirs)]).toEqual(['bc', 'bc']);
  expect(await theirs.writeVectors(fleet, other)).toEqual(['stored']);
  await Promise.all([mine, theirs, fresh].map((library) => library.close()));
});

test('what another copy of the server writes, renames and removes is taken in', async () => {
  const mine = open();
  const theirs = open();
  const shared = parseSiteId('shared.example')!;
  const page = (name: string) => `https://shared.example/${name}`;
  const related = async () => (await mine.recommend(shared, asking(page('ferry')))).map(({ url }) => url);
  const harbour = 'Ferry and harbour news.';
  await mine.write(shared, page('ferry'), { patch: about('The ferry', harbour) });
  await mine.write(shared, page('pier'), { patch: about('The pier', harbour) });
  expect(await related()).toEqual([page('pier')]);

  clock += 1000;
  await theirs.write(shared, page('crane'), { patch: about('The crane', harbour) });
  await theirs.write(shared, page('pier'), { patch: { title: 'The new pier' }, aliases: [page('old-pier')] });
  await mine.refresh();
  expect((await related()).sort()).toEqual([page('crane'), page('pier')]);
  expect((await mine.cards(shared, [page('pier')]))[0]).toMatchObject({ title: 'The new pier' });
  expect(await mine.resolve(shared, page('old-pier'))).toBe(page('pier'));

  clock += HOUR;
  await theirs.write(shared, page('pier'), { patch: { title: 'The pier of an hour ahead' } });
  await mine.refresh();
  clock -= HOUR;
  await theirs.write(shared, page('pier'), { patch: { title: 'The pier once more' } });
  await mine.refresh();
  expect((await mine.cards(shared, [page('pier')]))[0]).toMatchObject({ title: 'The pier once more' });

  clock += 1000;
  await theirs.remove(shared, [page('crane')]);
  await mine.refresh();
  expect(await related()).toEqual([page('pier')]);
  await Promise.all([mine.close(), theirs.close()]);
});
