// What the titles of a series have in common, and which part of it each is: a title without its numbers, dates and
// names of days and months, and the words that stand before them or before a colon.
//
//   Buying better products, part 2: setting the vision     name: buying better products, part 2
//   Weather in Riga, Thursday 3 May                        name: weather in riga
//   Announcing Rust 1.42.0                                 name: announcing rust
//
// A title is kept as eight words of 16 bits: enough to see whether two posts of one list are of one series.

import { compatible } from './fold.ts';
import { uint8At, uint16At } from './typedReads.ts';

const WORDS = 8;
/** Hashes of words are below this. */
export const TITLE_HASHES = 1 << 16;
/** Titles that have this share of the longer one's words in common, and so many, are of one series. */
const SHARE = 2 / 3;
const LEAST_SHARED = 2;
/** Words that two numbered titles begin with alike. */
const BEGINNING = 2;
/** Flag beside the number of words of a name: there was a number or a date. */
const NUMBERED = 128;
const MOST_PARTS = 999;
/** Characters read of a title. */
const LONGEST_TITLE = 300;

const DENSE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`;
/** Words, with their apostrophes, and what stands between a name and the rest. */
const TOKENS = new RegExp(String.raw`[${DENSE}]+|(?:(?![${DENSE}])[\p{L}\p{N}\p{M}'’])+|[:：|–—(（]|\s[-/]\s`, 'gu');
const NUMBER = /^\p{N}+(?:st|nd|rd|th|er|e|de)?$/u;
const WORD = /[\p{L}\p{N}]/u;
/** What a number of a part stands behind, in the languages that headings are written in most. */
const PARTS = new Set(
  'part pt episode ep chapter volume vol no nr number issue edition day week round teil folge ausgabe woche partie épisode parte episodio capítulo deel aflevering del część часть 第'.split(
    ' ',
  ),
);
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'];
/** Languages whose days and months are known by name. */
const LANGUAGES = 'en de fr es it pt nl sv da nb fi pl cs ru uk tr'.split(' ');
const CALENDAR = calendarNames();

export class TitleFrames {
  private words = new Uint16Array(64 * WORDS);
  private counts = new Uint8Array(64);
  /** How many of the words are the name of the series, and whether the title is numbered. */
  private names = new Uint8Array(64);
  private parts = new Uint16Array(64);

  set(number: number, title: string): void {
    if (number >= this.counts.length) this.grow(number);
    const { words, name, part, numbered } = frameOf(title);
    this.words.set(words, number * WORDS);
    this.counts[number] = words.length;
    this.names[number] = name | (numbered ? NUMBERED : 0);
    this.parts[number] = part;
  }

  /** Whether the titles of two posts say that they are of one series: they share a word then. */
  areAlike(a: number, b: number): boolean {
    const { words } = this;
    const mine = this.counts[a]!;
    const theirs = this.counts[b]!;
    if (mine === 0 || theirs === 0) return false;
    const begin = this.beginning(a, b);
    if (this.isNamed(a, b, begin)) return true;
    const longer = Math.max(mine, theirs);
    if (begin === longer) return true;
    if (begin >= BEGINNING && this.isNumbered(a) && this.isNumbered(b)) return true;
    let shared = 0;
    for (let i = 0; i < mine; i++) {
      const word = words[a * WORDS + i]!;
      for (let j = 0; j < theirs; j++) if (words[b * WORDS + j] === word) shared++;
    }
    return shared >= LEAST_SHARED && shared >= SHARE * longer;
  }

  /** Whether the title of a post names a part of a series. */
  isPart(number: number): boolean {
    return uint16At(this.parts, number) > 0 && this.nameLength(number) > 0;
  }

  /** Whether the title of a post has a number or a date, and names no part: it is made of a template. */
  isOfTemplate(number: number): boolean {
    return uint16At(this.parts, number) === 0 && this.isNumbered(number);
  }

  /** How many parts a post comes after another of the same series; undefined where its title does not say so. */
  partsAfter(number: number, other: number): number | undefined {
    const part = uint16At(this.parts, number);
    const before = uint16At(this.parts, other);
    if (part === 0 || before === 0 || !this.isNamed(number, other, this.beginning(number, other))) return undefined;
    return part - before;
  }

  /** Counts each word of a title in `counts`, by its hash. */
  countWords(number: number, counts: Uint8Array): void {
    for (const word of this.wordsOf(number)) counts[word] = uint8At(counts, word) + 1;
  }

  /** Sum of the counts of a title's words. */
  sumOfWords(number: number, counts: Uint8Array): number {
    let sum = 0;
    for (const word of this.wordsOf(number)) sum += uint8At(counts, word);
    return sum;
  }

  private wordsOf(number: number): Uint16Array {
    const start = number * WORDS;
    return this.words.subarray(start, start + uint8At(this.counts, number));
  }

  /** Words of a title that are the name of the series. */
  private nameLength(number: number): number {
    return uint8At(this.names, number) & ~NUMBERED;
  }

  private isNumbered(number: number): boolean {
    return (uint8At(this.names, number) & NUMBERED) !== 0;
  }

  private isNamed(a: number, b: number, begin: number): boolean {
    const name = this.nameLength(a);
    return name > 0 && name === this.nameLength(b) && begin >= name;
  }

  /** Words that both titles begin with. */
  private beginning(a: number, b: number): number {
    const least = Math.min(this.counts[a]!, this.counts[b]!);
    let alike = 0;
    while (alike < least && this.words[a * WORDS + alike] === this.words[b * WORDS + alike]) alike++;
    return alike;
  }

  private grow(number: number): void {
    const size = Math.max(this.counts.length * 2, number + 1);
    const { words, counts, names, parts } = this;
    this.words = new Uint16Array(size * WORDS);
    this.words.set(words);
    this.counts = new Uint8Array(size);
    this.counts.set(counts);
    this.names = new Uint8Array(size);
    this.names.set(names);
    this.parts = new Uint16Array(size);
    this.parts.set(parts);
  }
}

interface Frame {
  /** Hashes of the first distinct words. */
  words: number[];
  /** How many of them name the series; 0: none. */
  name: number;
  part: number;
  numbered: boolean;
}

function frameOf(title: string): Frame {
  const tokens = compatible(title.slice(0, LONGEST_TITLE)).toLowerCase().match(TOKENS) ?? [];
  const frame: Frame = { words: [], name: 0, part: 0, numbered: false };
  for (const [at, token] of tokens.entries()) {
    const { words } = frame;
    const next = tokens[at + 1];
    const part = partNamed(token, next);
    if (part > 0) {
      frame.numbered = true;
      frame.part ||= part;
      frame.name ||= words.length;
    } else if (!WORD.test(token)) frame.name ||= words.length;
    else if (NUMBER.test(token) || CALENDAR.has(token)) {
      frame.numbered = true;
      if (words.length >= BEGINNING) frame.name ||= words.length;
      // The number at the end of a name. A version has more numbers behind it, and a date has a month.
      const isLast = next === undefined || !WORD.test(next);
      if (isLast && !NUMBER.test(tokens[at - 1] ?? '') && !CALENDAR.has(tokens[at - 1] ?? '')) {
        frame.part ||= numbered(token);
      }
    } else if (words.length < WORDS && !words.includes(hashOf(token))) words.push(hashOf(token));
  }
  return frame;
}

/** The part that a word and the one behind it name, as “part 2” does; 0: none. */
const partNamed = (token: string, next: string | undefined): number =>
  next !== undefined && PARTS.has(token) ? numbered(next) || ROMAN.indexOf(next) + 1 : 0;

/** A whole number that can be that of a part: no year. */
function numbered(token: string): number {
  const number = NUMBER.test(token) ? Number.parseInt(token, 10) : 0;
  return number > 0 && number <= MOST_PARTS ? number : 0;
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & (TITLE_HASHES - 1);
}

/** Days and months in full, and the short months of English: many short names are words of other languages. */
function calendarNames(): Set<string> {
  const names = new Set<string>();
  for (const language of LANGUAGES) {
    add(names, language, { month: 'long', day: 'numeric' });
    add(names, language, { weekday: 'long' });
  }
  add(names, 'en', { month: 'short' });
  return names;
}

function add(names: Set<string>, language: string, format: Intl.DateTimeFormatOptions): void {
  const formatter = new Intl.DateTimeFormat(language, { ...format, timeZone: 'UTC' });
  // In the course of a year the first of a month falls on every day of the week.
  for (let month = 0; month < 12; month++) {
    for (const { type, value } of formatter.formatToParts(Date.UTC(2026, month, 1))) {
      if (type === 'month' || type === 'weekday') names.add(value.toLowerCase());
    }
  }
}
