// How many words a text has, in scripts with blanks between words and without, in time that grows with its length only.
import { describe, expect, test } from 'vitest';
import { countWords } from '../../server/posts/countWords.ts';
import { cpuTime } from '../support/cpuTime.ts';

const JAPANESE = '東京では昨日の夜から強い雨が降り、交通機関に大きな影響が出ています。コーヒーを飲む人もいます。';
const CHINESE = '中国人民银行今天宣布下调利率，船票在港口售货亭出售。';
const THAI = 'กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย';

test.each([
  ['', 0],
  [' \n ', 0],
  ['one', 1],
  ['one  two\nthree', 3],
  ['one – two — 3', 3],
  ["don't mother-in-law", 2],
  ['¡Qué año!', 2],
  ['cafe\u0301s', 1],
  ['مرحبا بالعالم', 2],
  ['東京は晴れです', 4],
  ['「東京」、', 1],
  ['コーヒー', 1],
  ['JavaScriptは3.5%です', 4],
  ['𝒜 𠀀 😀 \ud800', 2],
])('%j has %i words', (text, count) => {
  expect(countWords(text)).toBe(count);
});

describe('in scripts without blanks', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  const wholly = (text: string) => [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;

  test.each([
    ['Japanese', JAPANESE],
    ['Chinese', CHINESE],
    ['Thai', THAI],
    ['Burmese', 'မြန်မာနိုင်ငံ'],
    ['Khmer', 'រាជធានីភ្នំពេញ'],
    ['both kinds', `The quick 東京 brown ${CHINESE} `],
  ])('a text in pieces has as many words as in one: %s', (_, sentence) => {
    const text = sentence.repeat(Math.ceil(3000 / sentence.length));
    expect(countWords(text)).toBe(wholly(text));
  });

  test.each([
    ['Japanese', JAPANESE],
    ['Thai', THAI],
  ])('the words of a very long text are estimated well: %s', (_, sentence) => {
    const count = countWords(sentence.repeat(5000));
    expect(Math.abs(count / (wholly(sentence) * 5000) - 1)).toBeLessThan(0.02);
  });
});

describe('the time grows with the length only', () => {
  const LENGTH = 500_000;

  test.each([
    ['English with one Chinese name', `東京 ${'The night ferry leaves. '.repeat(LENGTH / 24)}`],
    ['Japanese', JAPANESE.repeat(LENGTH / JAPANESE.length)],
    ['one letter', '中'.repeat(LENGTH)],
    ['two scripts by turns', 'a中'.repeat(LENGTH / 2)],
    ['pairs between letters', 'a中国'.repeat(LENGTH / 3)],
    ['pairs between commas', '、中国'.repeat(LENGTH / 3)],
    ['letters of two units', '𠀀a'.repeat(LENGTH / 3)],
    ['emoji', '👨\u200d👩\u200d👧'.repeat(LENGTH / 8)],
    ['lone surrogates', '\ud800\udc00\ud800'.repeat(LENGTH / 3)],
    ['marks', `中${'\u0301\u0323'.repeat(LENGTH / 2)}`],
    ['no blanks', `中${'a'.repeat(LENGTH)}`],
    ['words of one letter', `中${' a'.repeat(LENGTH / 2)}`],
    ['quotes', `中${'"'.repeat(LENGTH)}`],
  ])('%s', (_, text) => {
    const taken = cpuTime();
    countWords(text);
    expect(taken()).toBeLessThan(250);
  });
});
