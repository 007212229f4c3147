// What waits to be written of the metadata of views: bounded by site, by network and in memory, and kept while storage is away.
import { expect, test } from 'vitest';
import { createEventPosts } from '../../server/posts/eventPosts.ts';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import type { Post } from '../../server/posts/post.ts';
import { parseSiteId } from '../../server/sites/site.ts';

const site = parseSiteId('app.example')!;
const HOUR = 3_600_000;

/** A library in memory, and a clock that is set by hand. */
function open() {
  const posts = new Map<string, Post>();
  const state = { now: HOUR, away: false, writes: 0, meanwhile: () => {} };
  const library = {
    resolve: async (_: unknown, url: string) => url.replace('/amp', ''),
    get: async (_: unknown, urls: readonly string[]) => urls.flatMap((url) => posts.get(url) ?? []),
    write: async (_: unknown, url: string, { patch, by }: { patch: object; by?: 'publisher' | 'page' | 'event' }) => {
      if (state.away) throw new Error('The database is away.');
      state.writes++;
      state.meanwhile();
      const post = mergeMetadata(posts.get(url), { url, patch, by, now: state.now });
      posts.set(url, post);
      return post;
    },
  };
  const eventPosts = createEventPosts({ library, now: () => state.now });
  const say = (page: number | string, title = 'A', network: string | undefined = undefined) =>
    eventPosts.described({ site, url: `https://app.example/${page}`, patch: { pageType: 'post', title }, network });
  const counts = () => Object.fromEntries(eventPosts.counts().map(({ outcome, count }) => [outcome, count]));
  return { eventPosts, posts, state, say, counts };
}

test('a site brings a thousand pages an hour, one network brings a twentieth of them, and more in the next hour', async () => {
  const { eventPosts, say, counts, state } = open();
  for (let page = 0; page < 60; page++) say(page, 'A', '203.0.113');
  await eventPosts.drain();
  expect(counts()).toEqual({ written: 50, 'left-out': 10 });
  for (let page = 100; page < 1100; page++) say(page);
  await eventPosts.drain();
  expect(counts()).toEqual({ written: 1000, 'left-out': 60 });
  state.now += HOUR;
  say(59, 'A', '203.0.113');
  await eventPosts.drain();
  expect(counts()).toMatchObject({ written: 1001 });
});

test('the same said of the same page is written once, under the address of its post', async () => {
  const { eventPosts, posts, say, counts, state } = open();
  for (let view = 0; view < 100; view++) say('a/amp');
  await eventPosts.drain();
  for (let view = 0; view < 100; view++) say('a/amp');
  say('a', 'Another title');
  await eventPosts.drain();
  expect([...posts.values()]).toMatchObject([{ url: 'https://app.example/a', title: 'A' }]);
  expect([state.writes, counts()]).toEqual([1, { written: 1, known: 1 }]);
});

test('a page that is no post stays none, whatever events say of it', async () => {
  const { eventPosts, posts, say, counts } = open();
  const url = 'https://app.example/';
  posts.set(url, mergeMetadata(undefined, { url, patch: { pageType: 'other' }, by: 'page', now: 1 }));
  say('');
  await eventPosts.drain();
  expect([posts.get(url)!.title, counts()]).toEqual(['', { known: 1 }]);
});

test('what storage did not take waits on, and is written when it is back', async () => {
  const { eventPosts, posts, say, state, counts } = open();
  state.away = true;
  say(1);
  await expect(eventPosts.tick()).rejects.toThrow('away');
  await eventPosts.tick();
  state.away = false;
  state.now += 5_000;
  await eventPosts.tick();
  expect([posts.size, counts()]).toEqual([1, { written: 1 }]);
});

test('what is said of a page while it is written waits, and is written after it', async () => {
  const { eventPosts, posts, say, state } = open();
  const url = 'https://app.example/1';
  const patch = { pageType: 'post', title: 'A', section: 'News' } as const;
  state.meanwhile = () => eventPosts.described({ site, url, patch, network: undefined });
  say(1);
  await eventPosts.tick();
  expect(posts.get(url)).toMatchObject({ title: 'A', section: '' });
  await eventPosts.tick();
  expect(posts.get(url)).toMatchObject({ title: 'A', section: 'News' });
});

test('no more waits than has room', async () => {
  const { say, counts } = open();
  for (let page = 0; page < 2_100; page++) say(page);
  expect(counts()).toEqual({ 'left-out': 100 });
  const long = open();
  for (let page = 0; page < 100; page++) long.say(page, 'x'.repeat(100_000));
  expect(long.counts()['left-out']).toBeGreaterThan(50);
});
