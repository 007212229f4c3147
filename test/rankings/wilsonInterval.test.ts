// The interval of a rate, against published values: R. Newcombe, Two-sided confidence intervals for the single
// proportion, Statistics in Medicine 17, 1998, method 3.
import { expect, test } from 'vitest';
import { wilsonInterval } from '../../server/rankings/wilsonInterval.ts';

test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%d of %d are from %d to %d', (successes, tries, low, high) => {
  const interval = wilsonInterval(successes, tries);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
  // Of those that are left, the other way round.
  const others = wilsonInterval(tries - successes, tries);
  expect([1 - others.high, 1 - others.low]).toEqual([expect.closeTo(low, 4), expect.closeTo(high, 4)]);
});

test('nothing is known of no tries, and more successes than tries are as many tries', () => {
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  expect(wilsonInterval(5, 3)).toEqual(wilsonInterval(5, 5));
});
