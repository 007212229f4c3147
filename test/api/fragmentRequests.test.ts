// How a fragment is requested: parameters as PHP writes lists, names with bars in them, languages by region.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { titlesIn } from '../support/fragmentTitles.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const url = (name: string) => `https://paper.example/${name}`;

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const posts = [
    { name: 'harbour', section: 'Sport', authors: ['Ann', 'Bob'], tags: ['Kiel | Hafen'] },
    { name: 'orchard', section: 'Home', authors: ['Ann'], tags: ['Kiel'] },
    { name: 'theatre', section: 'World', authors: ['Bob'], tags: [] },
  ];
  for (const [n, { name, ...post }] of posts.entries()) {
    await room.write(url(name), { ...post, title: name, pubDate: NOW - (n + 1) * HOUR });
    await room.happen({ url: url(name), time: NOW - HOUR }, { url: url(name), time: NOW - HOUR });
  }
});
afterAll(() => room.close());

async function read(path: string): Promise<{ html: string; titles: string[] }> {
  const answer = await room.app.request(`http://stats.example/v2/fragment/${path}&apikey=paper.example`);
  const html = await answer.text();
  return { html, titles: titlesIn(html).sort() };
}

test.each([
  ['top?section[]=Sport&section[]=World', ['harbour', 'theatre']],
  ['top?author[0]=Ann&author[1]=Bob', ['harbour']],
  ['related?sort=pub_date&fill=off&section%5B0%5D=Home', ['orchard']],
  ['related?sort=pub_date&fill=off&exclude[]=section:Home&exclude[]=section:World', ['harbour']],
])('lists as PHP writes them filter as in the list itself: %s', async (path, expected) => {
  expect((await read(path)).titles).toEqual(expected);
});

test('one value as PHP writes it is an attribute, with which the widget asks for the same', async () => {
  expect((await read('top?section[]=Sport')).html).toContain('data-section="Sport"');
});

test('a list without a name that has a bar in it is none of the widget’s, which would ask for two', async () => {
  const { html, titles } = await read('related?sort=pub_date&exclude=tag:Kiel%20%7C%20Hafen');
  expect(titles).toEqual(['orchard', 'theatre']);
  expect(html).not.toContain('data-afterword');
});

test.each([
  ['en-HK', 'Most read'],
  ['en-TW', 'Most read'],
  ['tw', 'Most read'],
  ['zh', '热门文章'],
  ['zh-Hans-HK', '热门文章'],
  ['zh-HK', '熱門文章'],
  ['zh-MO', '熱門文章'],
  ['zh-Hant', '熱門文章'],
])('the heading is in the language, whichever region it is spoken in: %s', async (lang, heading) => {
  expect((await read(`top?lang=${lang}`)).html).toContain(`>${heading}</h2>`);
});
