// The newest posts of a site, read by their date of publication.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSiteId } from '../../server/sites/site.ts';
import { parsePosts } from '../../server/storage/postRows.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
});
afterAll(() => room.close());

test('posts come as lines from the date of the oldest of the newest so many on; those without a date do not count', async () => {
  const { posts } = room.deps.store;
  const { id } = room.site;
  for (let index = 0; index < 9; index++)
    await room.write(`https://paper.example/${index}`, {
      title: `Post ${index}`,
      pubDate: index < 3 ? null : NOW + index,
    });
  const since = await Promise.all([2, 6, 9].map((most) => posts.newestSince(id, most)));
  expect(since).toEqual([NOW + 7, NOW + 3, NOW + 3]);
  expect(await posts.newestSince(parseSiteId('nobody.example')!, 2)).toBeUndefined();
  const found: string[] = [];
  for await (const lines of posts.lines(id, NOW + 7)) found.push(...[...parsePosts(lines)].map(({ url }) => url));
  expect(found).toEqual(['https://paper.example/7', 'https://paper.example/8']);
});
