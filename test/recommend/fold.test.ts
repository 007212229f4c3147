// The spelling words are compared in: the same as ever for all that people write, and quick for what they do not.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compatible, folded } from '../../server/textindex/fold.ts';
import { cpuTime } from '../support/cpuTime.ts';

const MARKS = '\u0301\u0323';

test.each([
  ['Café CAFÉ', 'cafe cafe'],
  ['Łódź', 'lodz'],
  ['İstanbul', 'istanbul'],
  ['كَتَبَ', 'كتب'],
  ['القاهرة على', 'القاهره علي'],
  ['کتابی', 'كتابي'],
  ['٢٠٢٤ ۱۲۳۴۵۶۷۸۹۰ २०२४ ২০৩৪', '2024 1234567890 2024 2034'],
  ['ｶﾞ', 'ガ'],
  ['가', '가'],
  ['Bundes\u00adtag', 'bundestag'],
  ['wor\u2060d', 'word'],
  ['葛\u{e0100}城', '葛城'],
  ['❤\ufe0fLove', '❤love'],
  ['Live🔥now', 'live now'],
  ['España🇪🇸', 'espana  '],
])('%j is read as %j', (text, read) => expect(folded(text)).toBe(read));

describe('combining marks', () => {
  const unit = fc.constantFrom('a', 'é', '中', 'か', 'ﾞ', '\u0301', '\u0323', '\u0e31', '\u{1d165}', '\ud800', 'ﷺ', ' ');

  test('up to thirty in a row are all kept', () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 200 }), (units) => {
        const text = units.join('');
        fc.pre(!/[\p{M}\uff9e\uff9f]{31}/u.test(text));
        expect(compatible(text)).toBe(text.normalize('NFKC'));
      }),
      { numRuns: 2000 },
    );
  });

  test('of more the rest is left out, wherever the run stands', () => {
    for (let before = 0; before < 70; before++) {
      const text = `${'b'.repeat(before)}\u0e01${'\u0e31'.repeat(31)}b`;
      expect(compatible(text)).toBe(`${'b'.repeat(before)}\u0e01${'\u0e31'.repeat(30)}b`);
    }
  });

  test.each([
    ['by turns', MARKS.repeat(120_000)],
    ['sorted the other way round', `${'\u0301'.repeat(120_000)}${'\u0323'.repeat(120_000)}`],
    ['on each letter', `a${MARKS.repeat(15)}`.repeat(7_700)],
    ['of Arabic', '\u064e\u0651'.repeat(120_000)],
    ['of two units each', '\u{1d165}\u{1d16d}'.repeat(60_000)],
    ['that were letters', '\uff9e\u0323'.repeat(120_000)],
    ['behind an accent', `é${MARKS.repeat(120_000)}`],
  ])('are read in no time: %s', (_, text) => {
    const taken = cpuTime();
    folded(text);
    compatible(text);
    expect(taken()).toBeLessThan(250);
  });
});
