// A filter leaves out what it does not let in, and changes nothing else: on a site of a thousand real articles, where no
// answer ever looks at all of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSite } from '../../bench/related/sites.ts';
import { MAX_RECORDS } from '../../server/contract/limits.ts';
import { recommend } from '../../server/recommend/recommend.ts';
import type { RecommendFilters, RecommendRequest } from '../../server/recommend/request.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import type { PostIndex } from '../../server/textindex/postIndex.ts';
import { at, indexOf, learned, NOW, names, request } from './corpus.ts';

const named = (posts: readonly IndexedPost[]) => posts.map((one, n) => ({ ...one, url: at(String(n)) }));
/** The first thousand of a site: no two are copies of one article. */
const articles = named(readSite('digitalgov').posts.slice(0, 1000));

interface Question {
  url?: string;
  read?: string[];
  /** What other readers read, a session a text. */
  sessions?: string[];
  sort: 'score' | 'pub_date';
}

/** Below a post, for a reader, or both; by score or by date; with what others read. */
const questionTo = (posts: readonly IndexedPost[]): fc.Arbitrary<Question> => {
  const name = fc.nat(posts.length - 1).map(String);
  const read = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });
  const session = fc.uniqueArray(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('>'));
  const sessions = fc.array(session, { maxLength: 12 });
  const sort = fc.constantFrom('score' as const, 'pub_date' as const);
  const url = name.map(at);
  return fc.oneof(
    fc.record({ url, sort }),
    fc.record({ url, read, sessions, sort }),
    fc.record({ read, sessions, sort }),
  );
};

const asked = ({ read, sessions, ...rest }: Question): Partial<RecommendRequest> => ({
  ...rest,
  ...(read && { visits: read.map((name, back) => ({ url: at(name), time: NOW - back })) }),
  ...(sessions && { readers: learned(...sessions) }),
});

/** One or two filters with values that posts of the site have. */
const filterOf = (posts: readonly IndexedPost[]): fc.Arbitrary<RecommendFilters> => {
  const one = <T>(of: (post: IndexedPost) => readonly T[]) => fc.constantFrom(...new Set(posts.flatMap(of)));
  const [section, author, tag] = [
    one(({ section }) => [section]),
    one(({ authors }) => authors),
    one(({ tags }) => tags),
  ];
  const date = one(({ pubDate }) => (pubDate === null ? [] : [pubDate]));
  const refused = fc.oneof(
    fc.record({ meta: fc.constant('section' as const), value: section }),
    fc.record({ meta: fc.constant('authors' as const), value: author }),
    fc.record({ meta: fc.constant('tags' as const), value: tag }),
  );
  const single = fc.oneof<fc.Arbitrary<RecommendFilters>[]>(
    fc.record({ sections: fc.uniqueArray(section, { minLength: 1, maxLength: 8 }) }),
    fc.record({ authors: fc.tuple(author) }),
    fc.record({ tags: fc.tuple(tag) }),
    fc.record({ exclude: fc.array(refused, { minLength: 1, maxLength: 4 }) }),
    fc.record({ pubDateStart: date }),
    fc.record({ pubDateEnd: date }),
  );
  return fc.tuple(single, single).map(([first, second]) => ({ ...first, ...second }));
};

function passes({ section, authors, tags, pubDate }: IndexedPost, filters: RecommendFilters): boolean {
  const mine = { section: [section], authors, tags };
  return (
    (filters.sections ?? [section]).includes(section) &&
    (filters.authors ?? []).every((author) => authors.includes(author)) &&
    (filters.tags ?? []).every((tag) => tags.includes(tag)) &&
    !(filters.exclude ?? []).some(({ meta, value }) => mine[meta].includes(value)) &&
    (filters.pubDateStart === undefined || (pubDate !== null && pubDate >= filters.pubDateStart)) &&
    (filters.pubDateEnd === undefined || pubDate === null || pubDate <= filters.pubDateEnd)
  );
}

const answer = (index: PostIndex, question: Question, changes: Partial<RecommendRequest> = {}) =>
  recommend(index, request({ limit: MAX_RECORDS, ...asked(question), ...changes }), NOW);
const postOf = (posts: readonly IndexedPost[], { url }: { url: string }) => posts[Number(url.slice(at('').length))]!;

test('of a thousand articles a filter leaves those it lets in, in the same order and with the same scores', () => {
  const index = indexOf(articles);
  fc.assert(
    fc.property(
      questionTo(articles),
      filterOf(articles),
      fc.uniqueArray(fc.nat(articles.length - 1), { maxLength: 20 }),
      (q, filters, hidden) => {
        const excluded = new Set(hidden.map((n) => at(String(n))));
        const left = answer(index, q).filter((one) => passes(postOf(articles, one), filters) && !excluded.has(one.url));
        expect(answer(index, q, { filters, excluded })).toEqual(left);
      },
    ),
    { numRuns: 60 },
  );
});

test('however few are asked for, they are the first of all, best first', () => {
  const index = indexOf(articles);
  fc.assert(
    fc.property(questionTo(articles), filterOf(articles), fc.integer({ min: 1, max: 40 }), (q, filters, limit) => {
      const all = answer(index, q, { filters });
      const pages = [1, 2].flatMap((page) => answer(index, q, { filters, limit, page }));
      expect(pages).toEqual(all.slice(0, limit * 2));
      // Behind the others stand those beyond the four best of a series, best first again.
      const rises = all.filter(({ score }, place) => score > (all[place - 1]?.score ?? Number.POSITIVE_INFINITY));
      if (q.sort === 'score') expect(rises.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 50 },
  );
});

const COPIES = 150;

/** Every third article three times, by other people, in other sections and at other times. */
function withCopies(): { posts: IndexedPost[]; original: (post: { url: string }) => number } {
  const some = articles.slice(0, COPIES * 3);
  const copies = [0, 1].flatMap((edition) =>
    some
      .filter((_, n) => n % 3 === 0)
      .map((one, n) => ({
        ...articles[(n * 7 + edition * 450) % articles.length]!,
        title: one.title,
        fullContent: `${one.fullContent} Printed in edition ${edition}.`,
      })),
  );
  const posts = named([...some, ...copies]);
  const original = ({ url }: { url: string }) => {
    const n = Number(url.slice(at('').length));
    return n < some.length ? n : ((n - some.length) % COPIES) * 3;
  };
  return { posts, original };
}

test('of several copies the first that a filter lets in is shown', () => {
  const { posts, original } = withCopies();
  const index = indexOf(posts);
  fc.assert(
    fc.property(questionTo(posts), filterOf(posts), (q, filters) => {
      const all = answer(index, q);
      // In a longer list, copies that stand far apart are not looked for.
      fc.pre(all.length <= 130);
      const some = answer(index, q, { filters });
      const shown = all.map(original);
      expect(new Set(shown).size).toBe(shown.length);
      // What comes in is a copy of what was shown and is not let in; nothing else comes, goes or moves.
      const left = all.filter((one) => passes(postOf(posts, one), filters));
      const kept = new Set(left.map(({ url }) => url));
      for (const one of some) {
        expect(passes(postOf(posts, one), filters)).toBe(true);
        if (!kept.has(one.url)) expect(shown).toContain(original(one));
      }
      expect(names(some.filter(({ url }) => kept.has(url)))).toEqual(names(left));
    }),
    { numRuns: 50 },
  );
});
