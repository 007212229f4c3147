// Reads a post's digest as a search needs it: each word with how much it counts, and whether words stand side by side.

import type { DigestPlace } from '../recommend/digests.ts';
import { Pairs } from './neighbours.ts';
import { NAME_COUNTS, TITLE_COUNTS } from './weights.ts';

/** Words of one post, each once, with how often they count; reused from post to post. */
export class Tally {
  words: number[] = [];
  /** Words of the text. */
  length = 0;
  /** Words that stand side by side. */
  readonly pairs = new Pairs();
  private counts = new Uint16Array(1024);

  /** What the digest holds: the title's words count more, the whole tags and the section are no words. */
  read({ page, start, end }: DigestPlace): this {
    this.clear();
    const from = new Numbers(page, start);
    const inTitle = from.next();
    const phrases = from.next();
    from.next();
    let before = -1;
    for (let i = 0; i < inTitle; i++) before = this.add(from.next(), { weight: TITLE_COUNTS, before });
    for (let i = 0; i < phrases; i++) from.next();
    before = -1;
    for (; from.at < end; this.length++) before = this.add(from.next(), { weight: 1, before });
    return this;
  }

  /** The words of an author or tag. */
  addName(words: Uint32Array): void {
    let before = -1;
    for (const word of words) before = this.add(word, { weight: NAME_COUNTS, before });
  }

  count(word: number): number {
    return this.counts[word]!;
  }

  /** @returns The word, which is the one before the next. */
  private add(word: number, { weight, before }: { weight: number; before: number }): number {
    if (word >= this.counts.length) this.grow(word);
    if (this.counts[word] === 0) this.words.push(word);
    this.counts[word]! += weight;
    if (before >= 0) this.pairs.add(before, word);
    return word;
  }

  private clear(): void {
    this.pairs.clear();
    for (const word of this.words) this.counts[word] = 0;
    this.words = [];
    this.length = 0;
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
  /** Whether a word may be one of them, by its lowest bits: most are not. */
  private readonly maybe = new Uint8Array(256);
  private readonly last: number;

  constructor(words: readonly number[]) {
    this.words = words;
    for (const word of words) this.maybe[word & 255] = 1;
    for (let i = 1; i < words.length; i++) this.pairs.add(words[i - 1]!, words[i]!);
    this.last = 1 << (words.length - 1);
  }

  /** Whether they stand side by side in the title or in the text. */
  standsIn({ page, start, end }: DigestPlace): boolean {
    const from = new Numbers(page, start);
    const inTitle = from.next();
    const phrases = from.next();
    from.next();
    let met = 0;
    for (let i = 0; i < inTitle; i++) {
      met = this.after(met, from.next());
      if ((met & this.last) !== 0) return true;
    }
    for (let i = 0; i < phrases; i++) from.next();
    met = 0;
    while (from.at < end) {
      met = this.after(met, from.next());
      if ((met & this.last) !== 0) return true;
    }
    return false;
  }

  /** Whether they stand side by side in a name. */
  standsAmong(words: Iterable<number>): boolean {
    let met = 0;
    for (const word of words) {
      met = this.after(met, word);
      if ((met & this.last) !== 0) return true;
    }
    return false;
  }

  /** Bit n of `met`: the words read last are the phrase's first n + 1. */
  private after(met: number, word: number): number {
    if (this.maybe[word & 255] === 0) return 0;
    const { words } = this;
    const begun = (met << 1) | 1;
    let next = 0;
    for (let i = 0; i < words.length; i++) if (words[i] === word) next |= begun & (1 << i);
    return next;
  }
}

/** The numbers of a digest, one after another. */
class Numbers {
  at: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, start: number) {
    this.bytes = bytes;
    this.at = start;
  }

  next(): number {
    let byte = this.bytes[this.at++]!;
    if (byte < 128) return byte;
    let number = byte & 127;
    for (let shift = 7; ; shift += 7) {
      byte = this.bytes[this.at++]!;
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  }
}
