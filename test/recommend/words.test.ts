// Words of any script: the quick tokenizer finds those that a plain one does, and gives the same hashes to the same words alone.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { folded } from '../../server/textindex/fold.ts';
import { Tokenizer } from '../../server/textindex/tokenizer.ts';

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
const DENSE_LETTER = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LETTER = /(?![\u02bb\u02bc])[\p{L}\p{N}\p{M}\ud800-\udfff]/u;
const LONGEST_WORD = 64;

/** The words of a text by a plain implementation: no typed arrays, no hashes, no optimisation. */
function plainWords(text: string): string[] {
  const units = folded(text).split('');
  const isDense = (at: number) => DENSE.test(units[at] ?? '');
  const isDenseLetter = (at: number) => !isDense(at) && DENSE_LETTER.test(units[at] ?? '');
  const isLetter = (at: number) => !isDense(at) && !isDenseLetter(at) && LETTER.test(units[at] ?? '');
  const words: string[] = [];
  for (let at = 0; at < units.length; ) {
    if (isDense(at)) words.push(units[at]!);
    else if (isDenseLetter(at) && isDenseLetter(at + 1)) words.push(`${units[at]}${units[at + 1]}`);
    if (!isLetter(at)) {
      at++;
      continue;
    }
    const start = at;
    while (isLetter(at)) at++;
    if (at - start <= LONGEST_WORD) words.push(singular(units.slice(start, at).join('')));
    if (/['\u2019\u02bb\u02bc]/.test(units[at] ?? '') && units[at + 1] === 's' && !isLetter(at + 2)) at += 2;
  }
  return words;
}

function singular(word: string): string {
  if (word.length < 4 || /[^s]*([sui])s$/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return /[ea]ies$/.test(word) ? word : word.replace(/ies$/, 'y');
  return /[aeo]es$/.test(word) ? word : word.replace(/s$/, '');
}

const piece = fc.oneof(
  fc.constantFrom(
    'agencies',
    'posts',
    'news',
    'status',
    'classes',
    'series',
    'heroes',
    'Ferry\u2019s',
    'Hawai\u02bbi',
    'O\u02bcs',
    "boss's",
    'ties',
    'gas',
  ),
  fc.constantFrom('Café', 'Łódź', 'STRASSE', 'straße', 'كَتَبَ', 'ελλάδος', 'Привет', 'İstanbul', 'ﬁnance', '½', 'x²'),
  fc.constantFrom(
    '日本語',
    'カタカナ',
    'サーバー',
    'Hafen\u00adfahrt',
    '❤️',
    '한국어',
    'ภาษาไทย',
    'ខ្មែរ',
    'हिन्दी',
    'עברית',
    '𝒜𝓫𝓬',
    '👩‍👩‍👧',
    '\ud800',
    '\u0000',
    '…',
    '“',
    '—',
  ),
  fc.stringMatching(/^[a-z]{1,5}s{0,2}$/),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constant('w'.repeat(LONGEST_WORD + 1)),
);
const texts = fc
  .array(fc.tuple(piece, fc.constantFrom(' ', ' ', '', '\n', ', ', "'", '\u00a0')), { maxLength: 30 })
  .map((pieces) => pieces.flat().join(''));

test('the quick reader finds the words a plain one does', () => {
  const reader = new Tokenizer();
  const names = new Map<string, string>();
  fc.assert(
    fc.property(texts, (text) => {
      const words = plainWords(text);
      expect(reader.read(text, 10_000)).toBe(words.length);
      for (const [at, word] of words.entries()) {
        const name = `${reader.high[at]} ${reader.low[at]}`;
        expect(names.get(name) ?? word).toBe(word);
        names.set(name, word);
      }
    }),
    { numRuns: 2000 },
  );
  // One name a word, too.
  expect(new Set(names.values()).size).toBe(names.size);
});

test.each([
  ["Hawai'i", 'Hawaiʻi', 'Hawai’i', 'Hawai‘i'],
  ["O'zbekiston", 'Oʻzbekiston', 'Oʼzbekiston', 'O‘zbekiston'],
  ["об'єднання", 'обʼєднання', 'об’єднання'],
])('words are the same with every apostrophe: %s', (...spellings) => {
  const reader = new Tokenizer();
  const words = spellings.map((spelling) => reader.wordsOf(spelling, 9));
  expect(words[0]).toHaveLength(2);
  for (const other of words) expect(other).toEqual(words[0]);
});

test('tags of different emoji are different words, as are those of letters', () => {
  const reader = new Tokenizer();
  const tags = ['🇺🇦', '🇵🇱', '🔥', '🎉', '🔥 Feuer', 'Feuer 🎉', 'feuer'];
  const words = tags.map((tag) => Object.values(reader.readPhrase(tag, 'tag')).join(' '));
  expect(new Set(words).size).toBe(5);
  expect(new Set(words.slice(4)).size).toBe(1);
});

test('a long text after a short one, and a short one after a long one, are read to their ends and no further', () => {
  const reader = new Tokenizer();
  const counts = ['one', 'two words '.repeat(4000), 'x', ''].map((text) => reader.read(text, 10_000));
  expect(counts).toEqual([1, 8000, 1, 0]);
});
