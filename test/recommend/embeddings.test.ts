// Vectors the operator brought: they reorder what words found, lift what is alike, and change nothing where there is none.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explain } from '../../server/recommend/explain.ts';
import { recommend } from '../../server/recommend/recommend.ts';
import { Embeddings, quantised } from '../../server/textindex/embeddings.ts';
import { ask, at, indexOf, NOW, post, request } from './corpus.ts';

const TAGS = ['travel', 'food', 'games'];

/** Posts of one subject, each with words of its own, so that none repeats another. */
const site = fc
  .array(
    fc.record({
      words: fc.array(fc.constantFrom(...'ferry harbour ticket island bread flour'.split(' ')), { minLength: 3 }),
      tag: fc.constantFrom(...TAGS),
      listed: fc.boolean(),
      vector: fc.option(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 4, maxLength: 4 })),
    }),
    { minLength: 3, maxLength: 20 },
  )
  .map((posts) =>
    posts.map(({ words, tag, listed, vector }, i) => ({
      ...post(String(i), {
        title: words[0]!,
        fullContent: `${words.join(' ')} about${i} matter${i} thing${i}`,
        tags: [tag],
        listed,
      }),
      vector,
    })),
  );

function withVectors(posts: typeof site extends fc.Arbitrary<infer S> ? S : never) {
  const index = indexOf(posts);
  for (const { url, vector } of posts) {
    if (vector?.some((one) => one !== 0)) {
      index.catalogue.embeddings.put({ url, vector: quantised(vector), updatedAt: NOW });
    }
  }
  return index;
}

test('vectors only change the order: no filtered, excluded, read or unlisted post comes in, and none goes', () => {
  fc.assert(
    fc.property(site, fc.nat(19), fc.constantFrom(undefined, ...TAGS), (posts, hidden, tag) => {
      const asked = {
        url: at('0'),
        excluded: new Set([at(String(hidden))]),
        filters: tag === undefined ? {} : { tags: [tag] },
        visits: [{ url: at('1'), time: NOW }],
        limit: 100,
      };
      const found = ask(withVectors(posts), asked);
      expect(found.toSorted()).toEqual(ask(indexOf(posts), asked).sort());
      for (const name of found) {
        expect(posts[Number(name)]).toMatchObject({ listed: true, ...(tag !== undefined && { tags: [tag] }) });
        expect(['0', '1', String(hidden)]).not.toContain(name);
      }
    }),
    { numRuns: 100 },
  );
});

test('without a vector of the post being read nothing changes, to the bit', () => {
  fc.assert(
    fc.property(site, (posts) => {
      const asked = request({ url: at('0'), limit: 100 });
      const others = withVectors(posts.map((one, i) => (i === 0 ? { ...one, vector: null } : one)));
      const plain = recommend(indexOf(posts), asked, NOW);
      expect(recommend(others, asked, NOW)).toEqual(plain);
      const cleared = withVectors(posts);
      cleared.catalogue.embeddings.clear(NOW + 1);
      expect(recommend(cleared, asked, NOW)).toEqual(plain);
    }),
    { numRuns: 50 },
  );
});

const ferries = ['a', 'b', 'c', 'd'].map((name) =>
  post(name, { title: `Ferry ${name}`, fullContent: `The ferry leaves the harbour. ${name}1 ${name}2 ${name}3` }),
);

test('of posts that are as close in words, the one alike in its vector comes first, and the reason is given', () => {
  for (const [near, far] of ['bc', 'cb']) {
    const index = indexOf(ferries);
    const put = (name: string, vector: number[]) =>
      index.catalogue.embeddings.put({ url: at(name), vector: quantised(vector), updatedAt: NOW });
    put('a', [1, 0.1, 5]);
    put(near!, [0.9, 0.2, 5]);
    put(far!, [-1, 0.3, 5]);
    const asked = request({ url: at('a') });
    const found = recommend(index, asked, NOW);
    expect(found[0]!.url).toBe(at(near!));
    const posts = found.map((one) => ({ ...ferries.find(({ url }) => url === one.url)!, ...one }));
    const parts = new Map(explain(index, asked, { posts, now: NOW }).map((one) => [one.url, one]));
    expect(parts.get(at(near!))!.parts.vectors).toBeGreaterThan(1.3);
    expect(parts.get(at(far!))!.parts.vectors).toBe(1);
    expect(parts.get(at('d'))!.parts.vectors).toBe(1);
    for (const { parts: each, score } of parts.values()) {
      expect(Object.values(each).reduce((product, part) => product * part, 1) / score).toBeCloseTo(1, 4);
    }
  }
  const plain = indexOf(ferries);
  const posts = recommend(plain, request({ url: at('a') }), NOW).map((one) => ({ ...ferries[1]!, ...one }));
  expect(explain(plain, request({ url: at('a') }), { posts, now: NOW })[0]!.parts).not.toHaveProperty('vectors');
});

test('a cosine in bytes is that of the numbers around their mean', () => {
  const vectors = fc.array(
    fc
      .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 16, maxLength: 16 })
      .filter((one) => Math.hypot(...one) > 0.5),
    { minLength: 3, maxLength: 30 },
  );
  fc.assert(
    fc.property(vectors, fc.nat(29), (given, gone) => {
      const embeddings = new Embeddings();
      for (const [at, one] of given.entries()) {
        embeddings.put({ url: `passing ${at}`, vector: quantised(one.map((part) => 1 - part)), updatedAt: 1 });
        embeddings.put({ url: String(at), vector: quantised(one), updatedAt: 1 });
        embeddings.remove(`passing ${at}`);
      }
      const left = given.length > 3 ? given.filter((_, at) => at !== gone) : given;
      if (left.length < given.length) embeddings.remove(String(gone));
      const units = left.map((one) => one.map((part) => part / Math.hypot(...one)));
      const mean = units[0]!.map((_, at) => units.reduce((sum, one) => sum + one[at]!, 0) / units.length);
      const around = units.map((one) => one.map((part, at) => part - mean[at]!));
      const names = given.flatMap((one, at) => (left.includes(one) ? [String(at)] : []));
      // Beside the mean there is no direction that bytes could tell.
      if (around.some((one) => Math.hypot(...one) < 0.2)) return;
      const dot = around[0]!.reduce((sum, part, at) => sum + part * around[1]![at]!, 0);
      const cosine = dot / (Math.hypot(...around[0]!) * Math.hypot(...around[1]!));
      expect(Math.abs(embeddings.alikeTo(names[0]!)!(names[1]!) - cosine)).toBeLessThan(0.03);
    }),
    { numRuns: 100 },
  );
});

test('what is older than what is known, or was removed since, is not taken in; another dimension begins a new set', () => {
  const embeddings = new Embeddings();
  const put = (url: string, vector: number[], updatedAt: number) =>
    embeddings.put({ url, vector: quantised(vector), updatedAt });
  put('a', [1, 0], 5);
  put('a', [0, 1], 4);
  put('b', [1, 0.1], 5);
  put('c', [0, 1], 5);
  expect(embeddings.alikeTo('a')!('b')).toBeGreaterThan(0.9);
  expect(embeddings.alikeTo('a')!('c')).toBeLessThan(0);
  put('d', [1, 2, 3], 6);
  expect([embeddings.size, embeddings.dimension, embeddings.timeOf('a')]).toEqual([1, 3, -1]);
  embeddings.clear(8);
  put('a', [1, 0], 7);
  expect(embeddings.size).toBe(0);
  put('a', [1, 0], 8);
  expect([embeddings.size, embeddings.dimension]).toEqual([1, 2]);
});

test('a thousand vectors and more stand in pages of bytes, a byte a dimension', () => {
  const embeddings = new Embeddings();
  for (let n = 0; n < 3000; n++) {
    const vector = Array.from({ length: 64 }, (_, at) => Math.sin(n * 64 + at));
    embeddings.put({ url: String(n), vector: quantised(vector), updatedAt: 1 });
  }
  expect(embeddings.bytes).toBe(3072 * (64 + 12) + 64 * 8);
  expect(embeddings.alikeTo('2999')!('2999')).toBeCloseTo(1, 5);
  expect(Math.abs(embeddings.alikeTo('7')!('2999'))).toBeLessThanOrEqual(1);
});
