// Answers about pairs of posts are the same with the cache as without it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairCache } from '../../server/recommend/pairCache.ts';

/** Small ones repeat, large ones share slots. */
const post = fc.oneof(fc.nat(5), fc.nat(40_000_000 / 2));
const question = fc.record({ version: fc.nat(3), a: post, b: post });

test('an answer is the one that would be computed', () => {
  fc.assert(
    fc.property(fc.array(question, { maxLength: 500 }), (questions) => {
      const cache = new PairCache();
      const answer = ({ version, a, b }: { version: number; a: number; b: number }) => (version + a * 3 + b) % 2 === 0;
      for (const asked of questions) {
        expect(cache.get(asked.version, [asked.a, asked.b], () => answer(asked))).toBe(answer(asked));
      }
    }),
  );
});

test('a pair is computed once until the index changes', () => {
  const cache = new PairCache();
  let computed = 0;
  const ask = (version: number, pair: [number, number]) => cache.get(version, pair, () => ++computed > 0);
  ask(1, [7, 8]);
  ask(1, [7, 8]);
  expect(computed).toBe(1);
  ask(1, [8, 7]);
  expect(computed).toBe(2);
  ask(2, [7, 8]);
  expect(computed).toBe(3);
});
