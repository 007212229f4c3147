// What must hold of every search, on many small sites, beside a search that reads every post from beginning to end.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import { at, DAY, NOW, post } from '../recommend/corpus.ts';
import { ask, open } from './openSearch.ts';

const WORDS = 'ferry harbour ticket island bread flour baker oven ferry ferry'.split(' ');
const text = (most: number) => fc.array(fc.constantFrom(...WORDS), { maxLength: most }).map((words) => words.join(' '));

const somePost = (number: number): fc.Arbitrary<IndexedPost> =>
  fc
    .record({
      title: text(3),
      fullContent: text(12),
      section: fc.constantFrom('News', 'Life'),
      authors: fc.uniqueArray(fc.constantFrom('Ada Ferry', 'Grace'), { maxLength: 2 }),
      tags: fc.uniqueArray(fc.constantFrom('island bread', 'oven'), { maxLength: 2 }),
      pubDate: fc.option(fc.integer({ min: 0, max: 400 }).map((days) => NOW - days * DAY)),
      listed: fc.boolean().map((often) => often || number % 3 > 0),
    })
    .map((fields) => post(String(number), fields));
const site = fc
  .integer({ min: 1, max: 20 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, i) => somePost(i))));
const unit = fc.array(fc.constantFrom(...WORDS, 'grace', 'ada'), { minLength: 1, maxLength: 3 });
const units = fc.array(fc.record({ words: unit, quoted: fc.boolean() }), { minLength: 1, maxLength: 3 });
type Units = typeof units extends fc.Arbitrary<infer U> ? U : never;

const typed = (asked: Units) =>
  asked.map(({ words, quoted }) => (quoted ? `"${words.join(' ')}"` : words.join(' '))).join(' ');

/** Reads every field of a post: whether each unit's words stand side by side in one of them. */
function hasAll({ title, fullContent, authors, tags, listed }: IndexedPost, asked: Units): boolean {
  const fields = [title, fullContent, ...authors, ...tags].map((field) => ` ${field.toLowerCase()} `);
  const stands = (words: string) => fields.some((field) => field.includes(` ${words} `));
  return listed && asked.every(({ words, quoted }) => (quoted ? stands(words.join(' ')) : words.every(stands)));
}

describe('a search', () => {
  test('finds just the posts that have every word and phrase, where there are any', () => {
    fc.assert(
      fc.property(site, units, (posts, asked) => {
        const wanted = posts.filter((one) => hasAll(one, asked)).map(({ url }) => url.slice(at('').length));
        const found = ask(open(posts).searchIndex, { query: typed(asked) });
        if (wanted.length > 0) expect(found.sort()).toEqual(wanted.sort());
        // Otherwise most of the words are enough, but every phrase is there.
        const phrases = asked.filter(({ quoted }) => quoted);
        for (const name of found) expect(hasAll(posts[Number(name)]!, phrases)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('in pages is the search in one, in both orders', () => {
    fc.assert(
      fc.property(
        site,
        units,
        fc.constantFrom('score' as const, 'pub_date' as const),
        fc.integer({ min: 1, max: 5 }),
        (posts, asked, sort, limit) => {
          const { searchIndex } = open(posts);
          const query = typed(asked);
          const pages = [1, 2, 3].flatMap((page) => ask(searchIndex, { query, sort, limit, page }));
          expect(pages).toEqual(ask(searchIndex, { query, sort, limit: limit * 3 }));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('by date is newest first, and posts without a date last', () => {
    fc.assert(
      fc.property(site, units, (posts, asked) => {
        const found = ask(open(posts).searchIndex, { query: typed(asked), sort: 'pub_date' });
        const dates = found.map((name) => posts[Number(name)]!.pubDate ?? Number.NEGATIVE_INFINITY);
        expect(dates).toEqual([...dates].sort((a, b) => b - a));
      }),
      { numRuns: 100 },
    );
  });

  test('does not depend on what came, changed and left before', () => {
    fc.assert(
      fc.property(site, units, fc.array(fc.nat(19), { maxLength: 12 }), (posts, asked, gone) => {
        const { index, searchIndex } = open(posts);
        for (const n of gone) if (posts[n]) index.put({ ...posts[n], title: 'On its way', fullContent: 'nothing yet' });
        for (const n of gone) index.remove(at(String(n)));
        for (const n of new Set(gone)) if (posts[n]) index.put(posts[n]);
        for (const _ of index.tidy());
        expect(ask(searchIndex, { query: typed(asked) }).sort()).toEqual(
          ask(open(posts).searchIndex, { query: typed(asked) }).sort(),
        );
        expect(searchIndex.size).toBe(posts.length);
      }),
      { numRuns: 100 },
    );
  });

  test('never fails, whatever is typed', () => {
    const { searchIndex } = open([post('0', { title: 'The night ferry', fullContent: 'at ten' })]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (query) => {
        expect(ask(searchIndex, { query }).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });
});

test('phrases are found in just the posts that have them, among two thousand of all lengths', () => {
  // Few words in ever other orders: nearly all posts have all of them, and few have them side by side.
  const words = 'ferry harbour ticket island bread flour baker oven night quay'.split(' ');
  const asked = fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 4 });
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const posts = Array.from({ length: 2000 }, (_, i) => {
    const some = (most: number) => Array.from({ length: random(most) }, () => words[random(words.length)]).join(' ');
    return post(String(i), { title: some(4), fullContent: some(i % 10 === 0 ? 2000 : 40), tags: [some(3) || 'x'] });
  });
  const { searchIndex } = open(posts);
  fc.assert(
    fc.property(asked, fc.integer({ min: 1, max: 600 }), (phrase, limit) => {
      const holding = posts.filter((one) => hasAll(one, [{ words: phrase, quoted: true }]));
      const query = `"${phrase.join(' ')}"`;
      const found = ask(searchIndex, { query, limit: posts.length });
      expect([...found].sort()).toEqual(holding.map(({ url }) => url.slice(at('').length)).sort());
      expect(ask(searchIndex, { query, limit })).toEqual(found.slice(0, limit));
    }),
    { numRuns: 60 },
  );
});

test('after a thousand changes the lists are made anew, while posts come and go', () => {
  const { index, searchIndex } = open([]);
  for (let i = 0; i < 1200; i++)
    index.put(post(String(i % 300), { title: `ferry number${i}`, fullContent: 'harbour' }));
  const before = searchIndex.bytes;
  const steps = searchIndex.tidy();
  for (let i = 0; i < 5; i++) steps.next();
  index.put(post('new', { title: 'a new ferry' }));
  index.remove(at('7'));
  index.put(post('8', { title: 'no longer' }));
  for (const _ of steps);
  const found = ask(searchIndex, { query: 'ferry', limit: 1000 });
  expect(found).toHaveLength(299);
  expect(found).toContain('new');
  expect(found).not.toContain('7');
  expect(found).not.toContain('8');
  expect(searchIndex.bytes).toBeLessThanOrEqual(before);
});

test('on a big site a word nearly all posts have only adds to the score', () => {
  const posts = Array.from({ length: 300 }, (_, i) =>
    post(String(i), { fullContent: i === 5 ? 'a ferry' : 'the island' }),
  );
  const { searchIndex } = open([...posts, post('both', { fullContent: 'the ferry' })]);
  expect(ask(searchIndex, { query: 'the ferry' })).toEqual(['both', '5']);
  expect(ask(searchIndex, { query: '"the" ferry' })).toEqual(['both']);
  expect(ask(searchIndex, { query: 'the', limit: 1000 })).toHaveLength(300);
});

test('a word is no more common for the pages that have it having been read again', () => {
  const posts = Array.from({ length: 200 }, (_, i) => post(String(i), { fullContent: i < 60 ? 'harbour' : 'island' }));
  const asked = [post('one', { fullContent: 'festival' }), post('both', { fullContent: 'harbour festival' })];
  const { index, searchIndex } = open([...posts, ...asked]);
  for (const one of posts) index.put(one);
  expect(ask(searchIndex, { query: 'harbour festival' })).toEqual(['both']);
});

test.each(['CO₂', 'm²', 'H₂O', '№5', '½', 'Ⅳ', 'ﬁnance'])(
  'what is typed as it stands in a title finds it: %s',
  (word) => {
    const { searchIndex } = open([
      post('it', { title: `About ${word} again` }),
      post('other', { title: 'About it again' }),
    ]);
    expect(ask(searchIndex, { query: word })).toEqual(['it']);
    expect(ask(searchIndex, { query: word.normalize('NFKC') })).toEqual(['it']);
  },
);

test('words side by side as they were asked for come before the same words apart, of title and text alike', () => {
  const { searchIndex } = open([
    post('apart', { title: 'a', fullContent: 'The state and its department: a state or a department' }),
    post('turned', { title: 'b', fullContent: 'The department, state by state: and so on, by the quay' }),
    post('together', {
      title: 'c',
      fullContent: 'Once the state department of that island was a single house by the quay.',
    }),
    post('other', { title: 'd', fullContent: 'x' }),
  ]);
  const first = (query: string) => ask(searchIndex, { query })[0];
  expect(first('state department')).toBe('together');
  expect(first('department state')).toBe('turned');
  expect(ask(searchIndex, { query: 'state department' })).toHaveLength(3);
});

test('a word weighs more in the title than in a name, and in a name than in the text; rare ones weigh most', () => {
  const filler = 'flour oven baker bread';
  const { searchIndex } = open([
    post('text', { title: 'a', fullContent: `ferry ${filler}` }),
    post('tag', { title: 'b', fullContent: `x ${filler}`, tags: ['ferry'] }),
    post('title', { title: 'ferry', fullContent: `x ${filler}` }),
  ]);
  expect(ask(searchIndex, { query: 'ferry' })).toEqual(['title', 'tag', 'text']);
});
