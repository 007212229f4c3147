// A change of the morning page in words.
import { expect, test } from 'vitest';
import { change } from '../../server/mail/morningText.ts';

test.each([
  [112, 100, '+12%'],
  [88, 100, '-12%'],
  [999, 1000, '0%'],
  [2469, 100, '+2,369%'],
  [5, 0, 'new'],
  [0, 0, 'as usual'],
])('%i beside %i is %s', (value, usual, words) => {
  expect(change(value, usual)).toBe(words);
});
