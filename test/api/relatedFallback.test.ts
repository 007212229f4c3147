// Related posts of a site in two languages, and below a page to which nothing is related.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.UTC(2032, 4, 1, 12);
const DAY = 86_400_000;
const at = (name: string) => `https://paper.example/${name}`;

/** Section, language, how many posts that have no word in common with any other. */
const LONERS: readonly (readonly [section: string, language: string, count: number])[] = [
  ['Sport', 'de', 3],
  ['Cuisine', 'fr', 8],
  ['Kochen', 'de', 12],
];

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  let days = 1;
  const write = (name: string, language: string, [section, title, fullContent]: [string, string, string]) =>
    room.write(at(name), { pageType: 'post', language, section, title, fullContent, pubDate: NOW - days++ * DAY });
  await write('giacometti-fr', 'fr', [
    'Culture',
    'Le Kunsthaus de Zurich expose Giacometti',
    'Le Kunsthaus consacre une exposition au sculpteur Alberto Giacometti, puis la montre à Paris.',
  ]);
  await write('giacometti', 'de-CH', [
    'Kultur',
    'Das Kunsthaus Zürich zeigt Giacometti',
    'Das Kunsthaus widmet dem Bildhauer Alberto Giacometti eine Ausstellung mit Skulpturen und Briefen.',
  ]);
  await write('briefe', 'de-DE', [
    'Kultur',
    'Briefe eines Bildhauers',
    'Ein Band sammelt Briefe, in denen der Bildhauer von Skulpturen und einer Ausstellung erzählt.',
  ]);
  // Nothing in these is anywhere else, and a section that so many have says little.
  for (const [section, language, count] of LONERS)
    for (let i = 0; i < count; i++) {
      const name = `${section}-${i}`.toLowerCase();
      const words = Array.from({ length: 60 }, (_, word) => `${section}q${i}w${word}`.toLowerCase());
      await write(name, language, [section, name, words.join(' ')]);
    }
}, 60_000);

afterAll(() => room.close());

async function related(name: string, params: Record<string, string> = {}): Promise<string[]> {
  const { data } = await room.ask('/related', { url: at(name), ...params });
  return data.map(({ url }) => url.slice(at('').length));
}

test('below a page with a translation, what is related in its own language comes first', async () => {
  expect(await related('giacometti')).toEqual(['briefe', 'giacometti-fr']);
});

test('below a page that nothing is related to, the newest of its section come first, then of its language', async () => {
  const kitchen = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((i) => `kochen-${i}`);
  const list = await related('kochen-11', { limit: '18' });
  expect(list).toEqual([
    ...kitchen,
    'giacometti',
    'briefe',
    'sport-0',
    'sport-1',
    'sport-2',
    'giacometti-fr',
    'cuisine-0',
  ]);
});

test('asked by date the newest come first, whatever they have in common with the page', async () => {
  const list = await related('kochen-11', { limit: '4', sort: 'pub_date' });
  expect(list).toEqual(['giacometti-fr', 'giacometti', 'briefe', 'sport-0']);
});
