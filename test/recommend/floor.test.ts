// What is not relevant is not shown: below a stranger nothing, below a site's own posts something.
import { describe, expect, test } from 'vitest';
import { floorOf, floorOfYoung } from '../../bench/related/floors.ts';
import { readSite } from '../../bench/related/sites.ts';
import { ask, at, indexOf, post } from './corpus.ts';

describe('strangers are answered with nothing and own posts with something, 95 of 100 times', () => {
  test.each([
    ['a site of five hundred posts', floorOf],
    ['a site of fifty posts', floorOfYoung],
  ])('in %s', (_, floor) => {
    const { empty, answered } = floor(readSite('18f'));
    expect(empty).toBeGreaterThan(0.95);
    expect(answered).toBeGreaterThan(0.95);
  });
});

describe('two posts are not related by', () => {
  const strangers = Array.from({ length: 60 }, (_, n) =>
    post(`x${n}`, { title: `Quarrel${n}`, fullContent: `quarrel${n} abroad${n} peace${n} the of and` }),
  );
  const asked = { title: 'Night ferry', fullContent: 'The harbour kiosk sells tickets of the morning.' };

  test.each([
    ['one word', { title: 'Ferry ferry ferry', fullContent: 'of the islands and lakes' }, []],
    ['one pair of words of their titles', { title: 'Night ferry', fullContent: 'of the islands and lakes' }, []],
    ['words that many posts have', { title: 'The', fullContent: 'The of the and' }, []],
  ])('%s', (_, other, expected) => {
    const index = indexOf([post('asked', asked), post('other', other), ...strangers]);
    expect(ask(index, { url: at('asked') })).toEqual(expected);
  });

  test('but by a pair of words and another word they are', () => {
    const other = { title: 'Night ferry', fullContent: 'of the islands: tickets' };
    const index = indexOf([post('asked', asked), post('other', other), ...strangers]);
    expect(ask(index, { url: at('asked') })).toEqual(['other']);
  });
});
