// Five addresses of one post: whatever came before, while and after its publisher declared them, lists show one record with
// the counts of all.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.UTC(2040, 2, 20, 12);
const MINUTE = 60_000;
const at = (name: string) => `https://paper.example/${name}`;

const POST = at('pier');
const ALIASES = [at('pier/amp'), at('pier?print=1'), 'https://m.paper.example/pier', 'http://paper.example/pier'];
const ADDRESSES = [POST, ...ALIASES];

let room: Newsroom;

beforeEach(async () => {
  room = await openNewsroom({ now: NOW });
  await room.write(at('rope'), { title: 'Rope', fullContent: 'The pier needs a new rope, says the harbour council.' });
  await room.happen(...['quay-1', 'quay-2', 'quay-3'].map((name) => ({ url: at(name), time: NOW - MINUTE })));
});
afterEach(() => room.close());

/** A view of each address, by a reader who comes to them all and one who comes to that one only. */
const readAll = (reader: number) =>
  room.happen(
    ...ADDRESSES.flatMap((url, n) => [
      { url, visitor: String(reader), time: NOW - MINUTE },
      { url, visitor: String(reader * 10 + n), time: NOW - MINUTE },
    ]),
  );

async function declare(metadata: object): Promise<void> {
  const response = await room.app.request('/v2/metadata/posts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ apikey: room.site.id, secret: room.writeSecret, metadata }),
  });
  expect(await response.json()).toMatchObject({ success: true });
}

/** Every list, each with what it says of the post. */
async function lists() {
  const urlsOf = async (path: string, params: Record<string, string> = {}) =>
    (await room.ask(path, params)).data.map(({ url }) => url);
  const counted = async (path: string, params: Record<string, string> = {}) =>
    (await room.ask(path, { sort: 'visitors', ...params })).data.map(({ url, metrics }) => [url, metrics]);
  const views = (await room.ask('/analytics/posts')).data.map(({ url, _hits, metrics }) => [url, _hits, metrics.views]);
  return {
    views,
    visitors: await counted('/analytics/posts'),
    author: (await room.ask('/analytics/authors')).data.map(({ name, _hits }) => [name, _hits]),
    underAuthor: (await room.ask('/analytics/author/Ada/detail')).data.map(({ url, _hits }) => [url, _hits]),
    top: await urlsOf('/top/posts'),
    related: await urlsOf('/related', { url: at('rope') }),
    search: await urlsOf('/search', { q: 'pier lantern' }),
  };
}

const detail = async (url: string) =>
  (await room.ask('/analytics/post/detail', { url })).data.map((post) => [post.url, post._hits, post.metrics.visitors]);

const expected = (views: number, visitors: number) => ({
  views: [[POST, views, views]],
  visitors: [[POST, expect.objectContaining({ visitors })]],
  author: [['Ada', views]],
  underAuthor: [[POST, views]],
  top: [POST],
  related: [POST],
  search: [POST],
});

const metadata = {
  canonical_url: POST,
  title: 'The pier',
  authors: ['Ada'],
  full_content: 'The lantern on the pier of the harbour, and its rope.',
};

test('lists show one record with the counts of all, whatever came before, while and after they were declared', async () => {
  await readAll(1);
  await declare(metadata);
  expect((await room.ask('/analytics/posts')).data.map(({ url }) => url)).toEqual([POST]);
  expect(await detail(POST), 'before the declaration each address stands for itself').toEqual([[POST, 2, 2]]);

  await declare({ ...metadata, urls: ALIASES });
  expect(await lists(), 'traffic that was there before counts at once').toEqual(expected(10, 6));

  await Promise.all([readAll(2), declare({ ...metadata, urls: ALIASES, tags: ['harbour'] }), readAll(3)]);
  expect(await lists(), 'traffic and declarations at the same time lose nothing').toEqual(expected(30, 18));

  await readAll(4);
  room.setNow(NOW + 2 * MINUTE);
  expect(await lists(), 'traffic that comes later counts too').toEqual(expected(40, 24));
  for (const address of ADDRESSES) expect(await detail(address), address).toEqual([[POST, 40, 24]]);
});

test('an address that had a record of its own gives way, and is related and found no more', async () => {
  await readAll(1);
  await declare({ ...metadata, urls: ALIASES });
  await declare({
    canonical_url: at('pier-copy'),
    title: 'The pier, again',
    full_content: 'lantern pier rope harbour',
  });
  await room.happen({ url: at('pier-copy'), visitor: '900', time: NOW - MINUTE });
  expect((await lists()).search).toHaveLength(2);
  await declare({ ...metadata, urls: [...ALIASES, at('pier-copy')] });
  room.setNow(NOW + 2 * MINUTE);
  expect(await lists()).toEqual(expected(11, 7));
  expect(await detail(at('pier-copy'))).toEqual([[POST, 11, 7]]);
});

test('a post that moves again takes along whatever led to its last address', async () => {
  await declare({ canonical_url: at('quay-2'), title: 'The quay', urls: [at('quay-1')] });
  await declare({ canonical_url: at('quay-3'), title: 'The quay', urls: [at('quay-2')] });
  for (const name of ['quay-1', 'quay-2', 'quay-3'])
    expect((await detail(at(name))).map(([post, views]) => [post, views])).toEqual([[at('quay-3'), 3]]);
  const listed = (await room.ask('/analytics/posts', { limit: '50' })).data.map(({ url }) => url);
  expect(listed.filter((url) => url.includes('quay'))).toEqual([at('quay-3')]);
});

test('a post that has moved is found by its former address, also while its site is not in memory', async () => {
  await declare({ canonical_url: at('quay-1'), title: 'The quay' });
  await declare({ canonical_url: at('quay-2'), title: 'The new quay', urls: [at('quay-1')] });
  const library = createLibrary(room.deps);
  const app = createApp({ ...room.deps, library });
  const asked = new URLSearchParams({ apikey: room.site.id, secret: room.secret, url: at('quay-1') });
  const response = await app.request(`/v2/analytics/post/detail?${asked}`);
  const { data } = (await response.json()) as { data: { url: string; title: string; _hits: number }[] };
  expect(library.isLoaded(room.site.id)).toBe(false);
  expect(data.map(({ url, title, _hits }) => [url, title, _hits])).toEqual([[at('quay-2'), 'The new quay', 2]]);
  await library.close();
});

describe('what a browser adds to the address of a post', () => {
  const FILM = at('crossing');
  const beacon = (query: Record<string, string>) =>
    room.app.request(
      `/plogger/?${new URLSearchParams({ idsite: room.site.id, action: 'pageview', rand: '1', ...query })}`,
      {
        headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' },
      },
    );

  const viewsOf = async (url: string) => (await detail(url)).map(([post, views]) => [post, views]);

  const addresses = ['mole', 'mole?cid=spring', 'mole?ref=feed#comments', 'mole/amp?c=autumn', 'mole?c_id=spring'];

  beforeEach(async () => {
    await room.write(at('mole'), { title: 'The mole', fullContent: 'A mole of stone.' }, [at('mole/amp')]);
    await room.write(at('mole?part=2'), { title: 'The mole, part two', fullContent: 'More stone.' });
    await room.write(FILM, { title: 'The crossing', pageType: 'video' });
    const answers = await Promise.all(addresses.map((address) => beacon({ url: at(address) })));
    expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 200));
  });

  test('makes no other page of it: its views count for the post, and for the campaign it names', async () => {
    expect(await viewsOf(at('mole'))).toEqual([[at('mole'), 5]]);
    const ofCampaign = async (campaign_id: string) =>
      (await room.ask('/analytics/posts', { campaign_id })).data.map(({ url, _hits }) => [url, _hits]);
    expect(await ofCampaign('spring')).toEqual([[at('mole'), 2]]);
    expect(await ofCampaign('autumn')).toEqual([[at('mole'), 1]]);
  });

  test('is part of the address where a post is known by it', async () => {
    await beacon({ url: at('mole?part=2') });
    expect(await viewsOf(at('mole?part=2'))).toEqual([[at('mole?part=2'), 1]]);
    expect(await viewsOf(at('mole'))).toEqual([[at('mole'), 5]]);
  });

  test('is left out of where a reader came from, and of what film was begun', async () => {
    await Promise.all([
      beacon({ url: at('rope'), urlref: at('mole?ref=feed') }),
      beacon({ url: `${FILM}?t=10`, action: 'videostart' }),
      beacon({ url: at('rope'), action: 'videostart', metadata: JSON.stringify({ link: `${FILM}?autoplay=1` }) }),
    ]);
    const led = (await room.ask('/analytics/posts', { sort: 'recirculation_rate' })).data[0]!;
    expect([led.url, led.metrics.recirculation_rate]).toEqual([at('mole'), 0.2]);
    expect((await room.ask('/analytics/videos')).data.map(({ url, _hits }) => [url, _hits])).toEqual([[FILM, 2]]);
  });
});

describe('a post whose address has a query', () => {
  const STORY = at('read?id=9');
  const CAFE = at('caf%C3%A9');
  const views = async (url: string) => (await detail(url)).map(([post, hits]) => [post, hits]);
  const related = async (url: string) =>
    (await room.ask('/related', { url, respect_empty_results: '1' })).data.map((post) => post.url);

  beforeEach(async () => {
    const text = 'A tunnel below the fjord, and the signal of its train.';
    await room.write(STORY, { title: 'The tunnel', fullContent: text }, [at('?p=9')]);
    await room.write(at('read?id=10'), { title: 'The tunnel opens', fullContent: text });
    await room.write(CAFE, { title: 'The café', fullContent: 'Coffee.' }, [at('caf%C3%A9/amp')]);
    await room.write(at(''), { pageType: 'index', title: 'Paper' });
    await room.happen({ url: STORY, time: NOW - MINUTE }, { url: CAFE, time: NOW - MINUTE });
  });

  test.each([
    ['tracking parameters', 'https://paper.example/read?id=9&utm_source=letter&fbclid=1'],
    ['a fragment', 'https://paper.example/read?id=9#comments'],
    ['capitals and the port of its scheme', 'HTTPS://Paper.Example:443/read?id=9'],
    ['tracking parameters beside its other address', 'https://paper.example/?p=9&fbclid=1'],
    ['a fragment behind its other address', 'https://paper.example/?p=9#comments'],
  ])('is found by what a browser shows: %s', async (_name, shown) => {
    expect(await views(shown), 'from storage').toEqual([[STORY, 1]]);
    expect(await related(shown)).toEqual([at('read?id=10'), at('rope')]);
    expect(await views(shown), 'from memory').toEqual([[STORY, 1]]);
  });

  test.each(['caf%c3%a9', 'caf%c3%a9/amp?utm_source=letter'])(
    'is found by small digits of a percent-encoding: %s',
    async (path) => {
      expect(await views(at(path)), 'from storage').toEqual([[CAFE, 1]]);
      await related(CAFE);
      expect(await views(at(path)), 'from memory').toEqual([[CAFE, 1]]);
    },
  );

  test.each([
    ['~ana/a-b_c.html', '%7eana/%61%2Db%5Fc%2ehtml?utm_source=letter'],
    ['%7Eana/story', '~ana/story'],
  ])('%s is found by characters that mean the same percent-encoded: %s', async (path, shown) => {
    await room.write(at(path), { title: 'Ana', fullContent: 'Of a tilde.' });
    await room.happen({ url: at(path), time: NOW - MINUTE });
    expect(await views(at(shown)), 'from storage').toEqual([[at(path), 1]]);
    await related(at(path));
    expect(await views(at(shown)), 'from memory').toEqual([[at(path), 1]]);
  });

  test('is found by letters that are not percent-encoded', async () => {
    const shown = ['https://paper.example/café/amp', 'https://paper.example/café?ref=feed'];
    for (const url of shown) expect(await views(url), url).toEqual([[CAFE, 1]]);
    await related(CAFE);
    for (const url of shown) expect(await views(url), url).toEqual([[CAFE, 1]]);
  });
});
