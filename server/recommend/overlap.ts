// Compares one post with many over all their terms: the others' digests are gone through once, and only what both have
// is counted.
//
//   overlap.take(index, post);      overlap.cosine(other) …       good until the index changes

import type { DigestPlace } from './digests.ts';
import type { PostIndex } from './postIndex.ts';
import { ROOTS } from './postings.ts';
import { pairTerm, type TermReader, wordTerm } from './termReader.ts';
import { PHRASE_FREQUENCY, TITLE_FREQUENCY } from './weights.ts';

const FIRST_SLOTS = 4096;
/** Terms a reader reads at most. */
const TERMS = 16_384;
const MOST = 255;

export class Overlap {
  private readonly index: PostIndex;
  private post = -1;
  // A table of the post's terms: at most half full, so that most of what it lacks is seen to be missing at once.
  private keys = new Uint32Array(FIRST_SLOTS);
  /** What a shared term is worth for each √frequency on the other side. */
  private rates = new Float64Array(FIRST_SLOTS);
  private frequencies = new Uint8Array(FIRST_SLOTS);
  /** Slots met in the other post, `count` of them. */
  private met = new Uint32Array(FIRST_SLOTS);
  private count = 0;
  private readonly told = { posts: new Uint32Array(TERMS), rarities: new Float64Array(TERMS) };
  private bytes = new Uint8Array(0);
  private at = 0;

  constructor(index: PostIndex) {
    this.index = index;
  }

  /**
   * Takes the post the others are compared with; `read` are its terms.
   * @returns In how many posts each of them stands and how much it tells, in the same order.
   */
  take(post: number, read: TermReader): { posts: Uint32Array; rarities: Float64Array } {
    const { terms, frequencies, count } = read;
    const { index, told } = this;
    this.post = post;
    if (count * 2 > this.keys.length) this.grow(count * 2);
    this.keys.fill(0);
    index.counts.postsOf(read, told.posts);
    for (let i = 0; i < count; i++) {
      const slot = this.slotOf(terms[i]!);
      this.keys[slot] = terms[i]! || 1;
      told.rarities[i] = index.rarity(told.posts[i]!);
      this.rates[slot] = ROOTS[frequencies[i]!]! * told.rarities[i]! ** 2;
    }
    return told;
  }

  /** Cosine over all terms of both: 1 for the same words. */
  cosine(other: number): number {
    const { digests, catalogue } = this.index;
    this.meet(digests.place(other));
    const { met, frequencies, rates } = this;
    let sum = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = met[i]!;
      sum += ROOTS[frequencies[slot]!]! * rates[slot]!;
      frequencies[slot] = 0;
    }
    return sum / (catalogue.norms[this.post]! * catalogue.norms[other]! || 1);
  }

  /** Counts the shared terms as `TermReader` counts all. */
  private meet({ page, start }: DigestPlace): void {
    this.bytes = page as Uint8Array<ArrayBuffer>;
    this.at = start;
    this.count = 0;
    const inTitle = this.number();
    const phrases = this.number();
    const inLead = this.number();
    this.words(inTitle, TITLE_FREQUENCY);
    for (let i = 0; i < phrases; i++) this.tally(wordTerm(this.number()), PHRASE_FREQUENCY);
    this.words(inLead, 1);
  }

  private words(words: number, weight: number): void {
    let before = -1;
    for (let i = 0; i < words; i++) {
      const word = this.number();
      this.tally(wordTerm(word), weight);
      if (before >= 0) this.tally(pairTerm(before, word), weight);
      before = word;
    }
  }

  private tally(term: number, weight: number): void {
    const slot = this.slotOf(term);
    if (this.keys[slot] === 0) return;
    const { frequencies } = this;
    if (frequencies[slot] === 0) this.met[this.count++] = slot;
    frequencies[slot] = Math.min(frequencies[slot]! + weight, MOST);
  }

  /** Where a term stands, or would. */
  private slotOf(term: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    const key = term || 1;
    let slot = (key >>> 7) & mask;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private number(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 128) return byte;
    let number = byte & 127;
    for (let shift = 7; ; shift += 7) {
      byte = bytes[this.at++]!;
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  }

  private grow(least: number): void {
    let size = this.keys.length;
    while (size < least) size *= 2;
    this.keys = new Uint32Array(size);
    this.rates = new Float64Array(size);
    this.frequencies = new Uint8Array(size);
    this.met = new Uint32Array(size);
  }
}
