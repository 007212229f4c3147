// The filter of neighbouring words: it never says no of a document that has them, whichever way it is asked.
import { describe, expect, test } from 'vitest';
import { seeded } from '../../demo/world/random.ts';
import { Neighbours, Pairs } from '../../server/search/neighbours.ts';

const pairsOf = (words: readonly number[]): Pairs => {
  const pairs = new Pairs();
  words.slice(1).forEach((word, i) => {
    pairs.add(words[i]!, word);
  });
  return pairs;
};

describe.each([1, 2, 3])('texts of seed %i', (seed) => {
  const random = seeded(`neighbours ${seed}`);
  const wordsOf = (length: number) => Array.from({ length }, () => Math.floor(random() * 400));
  // Of one word, which has no pair, up to thousands: of many classes of length, some with several blocks.
  const texts = Array.from({ length: 1500 }, (_, n) => wordsOf(n % 50 === 0 ? 3000 : 1 + Math.floor(random() * 60)));
  const neighbours = new Neighbours();
  texts.forEach((words, document) => {
    neighbours.add(document, pairsOf(words));
  });

  test.each([2, 3, 5])('%i words that stand side by side in one are found there', (length) => {
    for (const [document, words] of texts.entries()) {
      if (words.length < length) continue;
      const from = Math.floor(random() * (words.length - length + 1));
      const pairs = pairsOf(words.slice(from, from + length));
      expect(neighbours.lookFor(pairs, 1)(document)).toBe(true);
      if (document % 50 === 0) expect(neighbours.lookFor(pairs, texts.length)(document)).toBe(true);
    }
  });

  test('a document asked about by itself has what it has among all', () => {
    let held = 0;
    for (let n = 0; n < 60; n++) {
      const pairs = pairsOf(wordsOf(1 + (n % 4)));
      const [alone, among] = [neighbours.lookFor(pairs, 1), neighbours.lookFor(pairs, Number.POSITIVE_INFINITY)];
      const found = Array.from(texts.keys()).filter(alone);
      expect(found).toEqual(Array.from(texts.keys()).filter(among));
      held += found.length;
    }
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(60 * texts.length * 0.5);
  });
});
