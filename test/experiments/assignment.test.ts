// Assignment to variants: even, independent between experiments, and the same in every release.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignVariant, murmur3 } from '../../server/contract/assignment.ts';
import '../support/seed.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const HALVES = [
  { name: 'control', share: 50 },
  { name: 'grid', share: 50 },
];

describe('the hash is MurmurHash3', () => {
  test.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['', 0xffffffff, 0x81f16f39],
    ['a', 0x9747b28c, 0x7fa09ea6],
    ['aa', 0x9747b28c, 0x5d211726],
    ['aaa', 0x9747b28c, 0x283e0130],
    ['aaaa', 0x9747b28c, 0x5a97808a],
    ['Hello, world!', 0x9747b28c, 0x24884cba],
    ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
  ])('of "%s" with the seed %d', (text, seed, expected) => {
    expect(murmur3(bytes(text), seed)).toBe(expected);
  });
});

describe('in every release', () => {
  // A row that changes moves readers of running experiments to another variant.
  test.each([
    ['layout', 'reader-1', '4'],
    ['layout', 'reader-2', '7'],
    ['layout', '0b9c5ac8-7d0e-4f63-9a4e-5f3a9c1f6f0e', '2'],
    ['heading', 'reader-1', '2'],
    ['heading', 'Ünïcødé-読者', '6'],
    ['x', '', '9'],
  ])('the variant of "%s" for "%s" is %s of ten', (experiment, reader, expected) => {
    const tenths = Array.from({ length: 10 }, (_, at) => ({ name: `${at}`, share: 10 }));
    expect(assignVariant(experiment, reader, tenths)?.name).toBe(expected);
  });
});

/** Probability of chance for a sum of squares is below one in a thousand beyond these. */
const CHI_SQUARE_1 = 10.83;
const CHI_SQUARE_3 = 16.27;

const readers = (count: number) => Array.from({ length: count }, (_, at) => `reader-${at}`);

test.each([
  ['whole numbers', [50, 50]],
  ['a small share', [97, 3]],
  ['four variants', [10, 20, 30, 40]],
])('readers are spread as the shares say: %s', (_, shares) => {
  const variants = shares.map((share, at) => ({ name: `${at}`, share }));
  const counts = shares.map(() => 0);
  for (const reader of readers(100_000)) counts[Number(assignVariant('even', reader, variants)!.name)]!++;
  const squares = counts.reduce((sum, count, at) => sum + (count - shares[at]! * 1000) ** 2 / (shares[at]! * 1000), 0);
  expect(squares).toBeLessThan(shares.length === 2 ? CHI_SQUARE_1 : CHI_SQUARE_3);
});

test.each([
  ['layout', 'layout2'],
  ['a', 'b'],
  ['heading-2026-11', 'heading-2026-12'],
])('the variant in "%s" says nothing about the one in "%s"', (one, other) => {
  const counts = [0, 0, 0, 0];
  for (const reader of readers(100_000)) {
    const [first, second] = [one, other].map((name) => HALVES.indexOf(assignVariant(name, reader, HALVES)!));
    counts[2 * first! + second!]!++;
  }
  const squares = counts.reduce((sum, count) => sum + (count - 25_000) ** 2 / 25_000, 0);
  expect(squares).toBeLessThan(CHI_SQUARE_3);
});

test('every reader gets a variant that has a share, whatever the shares', () => {
  const share = fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1000, noNaN: true }));
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.array(share, { maxLength: 10 }), (experiment, reader, shares) => {
      const variants = shares.map((one) => ({ share: one }));
      const assigned = assignVariant(experiment, reader, variants);
      if (shares.some((one) => one > 0)) expect(assigned?.share).toBeGreaterThan(0);
      else expect(assigned).toBeUndefined();
    }),
  );
});
