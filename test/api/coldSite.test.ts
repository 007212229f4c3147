// GET /related of a site whose index is not in memory yet: readers do not wait for it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import type { Store } from '../../server/storage/store.ts';
import { silent } from '../storage/scratch.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { until } from '../support/until.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2031, 5, 1);
const at = (name: string) => `https://paper.example/${name}`;

let room: Newsroom;
const opened: LoadedLibrary[] = [];

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const post = (name: string, daysAgo: number, more = {}) =>
    room.write(at(name), { title: name, fullContent: `ferry ${name}`, pubDate: NOW - daysAgo * DAY, ...more });
  await post('oldest', 30, { section: 'Sea', authors: ['Ada', 'Bo'], tags: ['boats'] });
  await post('older', 9, { section: 'Land', tags: ['boats', 'bread'] });
  await post('newer', 2, { section: 'Sea', authors: ['Ada'] });
  await post('newest', 1, { section: 'Air' });
  await post('tomorrow', -1);
  await room.write(at('front'), { pageType: 'index', title: 'Front page' });
  await room.deps.library.write(room.site.id, at('newest'), { patch: {}, aliases: [at('newest-amp')] });
});
afterAll(async () => {
  for (const library of opened) await library.close();
  await room.close();
});

/**
 * The same application with a library of its own, whose storage counts posts, the first step of a load, by a function
 * of the test.
 */
function cold(count: Store['posts']['count']) {
  const { store, now } = room.deps;
  const library = createLibrary({ store: { ...store, posts: { ...store.posts, count } }, now, log: silent });
  opened.push(library);
  const app = createApp({ ...room.deps, library });
  return async (path: string) => {
    const mark = path.includes('?') ? '&' : '?';
    const response = await app.request(`http://stats.example/v2${path}${mark}apikey=${room.site.id}`);
    const text = await response.text();
    const listed = [...text.matchAll(/"url":"https:\/\/paper\.example\/([\w-]+)"/g)].map(([, name]) => name);
    return { status: response.status, headers: response.headers, text, listed };
  };
}

test('it answers with the most recent posts, says so, and lets no cache keep them; then with those of the index', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const ask = cold(async (site) => {
    await held;
    return await room.deps.store.posts.count(site);
  });
  // On a busy machine the first answer may come before the most recent posts are read.
  const early = await until('posts are shown', async () => {
    const answer = await ask(`/related?url=${at('older')}`);
    return answer.listed.length > 0 ? answer : undefined;
  });
  expect(early.status).toBe(200);
  expect(early.headers.get('Afterword-Index')).toBe('loading');
  expect(early.headers.get('Cache-Control')).toBe('private, no-store');
  expect(early.listed).toEqual(['newest', 'newer', 'oldest']);
  const html = await ask(`/fragment/related?url=${at('older')}`);
  expect(html.headers.get('Afterword-Index')).toBe('loading');
  expect(html.headers.get('Cache-Control')).toBe('private, no-store');
  expect(html.text).toContain(at('newest'));

  letGo();
  const late = await until('the index is in memory', async () => {
    const answer = await ask(`/related?url=${at('older')}`);
    return answer.headers.has('Afterword-Index') ? undefined : answer;
  });
  expect(late.headers.get('Cache-Control')).toBe('public, max-age=60');
  const drawn = await ask(`/fragment/related?url=${at('older')}`);
  expect(drawn.headers.get('Afterword-Index')).toBeNull();
  expect(drawn.headers.get('Cache-Control')).toMatch(/^public/);
});

test('filters, hidden posts and a wish for relevant posts alone count meanwhile', async () => {
  const ask = cold(() => new Promise(() => {}));
  opened.pop();
  await room.deps.exclusions.ignore(room.site.id, at('newer'));
  const asked = [
    ['', ['newest', 'older', 'oldest']],
    ['section=Sea', ['oldest']],
    ['section=Sea&section=Land', ['older', 'oldest']],
    ['author=Ada&author=Bo', ['oldest']],
    ['tag=boats', ['older', 'oldest']],
    ['tag=boats&tag=bread', ['older']],
    ['exclude=section:Air&exclude=tags:bread', ['oldest']],
    ['days=10', ['newest', 'older']],
    ['limit=1&page=2', ['older']],
    [`url=${at('newest?utm_source=mail')}`, ['older', 'oldest']],
    ['respect_empty_results=1', []],
  ] as const;
  const answers = asked.map(async ([query, expected]) => {
    const listed = await until('the most recent posts are read', async () => {
      const answer = await ask(`/related?${query}`);
      return answer.listed.length > 0 || expected.length === 0 ? answer.listed : undefined;
    });
    return [query, listed];
  });
  expect(await Promise.all(answers)).toEqual(asked.map((one) => [...one]));
  await room.deps.exclusions.include(room.site.id, at('newer'));
});

test('readers of the same seconds share one look at the database, and the next ones have another', async () => {
  const { posts } = room.deps.store;
  const recent = posts.recent;
  let looks = 0;
  posts.recent = (...asked) => {
    looks++;
    return recent(...asked);
  };
  try {
    const ask = cold(() => new Promise(() => {}));
    opened.pop();
    for (let reader = 0; reader < 4; reader++) {
      room.setNow(NOW + reader);
      await until('the most recent posts are read', async () => (await ask('/related')).listed.length > 0);
    }
    expect(looks).toBe(1);
    room.setNow(NOW + 60_000);
    await until('they are read again', async () => (await ask('/related')).listed.length > 0);
    expect(looks).toBe(2);
  } finally {
    posts.recent = recent;
    room.setNow(NOW);
  }
});

test('a site has an empty list while the database hangs: no reader waits until it is known to be away', async () => {
  const hanging = () => new Promise<never>(() => {});
  const { posts } = room.deps.store;
  const recent = posts.recent;
  posts.recent = hanging;
  try {
    const { status, headers, text } = await cold(hanging)('/related');
    opened.pop();
    expect([status, headers.get('Afterword-Index'), JSON.parse(text).data]).toEqual([200, 'loading', []]);
    expect(headers.get('Cache-Control')).toBe('private, no-store');
  } finally {
    posts.recent = recent;
  }
});

test('a load that the database refuses is tried again, though only one request asked for it', async () => {
  let refusals = 0;
  const ask = cold(async (site) => {
    if (refusals++ < 1) throw new StoreUnavailableError('The database is asked more than it can answer.');
    return await room.deps.store.posts.count(site);
  });
  expect((await ask('/related')).status).toBe(200);
  await until('the index is in memory', () => opened.at(-1)!.isLoaded(room.site.id));
});

test('a site that is in no memory has an empty list while the database is away, and no post is shown that may be hidden', async () => {
  const away = () => Promise.reject(new StoreUnavailableError('The database does not answer.'));
  const { posts } = room.deps.store;
  const recent = posts.recent;
  posts.recent = away;
  try {
    const ask = cold(away);
    for (const path of ['/related', `/related?url=${at('older')}`, '/related?uuid=stranger', '/similar']) {
      const { status, headers, text } = await ask(path);
      expect([path, status, headers.get('Afterword-Index'), JSON.parse(text).data]).toEqual([path, 200, 'loading', []]);
      expect(headers.get('Cache-Control')).toBe('private, no-store');
    }
    const html = await ask(`/fragment/related?url=${at('older')}&fill=off`);
    expect([html.status, html.headers.get('Afterword-Index')]).toEqual([200, 'loading']);
  } finally {
    posts.recent = recent;
  }
  const { exclusions } = room.deps;
  const { of } = exclusions;
  exclusions.of = away;
  try {
    const { status, headers, listed } = await cold(room.deps.store.posts.count)('/related');
    expect([status, headers.get('Afterword-Index'), listed]).toEqual([200, 'loading', []]);
  } finally {
    exclusions.of = of;
  }
});
