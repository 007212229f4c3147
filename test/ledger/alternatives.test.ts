// Titles and pictures that are compared: what lists brought by each, how their shares follow, and how one wins.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PostPatch } from '../../server/posts/post.ts';
import { COMPARE_MS, compareAlternatives } from '../../server/rankings/compareAlternatives.ts';
import { BROWSER } from '../support/beacons.ts';
import { headlineReaders } from '../support/headlineReaders.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const PAGE = 'https://paper.example/page';

let room: Newsroom;
let posts = 0;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
});
afterAll(() => room.close());
/** Each run looks at all that are compared. */
afterEach(async () => {
  for (const { url, alternatives } of await room.deps.store.posts.tested(room.site.id))
    if (!alternatives?.end) await room.write(url, { alternatives: [] });
});

const urlOf = () => `https://paper.example/${posts}`;

async function newPost(...titles: string[]): Promise<string> {
  posts += 1;
  const alternatives = titles.map((title) => ({ title }));
  await room.write(urlOf(), { title: 'Own', imageUrl: 'https://paper.example/own.jpg', alternatives });
  return urlOf();
}

const read = (post: string, alternative: number, of: { shown: number; quality: number }): Promise<void> =>
  room.happen(...headlineReaders({ post, alternative, ...of, time: room.deps.now() }));

/** A run of the job, an hour later. */
async function compare(): Promise<void> {
  room.setNow(room.deps.now() + HOUR);
  await compareAlternatives(room.deps);
}

const stored = async (url: string) => (await room.deps.store.posts.get(room.site.id, [url]))[0]!;

test('a report names the alternative, and figures are listed by it', async () => {
  const url = await newPost('Second');
  const list = { list: 'top', slot: '1', layout: 'grid', shown: true };
  const item = [1, url, 'popular'];
  const events = [
    { seen: [[...item, 2]], clicked: [[...item, 2]] },
    { seen: [[...item, 1]] },
    { seen: [item] },
    { seen: [[...item, 12]] },
  ].map((one, at) => ({
    idsite: room.site.id,
    action: 'list',
    url: PAGE,
    eid: `${at}`,
    lists: [{ ...list, ...one }],
  }));
  const from = { incoming: { socket: { remoteAddress: '198.51.100.7' } } };
  const headers = { 'User-Agent': BROWSER };
  await room.app.request('/events', { method: 'POST', headers, body: JSON.stringify({ events }) }, from);
  const { data } = await room.ask('/lists', { group: 'alternative' });
  expect(data).toMatchObject([
    { name: `${url} 2`, title: 'Second', metrics: { seen: 1, clicks: 1 } },
    { name: `${url} 1`, title: 'Own', metrics: { seen: 1, clicks: 0 } },
  ]);
  const [all] = (await room.ask('/lists', { group: 'list' })).data;
  expect(all).toMatchObject({ name: 'top', metrics: { seen: 3, lists: 3 } });
});

test('nothing happens where no list shows the post', async () => {
  const url = await newPost('Second');
  const before = await stored(url);
  room.setNow(room.deps.now() + 30 * 24 * HOUR);
  await compare();
  expect(await stored(url)).toEqual(before);
});

test.each<[what: string, patch: PostPatch]>([
  ['is stopped', { alternatives: [] }],
  ['is replaced', { alternatives: [{ title: 'Third' }] }],
  ['begins anew with a corrected title', { title: 'Corrected' }],
])('a test that %s while its readers are counted has no winner, and the post no title of it', async (_, patch) => {
  const url = await newPost('Second');
  await read(url, 1, { shown: 1_000, quality: 10 });
  await read(url, 2, { shown: 1_000, quality: 100 });
  room.setNow(room.deps.now() + HOUR);
  const { posts: stock, traffic } = room.deps.store;
  const changed: object[] = [];
  const run: typeof traffic.run = async (...question) => {
    if (changed.length === 0) {
      await room.write(url, patch);
      changed.push(await stored(url));
    }
    return await traffic.run(...question);
  };
  await compareAlternatives({ ...room.deps, store: { posts: stock, traffic: { ...traffic, run } } });
  expect([await stored(url)]).toEqual(changed);
});

test('the alternative that is read more gets more readers, then wins, and is shown everywhere', async () => {
  const url = await newPost('Second', 'Third');
  await read(url, 1, { shown: 60, quality: 1 });
  await read(url, 2, { shown: 60, quality: 4 });
  await read(url, 3, { shown: 60, quality: 1 });
  await compare();
  const { shares = [], end } = (await stored(url)).alternatives ?? {};
  expect(end).toBeUndefined();
  expect(shares[1]).toBeGreaterThan(0.5);
  expect(shares[0]).toBeLessThan(1 / 3);
  await read(url, 2, { shown: 600, quality: 60 });
  await read(url, 1, { shown: 600, quality: 10 });
  await compare();
  const won = await stored(url);
  expect(won).toMatchObject({ title: 'Second', alternatives: { end: { winner: 2, own: { title: 'Own' } } } });
  const { data } = await room.ask('/search', { q: 'second' });
  expect(data.find((one) => one.url === url)?.title).toBe('Second');
  await compare();
  expect(await stored(url)).toEqual(won);
});

test('the winner stays where a content management system sends the title it knows, not where it sends another', async () => {
  const url = await newPost('Second');
  await read(url, 2, { shown: 1200, quality: 80 });
  await read(url, 1, { shown: 600, quality: 2 });
  await compare();
  await room.write(url, { title: 'Own', section: 'Harbour', alternatives: [{ title: 'Second' }] });
  expect(await stored(url)).toMatchObject({
    title: 'Second',
    section: 'Harbour',
    alternatives: { end: { winner: 2 } },
  });
  await room.write(url, { title: 'Quite another' });
  expect((await stored(url)).title).toBe('Quite another');
});

test('after seven days the one with the most quality clicks wins', async () => {
  const url = await newPost('Second');
  room.setNow(room.deps.now() + 7 * 24 * HOUR);
  await read(url, 1, { shown: 150, quality: 9 });
  await read(url, 2, { shown: 150, quality: 6 });
  await compare();
  expect(await stored(url)).toMatchObject({ title: 'Own', alternatives: { end: { winner: 1 } } });
});

test('readers of the first days decide on the seventh, not how seldom an alternative was shown', async () => {
  const url = await newPost('Second');
  await read(url, 1, { shown: 600, quality: 18 });
  await read(url, 2, { shown: 200, quality: 3 });
  await compare();
  room.setNow(room.deps.now() + 3 * 24 * HOUR);
  await compare();
  expect((await stored(url)).alternatives?.end).toBeUndefined();
  room.setNow(room.deps.now() + 4 * 24 * HOUR);
  await compare();
  expect(await stored(url)).toMatchObject({ title: 'Own', alternatives: { end: { winner: 1 } } });
});

test('a test that was hardly shown has no winner, and is stopped after four weeks', async () => {
  const url = await newPost('Second');
  room.setNow(room.deps.now() + 8 * 24 * HOUR);
  await read(url, 1, { shown: 3, quality: 0 });
  await compare();
  expect((await stored(url)).alternatives?.end).toBeUndefined();
  room.setNow(room.deps.now() + 20 * 24 * HOUR);
  await compare();
  const { title, alternatives } = await stored(url);
  expect([title, alternatives?.end?.winner, alternatives?.end?.at]).toEqual(['Own', undefined, room.deps.now()]);
});

test('what an earlier winner replaced does not come back with a later test', async () => {
  const url = await newPost('Second');
  await read(url, 2, { shown: 1200, quality: 80 });
  await read(url, 1, { shown: 600, quality: 2 });
  await compare();
  const said = { title: 'Own', alternatives: [{ title: 'Third' }] };
  await room.write(url, said);
  const begun = await stored(url);
  expect(begun).toMatchObject({ title: 'Second', alternatives: { others: [{ title: 'Third' }] } });
  await room.write(url, said);
  const { updatedAt: _, ...same } = await stored(url);
  expect(begun).toMatchObject(same);
  await room.write(url, { title: 'Quite another' });
  await room.write(url, { title: 'Own' });
  expect((await stored(url)).title).toBe('Own');
});

test('a page that says what was replaced does not bring it back, and a corrected title of it counts', async () => {
  posts += 1;
  const url = urlOf();
  const readPage = (title: string) => room.deps.library.write(room.site.id, url, { patch: { title }, by: 'page' });
  await readPage('Of the page');
  await room.write(url, { pageType: 'post', alternatives: [{ title: 'Second' }] });
  await read(url, 2, { shown: 1200, quality: 80 });
  await read(url, 1, { shown: 600, quality: 2 });
  await compare();
  expect((await stored(url)).title).toBe('Second');
  expect((await readPage('Of the page')).title).toBe('Second');
  expect((await readPage('Corrected')).title).toBe('Corrected');
});

test('more tests than a run looks at take turns, and one that fails keeps no other one waiting', async () => {
  const urls: string[] = [];
  for (let at = 0; at < 5; at++) {
    urls.push(await newPost('Second'));
    await read(urls[at]!, 2, { shown: 12, quality: 4 });
    await read(urls[at]!, 1, { shown: 12, quality: 0 });
  }
  const running = (await room.deps.store.posts.tested(room.site.id)).filter(({ alternatives }) => !alternatives?.end);
  const most = Math.ceil(running.length / 2);
  const moved = async () => {
    const all = await room.deps.store.posts.get(room.site.id, urls);
    return all.filter(({ alternatives }) => (alternatives?.shares[1] ?? 0) > 0.6).length;
  };
  room.setNow(room.deps.now() + HOUR);
  const library: typeof room.deps.library = {
    ...room.deps.library,
    write: (site, url, change) =>
      url === urls[0] ? Promise.reject(new Error('refused')) : room.deps.library.write(site, url, change),
  };
  for (let turn = 0; turn < 2; turn++) {
    await compareAlternatives({ ...room.deps, library, most }).catch((error) =>
      expect(error).toBeInstanceOf(AggregateError),
    );
    room.setNow(room.deps.now() + COMPARE_MS);
  }
  expect(await moved()).toBe(4);
});

test('what was stopped stays so, whatever is still reported', async () => {
  const url = await newPost('Second');
  await room.write(url, { alternatives: [] });
  const stopped = await stored(url);
  await read(url, 2, { shown: 1200, quality: 100 });
  await compare();
  expect(await stored(url)).toEqual(stopped);
});
