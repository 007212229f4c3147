// Alternative titles and pictures of a post: what is refused, what the lists of pages say of them, and when they change.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlternativeRecord } from '../../server/contract/wire.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import { createWriteSecret, hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const OTHER = 'https://paper.example/other';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  await room.write(OTHER, { title: 'Another ferry', fullContent: 'The ferry crosses the harbour at noon.' });
  await room.happen({ url: OTHER, time: NOW - HOUR });
});
afterAll(() => room.close());

let posts = 0;
/** A post that both lists show. */
async function newPost(): Promise<string> {
  posts += 1;
  const url = `https://paper.example/${posts}`;
  await room.write(url, {
    title: `Ferry ${posts}`,
    imageUrl: 'https://paper.example/own.jpg',
    fullContent: 'A ferry.',
  });
  await room.happen({ url, time: NOW - HOUR });
  return url;
}

async function say(url: string, said: Record<string, unknown>, kind = 'posts', keys: object = {}) {
  const response = await room.app.request(`http://stats.example/v2/metadata/${kind}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      apikey: room.site.id,
      secret: room.writeSecret,
      metadata: { canonical_url: url, ...said },
      ...keys,
    }),
  });
  return (await response.json()) as { success: boolean; code?: number; errors?: Record<string, string[]> };
}

interface Listed {
  url: string;
  title: string;
  alternatives?: AlternativeRecord[];
}

async function inLists(url: string): Promise<Listed[]> {
  // What is ranked is kept for some seconds.
  room.setNow(room.deps.now() + 120_000);
  const top = await room.ask('/top/posts', { limit: '25' });
  const related = await room.ask('/related', { url: OTHER, limit: '50' });
  return [top, related].map(({ data }) => (data as Listed[]).find((one) => one.url === url) ?? { url, title: '' });
}

test('lists of pages carry the alternatives with their shares, the post’s own first', async () => {
  const url = await newPost();
  expect((await inLists(url)).map((record) => Object.hasOwn(record, 'alternatives'))).toEqual([false, false]);
  const alternatives = [
    { title: 'Don&#8217;t miss the ferry' },
    { title: 'A boat', image_url: 'https://paper.example/boat.jpg' },
    { image_url: 'https://paper.example/sea.jpg' },
  ];
  expect(await say(url, { alternatives })).toEqual({ data: [], success: true });
  const own = { title: `Ferry ${posts}`, image_url: 'https://paper.example/own.jpg' };
  for (const record of await inLists(url)) {
    expect(record).toMatchObject(own);
    expect(record.alternatives).toEqual(
      [
        own,
        { ...own, title: 'Don’t miss the ferry' },
        { title: 'A boat', image_url: 'https://paper.example/boat.jpg' },
        { ...own, image_url: 'https://paper.example/sea.jpg' },
      ].map((one) => ({ ...one, thumb_url_medium: one.image_url, share: 0.25 })),
    );
  }
});

test('a picture that is compared is not shown as the thumbnail of the post’s own', async () => {
  const url = await newPost();
  const [own, sea] = ['https://paper.example/own-small.jpg', 'https://paper.example/sea.jpg'];
  await say(url, { thumb_url: own, alternatives: [{ title: 'A boat' }, { image_url: sea }] });
  for (const { alternatives } of await inLists(url))
    expect(alternatives?.map((one) => one.thumb_url_medium)).toEqual([own, own, sea]);
});

test('the same answer is sent to all readers, and a shared cache may keep it', async () => {
  const url = await newPost();
  await say(url, { alternatives: [{ title: 'A boat' }] });
  const address = `http://stats.example/v2/related?apikey=${room.site.id}&url=${OTHER}&limit=50`;
  const [one, other] = [await room.app.request(address), await room.app.request(address)];
  expect(one.headers.get('cache-control')).toMatch(/^public, max-age=[1-9]/);
  expect(other.headers.get('etag')).toBe(one.headers.get('etag'));
  expect(await other.text()).toBe(await one.text());
});

test('lists for editors and the search show the post’s own title alone', async () => {
  const url = await newPost();
  await say(url, { alternatives: [{ title: 'A boat' }] });
  for (const [path, params] of [
    ['/analytics/posts', { limit: '100' }],
    ['/search', { q: 'ferry', limit: '100' }],
  ] as const) {
    const { data } = await room.ask(path, params);
    const record = data.find((each) => each.url === url);
    expect(record?.title).toBe(`Ferry ${posts}`);
    expect(record).not.toHaveProperty('alternatives');
  }
});

test('the same alternatives once more change nothing; an empty list stops the test', async () => {
  const url = await newPost();
  const alternatives = [{ title: 'A boat' }];
  await say(url, { alternatives });
  const before = (await room.deps.store.posts.get(room.site.id, [url]))[0]?.alternatives;
  room.setNow(room.deps.now() + HOUR);
  await say(url, { alternatives });
  expect((await room.deps.store.posts.get(room.site.id, [url]))[0]?.alternatives).toEqual(before);
  await say(url, { section: 'Harbour' });
  expect((await room.deps.store.posts.get(room.site.id, [url]))[0]?.alternatives).toEqual(before);
  await say(url, { alternatives: [] });
  expect((await inLists(url)).map((record) => Object.hasOwn(record, 'alternatives'))).toEqual([false, false]);
  // A content management system sends what it knows with each change: what was stopped stays so.
  await say(url, { alternatives });
  expect((await inLists(url)).map((record) => Object.hasOwn(record, 'alternatives'))).toEqual([false, false]);
});

test('a new title of the post’s own begins the test anew', async () => {
  const url = await newPost();
  await say(url, { alternatives: [{ title: 'A boat' }] });
  const startedAt = async () => (await room.deps.store.posts.get(room.site.id, [url]))[0]?.alternatives?.startedAt;
  const before = await startedAt();
  room.setNow(room.deps.now() + HOUR);
  await say(url, { title: 'The last ferry' });
  expect(await startedAt()).toBe((before ?? 0) + HOUR);
});

test('another copy of the server has the same alternatives', async () => {
  const url = await newPost();
  const { store, now, log } = room.deps;
  const copy = createLibrary({ store, now, log });
  await copy.ready(room.site.id);
  room.setNow(now() + 1000);
  await say(url, { alternatives: [{ title: 'A boat' }] });
  await copy.refresh();
  expect((await copy.cards(room.site.id, [url]))[0]?.alternatives?.others).toEqual([{ title: 'A boat' }]);
  await copy.close();
});

describe('is refused, and nothing changes', () => {
  const titles = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `Title ${n}` }));
  test.each<[string, unknown, string]>([
    ['eleven of them', titles(11), 'Must be a list of at most 10 objects with title, image_url or both.'],
    ['a text', 'A boat', 'Must be a list of at most 10 objects'],
    ['a list of texts', ['A boat'], 'Number 1 must be an object with title, image_url or both.'],
    ['an unknown field', [{ title: 'A boat', color: 'red' }], 'Number 1 must be an object'],
    ['nothing in one', [{ title: 'A boat' }, { title: ' ' }], 'Number 2 must have a title, an image_url or both.'],
    ['markup', [{ title: 'A <b>boat</b>' }], 'The title of number 1 must be plain text, without markup'],
    ['markup as entities', [{ title: '&lt;img src=x&gt;' }], 'The title of number 1 must be plain text'],
    ['a control character', [{ title: 'A\u0000boat' }], 'The title of number 1 must be plain text'],
    ['half a character', [{ title: 'A boat \ud83d' }], 'The title of number 1 must be plain text'],
    ['a huge title', [{ title: 'x'.repeat(301) }], 'The title of number 1 must be a string of at most 300 characters.'],
    ['a number as title', [{ title: 7 }], 'The title of number 1 must be a string'],
    ['a script as picture', [{ image_url: 'javascript:alert(1)' }], 'The image_url of number 1: Must be an absolute'],
    [
      'a picture as data',
      [{ image_url: 'data:image/svg+xml,<svg/>' }],
      'The image_url of number 1: Must be an absolute',
    ],
    ['a huge address', [{ image_url: `https://paper.example/${'x'.repeat(2048)}` }], 'The image_url of number 1'],
    ['the same twice', [{ title: 'A boat' }, { title: 'A boat' }], 'Must not hold the same alternative twice.'],
  ])('%s', async (_, alternatives, sentence) => {
    const url = await newPost();
    for (const kind of ['posts', 'videos']) {
      const refused = await say(url, { alternatives }, kind);
      expect(refused).toMatchObject({ code: 422, message: 'Bad parameters: alternatives', success: false });
      expect(refused.errors?.alternatives?.[0]).toContain(sentence);
    }
    expect((await inLists(url)).map((record) => Object.hasOwn(record, 'alternatives'))).toEqual([false, false]);
  });
});

test('with the read secret, without one, and with that of another site: forbidden, and nothing changes', async () => {
  const url = await newPost();
  const other = { ...room.site, id: parseSiteId(`other-${posts}.example`)! };
  const secret = createWriteSecret();
  await room.deps.sites.add({ ...other, writeSecretHash: hashSecret(secret) });
  for (const wrong of [room.secret, '', secret])
    expect(await say(url, { alternatives: [{ title: 'A boat' }] }, 'posts', { secret: wrong })).toMatchObject({
      code: 403,
      success: false,
    });
  expect((await inLists(url)).map((record) => Object.hasOwn(record, 'alternatives'))).toEqual([false, false]);
});

test('alternatives of a page of another site change nothing there', async () => {
  const url = await newPost();
  const other = { ...room.site, id: parseSiteId(`foreign-${posts}.example`)! };
  const secret = createWriteSecret();
  await room.deps.sites.add({ ...other, writeSecretHash: hashSecret(secret) });
  await say(url, { alternatives: [{ title: 'A boat' }] }, 'posts', { apikey: other.id, secret });
  expect((await inLists(url)).map((record) => Object.hasOwn(record, 'alternatives'))).toEqual([false, false]);
});
