// Reads a post's forward index entry as a search needs it: each word with how much it counts, and whether words stand
// side by side.

import type { ForwardEntry } from '../textindex/forwardIndex.ts';
import { LONGEST_VARINT, VarintReader, writeVarint } from '../textindex/varints.ts';
import { Pairs } from './neighbours.ts';
import { NAME_COUNTS, TITLE_COUNTS } from './weights.ts';

/** Words of one post, each once, with how often they count; reused from post to post. */
export class Tally {
  /** `count` of them. */
  words = new Uint32Array(1024);
  count = 0;
  /** Words of the text. */
  length = 0;
  /** Words that stand side by side. */
  readonly pairs = new Pairs();
  private counts = new Uint16Array(1024);
  private readonly numbers = new VarintReader();

  /** What a post is found by: its forward index entry, and the words of each of its names. */
  readPost(entry: ForwardEntry, names: Iterable<Uint32Array>): this {
    this.read(entry);
    for (const name of names) this.addName(name);
    return this;
  }

  /** What the forward index entry holds: the title's words count more, the whole tags and the section are no words. */
  private read(place: ForwardEntry): void {
    this.clear();
    const from = this.numbers.open(place);
    const inTitle = from.next();
    const phrases = from.next();
    from.next();
    let before = -1;
    for (let i = 0; i < inTitle; i++) before = this.add(from.next(), { weight: TITLE_COUNTS, before });
    from.skip(phrases);
    before = -1;
    for (; from.at < place.end; this.length++) before = this.add(from.next(), { weight: 1, before });
  }

  /** The words of an author or tag. */
  private addName(words: Uint32Array): void {
    let before = -1;
    for (const word of words) before = this.add(word, { weight: NAME_COUNTS, before });
  }

  /** How much a word counts. */
  countOf(word: number): number {
    return this.counts[word] ?? 0;
  }

  /** @returns The word, which is the one before the next. */
  private add(word: number, { weight, before }: { weight: number; before: number }): number {
    if (word >= this.counts.length) this.grow(word);
    const counted = this.counts[word] ?? 0;
    if (counted === 0) {
      if (this.count === this.words.length) this.makeRoom();
      this.words[this.count++] = word;
    }
    this.counts[word] = counted + weight;
    if (before >= 0) this.pairs.add(before, word);
    return word;
  }

  private clear(): void {
    this.pairs.clear();
    for (const word of this.words.subarray(0, this.count)) this.counts[word] = 0;
    this.count = 0;
    this.length = 0;
  }

  private makeRoom(): void {
    const words = new Uint32Array(this.count * 2);
    words.set(this.words);
    this.words = words;
  }

  private grow(word: number): void {
    const larger = new Uint16Array(Math.ceil((word + 1) * 1.5));
    larger.set(this.counts);
    this.counts = larger;
  }
}

/** Words that must stand side by side, made ready to be looked for. */
export class Phrase {
  readonly words: readonly number[];
  readonly pairs = new Pairs();
  /** As a forward index entry has them. */
  private readonly written: Uint8Array;

  constructor(words: readonly number[]) {
    this.words = words;
    words.reduce((before, word) => {
      this.pairs.add(before, word);
      return word;
    });
    this.written = written(words);
  }

  /** Whether they stand side by side in the title or in the text. */
  standsIn({ page, start, end }: ForwardEntry): boolean {
    const entry = Buffer.from(page.buffer, page.byteOffset + start, end - start);
    let fields: Fields | undefined;
    for (let at = entry.indexOf(this.written); at >= 0; at = entry.indexOf(this.written, at + 1)) {
      fields ??= fieldsOf(entry);
      const inText = at >= fields.text;
      const inTitle = at >= fields.title && at + this.written.length <= fields.titleEnd;
      // What is found may begin within a number: all bytes of a number but the last are above 127.
      if ((inText || inTitle) && (entry[at - 1] ?? 0) < 128) return true;
    }
    return false;
  }

  /** Whether they stand side by side in a name. */
  standsAmong(name: Uint32Array): boolean {
    const { words } = this;
    for (let from = 0; from + words.length <= name.length; from++) {
      if (words.every((word, i) => word === name[from + i])) return true;
    }
    return false;
  }
}

/** Where the fields of a forward index entry begin and end. */
interface Fields {
  title: number;
  titleEnd: number;
  text: number;
}

function fieldsOf(entry: Uint8Array): Fields {
  const from = new VarintReader().open({ page: entry, start: 0 });
  const inTitle = from.next();
  const phrases = from.next();
  from.next();
  const title = from.at;
  from.skip(inTitle);
  const titleEnd = from.at;
  from.skip(phrases);
  return { title, titleEnd, text: from.at };
}

/** Numbers as they stand in a forward index entry. */
function written(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(numbers.length * LONGEST_VARINT);
  let end = 0;
  for (const number of numbers) end = writeVarint(bytes, end, number);
  return bytes.subarray(0, end);
}
