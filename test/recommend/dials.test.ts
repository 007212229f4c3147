// The dials of related posts: what each does to one list, and that none of them leaves a post out.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeDials, DIALS, resolveDials } from '../../server/contract/dials.ts';
import { ask, at, DAY, indexOf, learned, NOW, post } from './corpus.ts';

const FERRY = 'The night ferry leaves the old harbour; tickets are sold at the kiosk.';

/** Twelve posts about one thing, the closest first: of one section, author and tag, but for the last four. */
const posts = [
  post('page', { title: 'The night ferry', fullContent: FERRY, pubDate: NOW - 400 * DAY }),
  ...Array.from({ length: 12 }, (_, n) =>
    post(`post${n}`, {
      title: `Matter${n} ${'ferry '.repeat(13 - n)}`,
      fullContent: `${FERRY} about${n} thing${n} ${`other${n} `.repeat(n * 3)}`,
      section: n < 8 ? 'News' : `Life${n}`,
      authors: n < 8 ? ['Ada'] : [`Author${n}`],
      tags: n < 8 ? ['travel'] : [],
      pubDate: NOW - (n === 11 ? 1 : 400) * DAY,
    }),
  ),
];
/** Terms of more than a tenth of the posts are too common to count. */
const strangers = Array.from({ length: 200 }, (_, n) => post(`x${n}`, { fullContent: `quarrel${n} abroad${n}` }));
const index = indexOf([...posts, ...strangers]);
const list = (dials: object, changes: object = {}) => ask(index, { url: at('page'), dials, limit: 12, ...changes });
const alone = list({});

test('diversity lets only so many of ten share a section, an author or a tag, and loses none', () => {
  const isNews = (name: string) => Number(name.slice(4)) < 8;
  expect(alone.slice(0, 10).filter(isNews)).toHaveLength(8);
  expect(list({ diversity: 0.5 }).slice(0, 10).filter(isNews).length).toBeLessThanOrEqual(8);
  // Of twelve only four are of another section: the rest of the ten has to be filled.
  expect(list({ diversity: 1 }).slice(0, 6).filter(isNews)).toHaveLength(2);
  for (const diversity of [0.5, 1]) expect(list({ diversity }).sort()).toEqual([...alone].sort());
});

test('diversity counts anew after ten posts: the next ten have as many of a section as the first', () => {
  const about = (name: string, section: string, others: number) =>
    post(name, { section, title: `Matter${name}`, fullContent: `${FERRY} ${name} ${`of${name} `.repeat(others)}` });
  const many = Array.from({ length: 6 }, (_, n) => about(`many${n}`, 'many', 0));
  const few = Array.from({ length: 20 }, (_, n) => about(`few${n}`, `few${n}`, 12));
  const others = Array.from({ length: 400 }, (_, n) => post(`y${n}`, { fullContent: `dispute${n} inland${n}` }));
  const index = indexOf([posts[0]!, ...many, ...few, ...others]);
  const found = ask(index, { url: at('page'), dials: { diversity: 1 }, limit: 20 });
  const ofMany = (some: string[]) => some.filter((name) => name.startsWith('many')).length;
  expect([ofMany(found.slice(0, 10)), ofMany(found.slice(10, 20))]).toEqual([2, 2]);
});

test('diversity leaves a list by date in the order of the dates', () => {
  const sort = 'pub_date';
  expect(list({ diversity: 1 }, { sort })).toEqual(list({}, { sort }));
});

test('parts of a series are one in the same respect, by their titles', () => {
  const parts = Array.from({ length: 6 }, (_, n) =>
    post(`part${n}`, { title: `The harbour chronicle part ${n}`, fullContent: `${FERRY} about${n} thing${n}` }),
  );
  const others = Array.from({ length: 4 }, (_, n) =>
    post(`other${n}`, { title: `Matter${n}`, fullContent: `${FERRY} what${n} ${`else${n} `.repeat(12)}` }),
  );
  const series = indexOf([posts[0]!, ...parts, ...others, ...strangers]);
  const first = (diversity: number) => ask(series, { url: at('page'), dials: { diversity }, limit: 6 });
  const isPart = (name: string) => name.startsWith('part');
  // Of a series four, whatever the dial says.
  expect(first(0).filter(isPart)).toHaveLength(4);
  expect(first(1).filter(isPart)).toHaveLength(2);
});

test('freshness prefers what is new, popularity what is read most now', () => {
  expect(alone.at(-1)).toBe('post11');
  expect(list({ freshness: 1 })[0]).toBe('post11');
  const readers = learned('post6', 'post6', 'post6', 'post2');
  const popular = list({ popularity: 1 }, { readers });
  expect(popular.indexOf('post6')).toBeLessThan(alone.indexOf('post6'));
  expect(list({ popularity: 0 }, { readers })).toEqual(alone);
});

test('pages of any length are of one list, with every dial', () => {
  const share = fc.constantFrom(0, 0.3, 0.7, 1);
  const dials = fc.record({ mix: share, freshness: share, diversity: share, popularity: share });
  const readers = learned('page>post3>post9', 'page>post3', 'post1>post2');
  fc.assert(
    fc.property(dials, fc.integer({ min: 1, max: 6 }), (dials, limit) => {
      const pages = [1, 2].flatMap((page) => list(dials, { readers, limit, page }));
      expect(pages).toEqual(list(dials, { readers, limit: limit * 2 }));
      expect(new Set(list(dials, { readers })).size).toBe(12);
    }),
    { numRuns: 60 },
  );
});

test('a dial is that of the request, else of the site, else the default; without a page there is nothing to mix', () => {
  const page = { url: true, visits: false };
  expect(resolveDials(page, undefined, undefined)).toEqual({ mix: 0, freshness: 0, diversity: 0, popularity: 0 });
  expect(resolveDials({ url: true, visits: true }).mix).toBeGreaterThan(0);
  expect(resolveDials(page, { mix: 0 }, { mix: 1, freshness: 0.5 })).toMatchObject({ mix: 0, freshness: 0.5 });
  expect(resolveDials({ url: false, visits: true }, { mix: 1 }).mix).toBe(0);
});

test('a change of dials leaves what it does not name, and null clears', () => {
  const some = { mix: 0.5, freshness: 0.2 };
  expect(changeDials(some, {})).toEqual(some);
  expect(changeDials(some, { mix: null, diversity: 0 })).toEqual({ freshness: 0.2, diversity: 0 });
  expect(changeDials(some, Object.fromEntries(DIALS.map(({ name }) => [name, null])))).toBeUndefined();
});
