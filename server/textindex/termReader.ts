// Reads a forward index entry as terms: words, bigrams of neighbours, tags and section, each once with how often it
// occurs. A term is a 32-bit hash. With six million terms one look-up in seven hundred meets a stranger: too few to
// matter.

import type { ForwardEntry } from './forwardIndex.ts';
import { LEAD_WORDS, PHRASE_FREQUENCY, POST_TERMS, TITLE_FREQUENCY } from './settings.ts';
import { uint16At, uint32At } from './typedReads.ts';
import { type Marks, VarintReader } from './varints.ts';

/** A quarter of them stays free, so that the search for a term ends. */
const SLOTS = 16384;
const MASK = SLOTS - 1;
const MOST = 255;

/** Words to look for in posts, by number. */
export interface Wanted {
  numbers: number[];
  /** Rarity (inverse document frequency) of each of them. */
  rarities: number[];
  marks: Marks;
  /** Reused: 1 where it was found in the post looked at. */
  found: Uint8Array;
}

/** @param marks 2^`MARK_BITS` of them, owned by the result from now on. */
export function wantedWords(words: Iterable<number>, rarityOf: (word: number) => number, marks: Marks): Wanted {
  const numbers = [...words];
  marks.fill(0);
  for (const number of numbers) marks[number & (marks.length - 1)] = 1;
  return { numbers, rarities: numbers.map(rarityOf), marks, found: new Uint8Array(numbers.length) };
}

/** Reused from post to post; what it holds is of the last forward index entry read. */
export class TermReader {
  /** Distinct terms, `count` of them. */
  readonly terms = new Uint32Array(POST_TERMS);
  /** How often each occurs, the title counting more; at most 255. */
  readonly frequencies = new Uint8Array(POST_TERMS);
  count = 0;
  /** Distinct words of the title, as indices into `terms`: the first ones. */
  titleWords = 0;
  /** Terms of title, tags and the first words of the text, as indices into `terms`: the first ones. */
  leadTerms = 0;
  private readonly slots = new Uint16Array(SLOTS);
  private readonly stamps = new Uint32Array(SLOTS);
  private stamp = 0;
  private readonly from = new VarintReader();

  /** Terms behind the first `POST_TERMS` are left out. */
  read(place: ForwardEntry): this {
    const from = this.begin(place);
    const inTitle = from.next();
    const phrases = from.next();
    const inLead = from.next();
    const titleStart = from.at;
    for (let i = 0; i < inTitle; i++) this.tally(wordTerm(from.next()), TITLE_FREQUENCY);
    this.titleWords = this.count;
    from.at = titleStart;
    this.bigrams(inTitle, TITLE_FREQUENCY);
    for (let i = 0; i < phrases; i++) this.tally(wordTerm(from.next()), PHRASE_FREQUENCY);
    let before = -1;
    this.leadTerms = this.count;
    const row = from.row(inLead);
    for (let words = 0; words < inLead; words++) {
      const word = row[words]!;
      this.tally(wordTerm(word), 1);
      if (before >= 0) this.tally(pairTerm(before, word), 1);
      before = word;
      if (words < LEAD_WORDS) this.leadTerms = this.count;
    }
    return this;
  }

  /** Only the words of the title, without their bigrams. */
  readTitle(place: ForwardEntry): this {
    const from = this.begin(place);
    const inTitle = from.next();
    from.skip(2);
    for (let i = 0; i < inTitle; i++) this.tally(wordTerm(from.next()), 1);
    this.titleWords = this.count;
    return this;
  }

  /** Numbers of the words of a title, each once. */
  titleNumbers(place: ForwardEntry): Set<number> {
    const from = this.begin(place);
    const words = from.next();
    from.skip(2);
    const numbers = new Set<number>();
    for (let i = 0; i < words; i++) numbers.add(from.next());
    return numbers;
  }

  /** Sum of the rarities of those of some words that are in a post's title, tags or lead. */
  rarityFound({ numbers, rarities, marks, found }: Wanted, place: ForwardEntry): number {
    const from = this.begin(place);
    found.fill(0);
    const row = from.rowOf(marks, from.next() + from.next() + from.next());
    let sum = 0;
    for (let i = 0; i < from.found; i++) {
      const index = numbers.indexOf(uint32At(row, i));
      if (index < 0 || found[index] === 1) continue;
      found[index] = 1;
      sum += rarities[index]!;
    }
    return sum;
  }

  /** Index of a term of this post, or -1. */
  find(term: number): number {
    const { slots, stamps, terms, stamp } = this;
    for (let slot = (term >>> 18) & MASK; stamps[slot] === stamp; slot = (slot + 1) & MASK) {
      const index = uint16At(slots, slot);
      if (terms[index] === term) return index;
    }
    return -1;
  }

  private begin(place: ForwardEntry): VarintReader {
    this.count = 0;
    this.stamp++;
    return this.from.open(place);
  }

  private bigrams(words: number, weight: number): void {
    let before = -1;
    for (let i = 0; i < words; i++) {
      const word = this.from.next();
      if (before >= 0) this.tally(pairTerm(before, word), weight);
      before = word;
    }
  }

  private tally(term: number, weight: number): void {
    const { slots, stamps, terms, stamp, frequencies } = this;
    let slot = (term >>> 18) & MASK;
    for (; stamps[slot] === stamp; slot = (slot + 1) & MASK) {
      const index = slots[slot]!;
      if (terms[index] === term) {
        frequencies[index] = Math.min(frequencies[index]! + weight, MOST);
        return;
      }
    }
    if (this.count === POST_TERMS) return;
    stamps[slot] = stamp;
    slots[slot] = this.count;
    terms[this.count] = term;
    frequencies[this.count] = weight;
    this.count++;
  }
}

/** Term of a single word, tag or section, by its number. */
export const wordTerm = (word: number): number => wordKey(word) >>> 0;

/** Term of two words that stand side by side. */
export const pairTerm = (first: number, second: number): number => pairKey(first, second) >>> 0;

// The same with a sign: a number beyond 31 bits is an object wherever a function hands it over, and there are
// thousands.

export function wordKey(word: number): number {
  return mixed(Math.imul(word + 1, 0x9e3779b1) ^ 0x5851f42d);
}

export function pairKey(first: number, second: number): number {
  return mixed(Math.imul(first + 1, 0x85ebca6b) ^ Math.imul(second + 1, 0xc2b2ae35) ^ (second << 7));
}

/** Finaliser of MurmurHash3: every bit of the input moves every bit of the result. */
function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
