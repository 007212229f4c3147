// A tokenizer: reads the words out of a text, in any script, without making a string per word: a word is two 32-bit
// hashes.
//
//   const words = new Tokenizer();
//   const n = words.read('Posts about ferries', 1000);   → 3; words.high[0], words.low[0] … name the words
//
// A word is a run of letters, marks and digits, in lower case and compatibility form (NFKC), without accents; English
// plurals lose their ending and nothing else does: a stemmer that cuts deeper ranked worse. Scripts written without
// spaces (and Korean, whose particles cling to the word) give one word a character; bigrams of neighbours then do the
// work.

import { endianness } from 'node:os';
import { at } from '../at.ts';
import { enlarged } from '../enlarged.ts';
import { compatible, folded } from './fold.ts';
import { uint32At } from './typedReads.ts';

const BREAK = 1;
const LETTER = 2;
const DENSE = 3;
const APOSTROPHE = 4;
const DENSE_LETTER = 5;

/** With the mark of long vowels, which is of both kana. */
const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
/**
 * Unicode counts the last two as letters (the okina of Hawaiian, the apostrophe of Ukrainian, both in Uzbek); keyboards
 * and most texts have the first two in their place.
 */
const APOSTROPHES = new Set(["'", '\u2019', '\u02bb', '\u02bc']);
const DENSE_ALPHABET = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;

/** What kind of character each UTF-16 unit is; 0 until first met. */
const kinds = new Uint8Array(0x10000);

function classify(code: number): number {
  const character = String.fromCharCode(code);
  let kind = BREAK;
  if (APOSTROPHES.has(character)) kind = APOSTROPHE;
  else if (code >= 0xd800 && code <= 0xdfff) kind = LETTER;
  else if (DENSE_SCRIPT.test(character)) kind = DENSE;
  else if (DENSE_ALPHABET.test(character)) kind = DENSE_LETTER;
  else if (WORD_CHARACTER.test(character)) kind = LETTER;
  kinds[code] = kind;
  return kind;
}

/** Characters of a text worth reading for each word wanted: the rest of a very long text is never looked at. */
const CHARACTERS_A_WORD = 24;
/** Longer runs are no words (an address, a hash, a picture in base 64). */
const LONGEST_WORD = 64;
/** A character of a dense script carries about half the information of a word. */
const DENSE_COST = 0.5;

const S = 115;
const E = 101;
const I = 105;
const A = 97;
const O = 111;
const U = 117;
const Y = 121;

/** The two hashes of a word, which are its key in the term dictionary. */
export interface Word {
  high: number;
  low: number;
}

/** Keeps the words of the last text read in typed arrays that grow as needed. */
export class Tokenizer {
  high = new Uint32Array(1024);
  low = new Uint32Array(1024);
  /** Where each word stands in `text`. */
  starts = new Uint32Array(1024);
  ends = new Uint32Array(1024);
  count = 0;
  /** How many of them are within the lead. */
  inLead = 0;
  private source = '';
  /** UTF-16 units of the text as it is read: an array's are read quicker than a text's own. */
  private units = new Uint16Array(0);

  /** The text as it was read: NFKC, lower case, without accents. */
  get text(): string {
    return folded(this.source);
  }

  /** The words of a short text, such as a name or a query. @param most Words wanted. */
  wordsOf(text: string, most: number): Word[] {
    const count = Math.min(this.read(text, most), most);
    return Array.from({ length: count }, (_, i) => ({ high: at(this.high, i), low: at(this.low, i) }));
  }

  /**
   * @param limit Words wanted; two characters of a dense script count as one.
   * @param lead Words, counted alike, of the lead. Default: all.
   * @returns How many were found.
   */
  read(text: string, limit: number, lead = limit): number {
    const cut = text.length > limit * CHARACTERS_A_WORD ? text.slice(0, limit * CHARACTERS_A_WORD) : text;
    this.count = 0;
    this.inLead = 0;
    const length = this.spell(cut);
    const { units } = this;
    let spent = 0;
    let at = 0;
    while (at < length && spent < limit) {
      const kind = kindOf(units[at]!);
      if (kind === LETTER) {
        const start = at;
        let high = SEED_HIGH;
        let low = SEED_LOW;
        let code = units[at]!;
        do {
          high = Math.imul(high ^ code, 0x01000193);
          low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15);
          code = units[++at]!;
        } while (kindOf(code) === LETTER);
        if (at - start <= LONGEST_WORD) {
          this.add(start, at);
          // Only what may be a plural is read twice.
          if (units[at - 1] === S) this.readSingular();
          else this.name(high, low);
          spent++;
        }
        // The s of a possessive is no word.
        if (isPossessive(units, at)) at += 2;
      } else {
        if (kind === DENSE) {
          this.add(at, at + 1);
          this.readSingular();
          spent += DENSE_COST;
        } else if (kind === DENSE_LETTER && kindOf(units[at + 1]!) === DENSE_LETTER) {
          this.add(at, at + 2);
          this.readSingular();
          spent += DENSE_COST;
        }
        at++;
      }
      if (spent <= lead) this.inLead = this.count;
    }
    return this.count;
  }

  /** Reads a whole phrase as one word: a tag, a section, an author. One of emoji alone is what it is. */
  readPhrase(phrase: string, namespace: string): { high: number; low: number } {
    const text = `${namespace}:${compatible(phrase).toLowerCase().trim() || phrase}`;
    let high = SEED_HIGH;
    let low = SEED_LOW;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15);
    }
    return { high: high >>> 0, low: low >>> 0 };
  }

  /** Spells a text in `units`, with two breaks behind it. @returns How many units it has. */
  private spell(text: string): number {
    this.source = text;
    this.write(text);
    if (lowered(this.units, text.length)) return text.length;
    const { text: read } = this;
    this.write(read);
    return read.length;
  }

  private write(text: string): void {
    const { length } = text;
    if (this.units.length < length + BEHIND) this.units = new Uint16Array((length + BEHIND) * 2);
    const bytes = Buffer.from(this.units.buffer, 0, length * 2);
    bytes.write(text, 'utf16le');
    if (BIG_ENDIAN) bytes.swap16();
    this.units.fill(0, length, length + BEHIND);
  }

  private add(start: number, end: number): void {
    if (this.count === this.high.length) this.grow();
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count++;
  }

  /** Gives the word added last its hashes. */
  private name(high: number, low: number): void {
    this.high[this.count - 1] = high;
    this.low[this.count - 1] = low;
  }

  /** Reads the word added last again, without its plural ending. */
  private readSingular(): void {
    const { units } = this;
    const start = uint32At(this.starts, this.count - 1);
    let high = SEED_HIGH;
    let low = SEED_LOW;
    const { stem, ending } = singular(units, start, uint32At(this.ends, this.count - 1));
    for (let at = start; at < stem; at++) {
      const code = units[at]!;
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15);
    }
    if (ending !== 0) {
      high = Math.imul(high ^ ending, 0x01000193);
      low = Math.imul(low ^ ending, 0x5bd1e995) ^ (low >>> 15);
    }
    this.name(high, low);
  }

  private grow(): void {
    const size = this.high.length * 2;
    this.high = enlarged(this.high, new Uint32Array(size));
    this.low = enlarged(this.low, new Uint32Array(size));
    this.starts = enlarged(this.starts, new Uint32Array(size));
    this.ends = enlarged(this.ends, new Uint32Array(size));
  }
}

/** Units that are looked at behind the end of a text. */
const BEHIND = 2;
const BIG_ENDIAN = endianness() === 'BE';

const SEED_HIGH = 0x811c9dc5;
const SEED_LOW = 0x9747b28c;

const LOWER = Uint16Array.from({ length: 128 }, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0));

/**
 * Folds a text of nothing but ASCII, dashes and quotation marks, as most are. @returns false when there is more in it.
 */
function lowered(units: Uint16Array, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const code = units[at]!;
    if (code < 128) units[at] = LOWER[code]!;
    else if (code < 0x2013 || code > 0x201d || (code > 0x2014 && code < 0x2018)) return false;
  }
  return true;
}

const kindOf = (code: number): number => kinds[code] || classify(code);

function isPossessive(units: Uint16Array, at: number): boolean {
  return kinds[units[at]!] === APOSTROPHE && units[at + 1] === S && kindOf(units[at + 2]!) !== LETTER;
}

// One result, used at once and never kept: this runs for every word of every post.
const singularForm = { stem: 0, ending: 0 };

/**
 * The word without its English plural: `stem` is where it ends, `ending` the letter to put there, or 0.
 * "agencies" → "agency", "posts" → "post"; "news" and "status" and "class" stay.
 */
function singular(units: Uint16Array, start: number, end: number): { stem: number; ending: number } {
  singularForm.stem = end;
  singularForm.ending = 0;
  if (end - start < 4 || units[end - 1]! !== S) return singularForm;
  const before = units[end - 2]!;
  if (before === S || before === U || before === I) return singularForm;
  const third = units[end - 3]!;
  if (before === E && third === I && end - start > 4) {
    const fourth = units[end - 4]!;
    if (fourth !== E && fourth !== A) {
      singularForm.stem = end - 3;
      singularForm.ending = Y;
    }
    return singularForm;
  }
  if (before === E && (third === A || third === E || third === O)) return singularForm;
  singularForm.stem = end - 1;
  return singularForm;
}
