// Parses the text of a search box into what has to be found. Never fails: whatever is typed means something, or
// nothing.
//
//   parseQuery('night "old harbour" 東京')   → night · old harbour, side by side · 東 京, side by side

import { compatible, folded } from '../textindex/fold.ts';
import { Tokenizer, type Word } from '../textindex/tokenizer.ts';
import { MOST_IN_PHRASE, MOST_UNITS } from './weights.ts';

/** Words that must stand side by side; mostly one. */
export interface Unit {
  words: Word[];
  /** Its letters as words are compared: in lower case and without marks. */
  text: string;
  /** Whether a hyphen, and nothing else, stands between it and the unit before. */
  hyphenated: boolean;
  /** Other spellings, to be tried in order where no post has these words. */
  spellings: Word[][];
  /** In quotes: nothing that lacks it is an answer. */
  quoted: boolean;
}

/** Straight quotes, the curly ones that telephones make of them, and those of other languages. */
const QUOTES = /["“”„‟«»＂「」『』]/;

/** The hyphen of keyboards, and that of typography. */
const HYPHEN = /^[-\u2010]$/;

/** A number in three groups or more, by blanks; of two, either may be a number of its own. */
const SPACED_NUMBER = /(?<![\p{L}\p{N}])\d{1,3}(?: \d{3}){2,}(?![\p{L}\p{N}])/gu;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const reader = new Tokenizer();

/** A quote that is never closed is none. Each unit is listed once. */
export function parseQuery(text: string): Unit[] {
  const pieces = text.split(QUOTES);
  const units: Unit[] = [];
  pieces.forEach((piece, index) => {
    const quoted = index % 2 === 1 && index < pieces.length - 1;
    const parts = quoted ? [{ part: piece, hyphenated: false }] : wordsOf(piece);
    for (const { part, hyphenated } of parts) {
      const words = reader.wordsOf(part, MOST_IN_PHRASE);
      const spellings = quoted ? [] : spellingsOf(part).map((other) => reader.wordsOf(other, MOST_IN_PHRASE));
      if (words.length > 0) units.push({ words, text: folded(part), hyphenated, spellings, quoted });
    }
  });
  return distinct(units).slice(0, MOST_UNITS);
}

/**
 * Words as the language has them, also where they are written without blanks. The index has those by their characters:
 * a word is what its characters are side by side, so nothing depends on where a text would have been cut. In
 * compatibility form, as texts are read: there the small 2 of CO₂ is a part of its word, as it stands it is none.
 */
function wordsOf(piece: string): { part: string; hyphenated: boolean }[] {
  const parts: { part: string; hyphenated: boolean }[] = [];
  let before = '';
  // One at a time: an array of all segments of a long text takes six times as long.
  const text = compatible(piece).replace(SPACED_NUMBER, (number) => number.replaceAll(' ', ','));
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) parts.push({ part: segment, hyphenated: HYPHEN.test(before) });
    before = segment;
  }
  return parts;
}

/** Vowels with marks as keyboards without them write these: in German, Danish, Norwegian and Swedish. */
const DIGRAPHS: readonly (readonly [marked: RegExp, digraph: string, vowel: string])[] = [
  [/[äæ]/g, 'ae', 'a'],
  [/[öø]/g, 'oe', 'o'],
  [/ü/g, 'ue', 'u'],
  [/å/g, 'aa', 'a'],
];

/** "Mueller" of "Müller", "muller" of "Mueller" (words are compared without marks), and "covid 19" of "covid19". */
function spellingsOf(word: string): string[] {
  const lower = word.toLowerCase();
  const written = DIGRAPHS.reduce((text, [marked, digraph]) => text.replace(marked, digraph), lower);
  const bare = DIGRAPHS.reduce((text, [, digraph, vowel]) => text.replaceAll(digraph, vowel), lower);
  const apart = lower.replace(/(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$& ');
  return [written, bare, apart].filter((other) => other !== lower);
}

/** Of the same words in quotes and without, those in quotes count. */
function distinct(units: readonly Unit[]): Unit[] {
  const known = new Map<string, Unit>();
  for (const unit of units) {
    const key = unit.words.map(({ high, low }) => `${high}.${low}`).join(' ');
    const before = known.get(key);
    if (before) before.quoted ||= unit.quoted;
    else known.set(key, unit);
  }
  return [...known.values()];
}
