// A question whose last word is not typed to its end.
import { describe, expect, test, vi } from 'vitest';
import { SearchIndex } from '../../server/search/searchIndex.ts';
import { PostIndex } from '../../server/textindex/postIndex.ts';
import { at, post } from '../recommend/corpus.ts';
import { ask, open } from './openSearch.ts';

const POSTS = [
  post('budget', { title: 'The government budget', fullContent: 'Is late again.', authors: ['Grace Hopper'] }),
  post('governor', { title: 'A governor resigns', fullContent: 'Of the government, too.', tags: ['Slow travel'] }),
  post('agencies', { title: 'Agencies and their policies', fullContent: 'Ordinary.' }),
  post('cafe', { title: 'Un café à Zürich', fullContent: 'Fermé.' }),
  post('art', { title: 'The art of rest', fullContent: 'On a bench.' }),
  post('artists', { title: 'Artists at rest', fullContent: 'Artists, artists, artists.' }),
  post('moscow', { title: 'Москва зимой', fullContent: 'Снег.' }),
  post('tokyo', { title: '東京オリンピック', fullContent: '京都。' }),
];
const { index, searchIndex } = open(POSTS);
const found = (query: string, prefix = true) => ask(searchIndex, { query, prefix });

test.each<[string, string[]]>([
  ['gover', ['governor', 'budget']],
  ['GOVER', ['governor', 'budget']],
  ['governo', ['governor']],
  ['budget gov', ['budget']],
  ['hop', ['budget']],
  ['grace hop', ['budget']],
  ['slow tra', ['governor']],
  ['agenc', ['agencies']],
  ['agenci', ['agencies']],
  ['agencie', ['agencies']],
  ['agencies', ['agencies']],
  ['agencies polic', ['agencies']],
  ['caf', ['cafe']],
  ['CAFÉ À ZÜR', ['cafe']],
  ['моск', ['moscow']],
  ['東', ['tokyo']],
  ['東京オリ', ['tokyo']],
])('is answered by the words it may become: %s', (query, expected) => {
  expect(found(query).sort()).toEqual([...expected].sort());
});

test('is answered by every beginning of a title', () => {
  const title = 'The government budget';
  for (let length = 1; length <= title.length; length++) {
    expect(found(title.slice(0, length)), title.slice(0, length)).toContain('budget');
  }
});

test.each(['gover ', 'gover "', '"gover"', 'gover, late', 'gover!'])(
  'is not looked for as the beginning of a word where it is at its end: %s',
  (query) => {
    expect(found(query)).toEqual([]);
  },
);

test('is looked for as it is where that is not asked for', () => {
  expect(found('gover', false)).toEqual([]);
});

test('has what is complete before what is not', () => {
  expect(found('art')).toEqual(['art', 'artists']);
});

test('is corrected as a whole word is where no word begins with it', () => {
  expect(found('goverment').sort()).toEqual(['budget', 'governor']);
});

test('is answered by posts as they are now, in pages that are parts of the whole', () => {
  index.put(post('new', { title: 'Governance', fullContent: 'Once.' }));
  const all = found('govern');
  expect([...all].sort()).toEqual(['budget', 'governor', 'new']);
  const pages = [1, 2, 3].flatMap((page) => ask(searchIndex, { query: 'govern', prefix: true, limit: 1, page }));
  expect(pages).toEqual(all);
  index.remove(at('new'));
  expect(found('governance')).toEqual([]);
});

test('is answered by an index that was restored from a snapshot, too', () => {
  const written = open([]);
  for (const one of POSTS) written.index.put(one, { deferred: true });
  for (const _ of written.index.tidy());
  const restored = new PostIndex();
  const search = new SearchIndex(restored);
  restored.follower = search;
  const parts = [...written.index.snapshot(), ...written.searchIndex.documents.snapshot()];
  for (const part of structuredClone(parts)) {
    expect(restored.restore(part)).toBe(true);
    search.restore(part);
  }
  // Of a post that is restored no text is read.
  for (const one of POSTS) {
    expect(restored.restore({ ...one, fullContent: '' }, written.index.find(one.url))).toBe(true);
  }
  const asked = ['gover', 'hop', 'slow tra', 'моск'];
  const answers = (of: SearchIndex) => asked.map((query) => ask(of, { query, prefix: true }));
  expect(answers(search)).toEqual(answers(written.searchIndex));
  expect(answers(search).every(({ length }) => length > 0)).toBe(true);
});

describe('in fifty thousand posts', () => {
  const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
  const wordOf = (n: number) => `s${LETTERS[n % 26]}${LETTERS[Math.floor(n / 26) % 26]}${n}`;
  const { searchIndex: large } = open(
    Array.from({ length: 50_000 }, (_, n) =>
      post(`${n}`, { title: `${wordOf(n)} ${wordOf(n % 700)} some`, fullContent: `some ${wordOf(n % 40)}` }),
    ),
  );

  test('one letter compares few words, and reads no more postings than a question of words may', () => {
    const read = vi.spyOn(large.documents.postings, 'read');
    const compared = vi.spyOn(String.prototype, 'startsWith');
    const answer = ask(large, { query: 's', prefix: true, limit: 10 });
    const comparisons = compared.mock.calls.length;
    const postings = read.mock.results.reduce((sum, { value }) => sum + value.count, 0);
    vi.restoreAllMocks();
    expect(answer).toHaveLength(10);
    expect(comparisons).toBeLessThanOrEqual(4096);
    expect(read.mock.calls.length).toBeLessThanOrEqual(20);
    expect(postings).toBeLessThanOrEqual(60_000);
  });
});
