// What must hold of every answer, on many small sites.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recommend } from '../../server/recommend/recommend.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import { RARITY_POWER } from '../../server/textindex/settings.ts';
import { ask, at, DAY, indexOf, learned, NOW, names, post, request, settle } from './corpus.ts';

const WORDS = 'ferry harbour ticket island bread flour baker oven chess rook pawn endgame the a of and'.split(' ');
const NAMES = ['Ada', 'Grace', 'Alan'];
const TAGS = ['travel', 'food', 'games', 'night'];

const text = (most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most }).map((words) => words.join(' '));

const somePost = (number: number): fc.Arbitrary<IndexedPost> =>
  fc
    .record({
      title: text(4),
      fullContent: text(40),
      section: fc.constantFrom('', 'News', 'Life'),
      authors: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
      tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
      pubDate: fc.option(fc.integer({ min: 0, max: 400 }).map((days) => NOW - days * DAY)),
      listed: fc.boolean().map((often) => often || number % 3 > 0),
    })
    .map((fields) => post(String(number), fields));

const site = fc
  .integer({ min: 2, max: 25 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, i) => somePost(i))));

const share = fc.constantFrom(0, 0.3, 1);

/** Questions to a site whose posts have numbers up to `last` for names. */
const questionTo = (last: number) =>
  fc.record({
    url: fc.option(
      fc.nat(last).map((n) => at(String(n))),
      { nil: undefined },
    ),
    read: fc.uniqueArray(fc.nat(last), { maxLength: 4 }),
    hidden: fc.uniqueArray(fc.nat(last), { maxLength: 4 }),
    sort: fc.constantFrom('score' as const, 'pub_date' as const),
    respectEmpty: fc.boolean(),
    /** What other readers read, a session a list. */
    sessions: fc.array(fc.uniqueArray(fc.nat(last), { minLength: 1, maxLength: 5 }), { maxLength: 12 }),
    dials: fc.record(
      { mix: share, freshness: share, diversity: share, popularity: share },
      // What is left out has its default.
      { requiredKeys: [] },
    ),
  });
const question = questionTo(30);
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

const asked = ({ url, read, hidden, sessions, ...rest }: Question) => ({
  ...rest,
  ...(url !== undefined && { url }),
  visits: read.map((n, back) => ({ url: at(String(n)), time: NOW - back })),
  readers: learned(...sessions.map((session) => session.join('>'))),
  excluded: new Set(hidden.map((n) => at(String(n)))),
});

test('never the post being read, nor one that was read, excluded, not listed or not out yet; none twice', () => {
  fc.assert(
    fc.property(site, question, (posts, q) => {
      const index = indexOf(posts);
      const found = ask(index, { ...asked(q), limit: 100 });
      // With the mix at 0 the page decides alone, whatever was read.
      const byPage = q.url !== undefined && q.dials.mix === 0;
      const forbidden = new Set([...(byPage ? [] : q.read), ...q.hidden].map(String));
      expect(new Set(found).size).toBe(found.length);
      for (const name of found) {
        expect(at(name)).not.toBe(q.url);
        expect(forbidden.has(name)).toBe(false);
        expect(posts[Number(name)]!.listed).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

test('a filter only removes: what is left passes it and keeps its order', () => {
  fc.assert(
    fc.property(site, question, fc.constantFrom(...TAGS), (posts, q, tag) => {
      const index = indexOf(posts);
      // Limits of diversity put others in the place of what is left out.
      const unlimited = { ...asked(q), dials: { ...q.dials, diversity: 0 }, respectEmpty: true, limit: 100 };
      const all = ask(index, unlimited);
      const some = ask(index, { ...unlimited, filters: { tags: [tag] } });
      for (const name of some) expect(posts[Number(name)]!.tags).toContain(tag);
      // Which of several copies is shown may change with the filter; of everything else the order stays.
      const kept = all.filter((name) => some.includes(name));
      expect(some.filter((name) => kept.includes(name))).toEqual(kept);
    }),
    { numRuns: 100, examples: [tasteAndReaders()] },
  );
});

/** A filter once moved a post: what a taste says was measured against the best post the filter let through. */
function tasteAndReaders(): [IndexedPost[], Question, string] {
  const tags: Record<number, string[]> = { 8: ['travel'], 11: ['travel', 'food'], 12: ['food'], 14: ['travel'] };
  const posts = Array.from({ length: 15 }, (_, n) =>
    post(String(n), {
      title: 'ferry',
      fullContent: n === 14 ? 'the harbour and' : 'ferry',
      tags: tags[n] ?? [],
      pubDate: n === 11 ? NOW - DAY : null,
      listed: ![0, 3, 6, 9].includes(n),
    }),
  );
  const sessions = [
    [0, 11],
    [14, 1],
  ];
  return [
    posts,
    { url: undefined, read: [11], hidden: [], sort: 'score', respectEmpty: false, sessions, dials: {} },
    'travel',
  ];
}

test('page 1 and page 2 of n are the first 2n, and the same question has the same answer', () => {
  fc.assert(
    fc.property(site, question, fc.integer({ min: 1, max: 6 }), (posts, q, limit) => {
      const index = indexOf(posts);
      const pages = [1, 2].flatMap((page) => ask(index, { ...asked(q), limit, page }));
      expect(pages).toEqual(ask(index, { ...asked(q), limit: limit * 2 }));
      expect(recommend(index, request({ ...asked(q), limit }), NOW)).toEqual(
        recommend(indexOf(posts), request({ ...asked(q), limit }), NOW),
      );
    }),
    { numRuns: 75 },
  );
});

test('however posts came, left and came back, the site is the same', () => {
  const unlike = (posts: IndexedPost[]) =>
    posts.map((one, i) => ({
      ...one,
      title: `${one.title} number${i}`,
      fullContent: `about${i} matter${i} thing${i}`,
    }));
  fc.assert(
    fc.property(site, question, fc.array(fc.nat(24), { maxLength: 10 }), (some, q, gone) => {
      const posts = unlike(some);
      const index = indexOf(posts);
      for (const n of gone) index.remove(at(String(n)));
      for (const n of gone) if (posts[n]) index.put({ ...posts[n], title: 'On its way', fullContent: 'Nothing yet' });
      for (const n of new Set(gone)) if (posts[n]) index.put(posts[n]);
      settle(index);
      expect(index.size).toBe(posts.length);
      const recent = { excluded: asked(q).excluded, limit: 100, respectEmpty: false };
      expect(ask(index, recent)).toEqual(ask(indexOf(posts), recent));
    }),
    { numRuns: 50 },
  );
});

test('a post about something else reorders the rest by no more than it makes words rarer', () => {
  const rarity = (posts: number, size: number) => Math.log(1 + size / posts) ** RARITY_POWER;
  fc.assert(
    fc.property(site, fc.nat(24), (posts, asked) => {
      const url = at(String(asked));
      const stranger = post('x', {
        title: 'Quarrels abroad',
        fullContent: 'Nothing which anybody else ever wrote about.',
      });
      const answer = (all: readonly IndexedPost[]) => recommend(indexOf(all), request({ url, limit: 100 }), NOW);
      const before = answer(posts);
      const after = names(answer([...posts, stranger]));
      // A word of all posts gains most from one more post, a word of one post least; a score is a product of two such
      // words over two lengths, and of what tags in common say.
      const gain = (having: number) => rarity(having, posts.length + 1) / rarity(having, posts.length);
      const drift = (gain(posts.length) / gain(1)) ** 6;
      for (const [place, one] of before.entries()) {
        const behind = before.slice(place + 1).filter(({ score }) => score * drift < one.score);
        const [name, ...others] = names([one, ...behind]);
        for (const other of others) {
          if (!after.includes(name!) || !after.includes(other)) continue;
          expect(after.indexOf(name!)).toBeLessThan(after.indexOf(other));
        }
      }
    }),
    { numRuns: 75 },
  );
});

test('without a visitor profiles are not read', () => {
  fc.assert(
    fc.property(site, question, (posts, q) => {
      const index = indexOf(posts);
      const { visits: _, dials: __, readers, ...rest } = asked(q);
      expect(ask(index, { ...rest, readers })).toEqual(ask(index, rest));
    }),
    { numRuns: 50 },
  );
});

test('with the mix at 0 a page answers as it does without readers, scores included', () => {
  fc.assert(
    fc.property(site, question, (posts, q) => {
      const index = indexOf(posts);
      const { visits, readers, ...rest } = { ...asked(q), url: at('0'), limit: 100 };
      const dials = { ...q.dials, mix: 0, popularity: 0 };
      const alone = recommend(index, request({ ...rest, dials }), NOW);
      expect(recommend(index, request({ ...rest, dials, visits, readers }), NOW)).toEqual(alone);
    }),
    { numRuns: 100 },
  );
});

test('between page and readers no post is lost: each that the page alone or the readers bring is listed', () => {
  fc.assert(
    fc.property(site, question, (some, q) => {
      // No two alike, or another of several copies might be shown.
      const posts = some.map((one, i) => ({
        ...one,
        fullContent: `${one.fullContent} about${i} matter${i} thing${i}`,
      }));
      const index = indexOf(posts);
      const { readers, ...rest } = { ...asked(q), url: at('0'), respectEmpty: true, limit: 100 };
      const listed = (mix: number, of = readers) => ask(index, { ...rest, dials: { mix }, readers: of });
      const mixed = listed(0.5);
      expect(mixed).toEqual(expect.arrayContaining(listed(0.5, learned())));
      expect([...mixed].sort()).toEqual(listed(1).sort());
    }),
    { numRuns: 50 },
  );
});
