// The bound never rules out a pair of posts that the full comparison finds alike, and rules out nearly all others.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grow } from '../../bench/related/grow.ts';
import { readSite, SITES } from '../../bench/related/sites.ts';
import { Workspace } from '../../server/recommend/workspace.ts';
import type { PostIndex } from '../../server/textindex/postIndex.ts';
import { indexOf, post } from './corpus.ts';

const WORDS = Array.from({ length: 300 }, (_, number) => `w${number}`);
const LEASTS = [0.02, 0.1, 0.5, 0.85, 0.99];

const { pair, cosineBound } = new Workspace();

/** The highest threshold that the full comparison finds reached. */
function cosine(index: PostIndex, a: number, b: number): number {
  let [low, high] = [0, 4];
  pair.takeLightly(index, a);
  while (high - low > 1e-5) {
    const middle = (low + high) / 2;
    if (pair.reaches(b, middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Thresholds that are reached and were ruled out all the same: none. */
function wrong(index: PostIndex, pairs: Iterable<readonly [number, number]>): number[] {
  const found: number[] = [];
  for (const [a, b] of pairs) {
    const close = cosine(index, a, b);
    const reached = [...LEASTS.filter((least) => pair.reaches(b, least)), close];
    found.push(...reached.filter((least) => cosineBound.isBelow(index, { a, b, least })));
  }
  return found;
}

function* allPairs(size: number, step: number): Generator<[number, number]> {
  for (let at = 0; at < size * size; at += step) {
    const [a, b] = [Math.floor(at / size), at % size];
    if (a !== b) yield [a, b];
  }
}

const text = (most: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(...WORDS, ...WORDS.slice(0, 5)), fc.integer({ min: 1, max: 400 })), {
      maxLength: most,
    })
    .map((said) => said.map(([word, times]) => (times > 390 ? `${word} `.repeat(times) : word)).join(' '));

const site = fc
  .array(
    fc.record({
      title: text(6),
      fullContent: text(80),
      tags: fc.subarray(['a', 'b', 'w1']),
      section: fc.constantFrom('', 's'),
    }),
    { minLength: 4, maxLength: 10 },
  )
  // Copies with some words more among them.
  .map((all) => [...all, ...all.map((one) => ({ ...one, fullContent: `${one.fullContent} w7 w8 w9` }))]);

describe('a pair of posts that is ruled out is not alike', () => {
  test('of random words, some of them repeated hundreds of times', () => {
    fc.assert(
      fc.property(site, (posts) => {
        const index = indexOf(posts.map((one, number) => post(String(number), one)));
        expect(wrong(index, allPairs(index.size, 1))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test.each(SITES)('of the articles of %s, as they are and as their index changes', (name) => {
    const { posts } = readSite(name);
    const index = indexOf([...posts.slice(0, 150), ...grow(posts.slice(0, 20), 100)]);
    for (const extra of [[], posts.slice(150, 160)]) {
      for (const one of extra) index.put(one);
      expect(wrong(index, allPairs(index.size, 83))).toEqual([]);
    }
  });
});

test('of posts made of the same sentences, nearly all that are not copies are ruled out', () => {
  const index = indexOf([...grow(readSite('18f').posts, 600)]);
  let [others, ruledOut] = [0, 0];
  for (const [a, b] of allPairs(index.size, 487)) {
    pair.takeLightly(index, a);
    if (pair.reaches(b, 0.85)) continue;
    others++;
    if (cosineBound.isBelow(index, { a, b, least: 0.85 })) ruledOut++;
  }
  expect(others).toBeGreaterThan(500);
  expect(ruledOut / others).toBeGreaterThan(0.97);
});
