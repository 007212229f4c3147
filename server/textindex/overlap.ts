// Compares one post with many over all their terms: the others' forward index entries are gone through once, and only
// what both have is counted.
//
//   overlap.take(index, { post, read });      overlap.cosine(other) …       valid until the index changes

import type { ForwardEntry } from './forwardIndex.ts';
import type { PostIndex } from './postIndex.ts';
import { ROOTS } from './postings.ts';
import { PHRASE_FREQUENCY, TITLE_FREQUENCY } from './settings.ts';
import { pairKey, type TermReader, wordKey } from './termReader.ts';
import { VarintReader } from './varints.ts';

const FIRST_SLOTS = 4096;
/** Terms a reader reads at most. */
const TERMS = 16_384;
const MOST = 255;

export class Overlap {
  /** Where the post was taken from. */
  private index: PostIndex | undefined;
  private post = -1;
  /** What the site's was when the post was taken. */
  private version = -1;
  /** The other post of the last comparison, and what came of it. */
  private last = -1;
  private lastCosine = 0;
  // A table of the post's terms: at most half full, so that most of what it lacks is seen to be missing at once.
  private keys = new Int32Array(FIRST_SLOTS);
  /** What a shared term is worth for each √frequency on the other side; below 0: not known yet, for each √rarity². */
  private rates = new Float64Array(FIRST_SLOTS);
  private frequencies = new Uint8Array(FIRST_SLOTS);
  /** Slots met in the other post, `count` of them. */
  private met = new Uint32Array(FIRST_SLOTS);
  private count = 0;
  private readonly told = { posts: new Uint32Array(TERMS), rarities: new Float64Array(TERMS) };
  /** Terms being looked up, with their slots. */
  private readonly asked = { terms: new Uint32Array(TERMS), slots: new Uint32Array(TERMS), count: 0 };
  /** By word of the site: its slot plus one where it is one of the post's, which nearly all others are not. */
  private slots = new Uint16Array(0);
  /** Words that have a slot, `markedCount` of them. */
  private marked = new Uint32Array(FIRST_SLOTS);
  private markedCount = 0;
  private readonly from = new VarintReader();

  /**
   * Takes the post the others are compared with; `read` are its terms.
   * @returns In how many posts each of them stands and its rarity, in the same order; valid until the next comparison.
   */
  take(index: PostIndex, of: { post: number; read: TermReader }): { posts: Uint32Array; rarities: Float64Array } {
    const { told } = this;
    const { post, read } = of;
    index.statistics.postsOf(read, told.posts);
    index.statistics.raritiesOf(told.posts, read.count, told.rarities);
    this.clear(index, post, read.count);
    this.place(read, told.rarities);
    this.mark(index);
    return told;
  }

  /**
   * As `take`, for a post that is compared with few: the rarity of a term is looked up when another post has it, and
   * the post is read straight into the table.
   */
  takeLightly(index: PostIndex, post: number): void {
    const from = this.from.open(index.post(post));
    const inTitle = from.next();
    const phrases = from.next();
    const inLead = from.next();
    this.clear(index, post, (inTitle + inLead) * 2 + phrases);
    this.enter(inTitle, { weight: TITLE_FREQUENCY, pairs: true });
    this.enter(phrases, { weight: PHRASE_FREQUENCY, pairs: false });
    this.enter(inLead, { weight: 1, pairs: true });
    const { met, rates, frequencies } = this;
    for (let i = 0; i < this.count; i++) {
      const slot = met[i]!;
      rates[slot] = -ROOTS[frequencies[slot]!]!;
    }
    this.forget();
    this.mark(index);
  }

  private place({ terms, frequencies, count }: TermReader, rarities: Float64Array): void {
    const { keys, rates } = this;
    for (let i = 0; i < count; i++) {
      // With a sign: numbers beyond 31 bits would each be an object on their way into a function.
      const term = terms[i]! | 0;
      const slot = this.slotOf(term);
      keys[slot] = term || 1;
      const rarity = rarities[i]!;
      rates[slot] = ROOTS[frequencies[i]!]! * rarity * rarity;
    }
  }

  /** Makes room for the terms of a post. */
  private clear(index: PostIndex, post: number, terms: number): void {
    this.index = index;
    this.post = post;
    this.version = index.catalogue.version;
    this.last = -1;
    this.count = 0;
    if (terms * 2 > this.keys.length) this.grow(terms * 2);
    this.keys.fill(0);
  }

  /** Counts the next words of the post being taken. */
  private enter(words: number, { weight, pairs }: { weight: number; pairs: boolean }): void {
    const { keys } = this;
    const row = this.from.row(words);
    let before = -1;
    for (let i = 0; i < words; i++) {
      const word = row[i]!;
      const term = wordKey(word);
      const slot = this.slotOf(term);
      keys[slot] = term || 1;
      this.tally(slot, weight);
      if (pairs && before >= 0) {
        const both = pairKey(before, word);
        const pair = this.slotOf(both);
        keys[pair] = both || 1;
        this.tally(pair, weight);
      }
      before = word;
    }
  }

  /** Drops the post and the reference to its index. */
  release(): void {
    this.index = undefined;
  }

  /** Whether this post was taken last, and would be taken just so again. */
  has(index: PostIndex, post: number): boolean {
    return this.index === index && this.post === post && this.version === index.catalogue.version;
  }

  /** Cosine over all terms of both: 1 for the same words. */
  cosine(other: number): number {
    // Whether a post belongs and whether it is a copy are asked one after the other.
    if (other === this.last) return this.lastCosine;
    const { index } = this;
    if (!index) return 0;
    this.meet(index.post(other));
    this.last = other;
    this.lastCosine = this.sum(index) / this.lengths(index, other);
    this.forget();
    return this.lastCosine;
  }

  /** Whether the cosine is at least this: most posts share too few terms, whatever these tell. */
  reaches(other: number, least: number): boolean {
    const { met, frequencies, rates, index } = this;
    if (!index) return false;
    this.meet(index.post(other));
    const highest = index.statistics.rarity(1) ** 2;
    let most = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = met[i]!;
      const rate = rates[slot]!;
      most += ROOTS[frequencies[slot]!]! * (rate < 0 ? -rate * highest : rate);
    }
    const lengths = this.lengths(index, other);
    // A little less: sums differ in their last digits.
    const reached = most >= least * lengths * 0.999 && this.sum(index) / lengths >= least;
    this.forget();
    return reached;
  }

  private lengths({ catalogue }: PostIndex, other: number): number {
    const { norms } = catalogue;
    return norms[this.post]! * norms[other]! || 1;
  }

  /** Over the terms met. */
  private sum(index: PostIndex): number {
    this.lookUp(index);
    const { met, frequencies, rates } = this;
    let sum = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = met[i]!;
      sum += ROOTS[frequencies[slot]!]! * rates[slot]!;
    }
    return sum;
  }

  /** Looks up the rarities that are still missing for the matched terms. */
  private lookUp(index: PostIndex): void {
    const { met, rates, keys, asked, told } = this;
    asked.count = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = met[i]!;
      if (rates[slot]! >= 0) continue;
      asked.slots[asked.count] = slot;
      asked.terms[asked.count++] = keys[slot]!;
    }
    if (asked.count === 0) return;
    index.statistics.postsOf(asked, told.posts);
    index.statistics.raritiesOf(told.posts, asked.count, told.rarities);
    for (let i = 0; i < asked.count; i++) {
      const rarity = told.rarities[i]!;
      const slot = asked.slots[i]!;
      rates[slot] = -rates[slot]! * rarity * rarity;
    }
  }

  private forget(): void {
    for (let i = 0; i < this.count; i++) this.frequencies[this.met[i]!] = 0;
  }

  /** Notes where the post's words, tags and section have their slots. */
  private mark(index: PostIndex): void {
    const { from } = this;
    for (const word of this.marked.subarray(0, this.markedCount)) this.slots[word] = 0;
    this.markedCount = 0;
    if (this.slots.length < index.dictionary.size) {
      this.slots = new Uint16Array(Math.ceil(index.dictionary.size * 1.25));
    }
    const { slots } = this;
    from.open(index.post(this.post));
    const count = from.next() + from.next() + from.next();
    const row = from.row(count);
    if (this.marked.length < count) this.marked = new Uint32Array(count * 2);
    for (const word of row.subarray(0, count)) {
      if (slots[word] !== 0) continue;
      slots[word] = this.slotOf(wordKey(word)) + 1;
      this.marked[this.markedCount++] = word;
    }
  }

  /** Counts the shared terms as `TermReader` counts all. */
  private meet(place: ForwardEntry): void {
    const from = this.from.open(place);
    this.count = 0;
    const inTitle = from.next();
    const phrases = from.next();
    const inLead = from.next();
    this.words(inTitle, TITLE_FREQUENCY);
    for (let i = 0; i < phrases; i++) {
      const slot = this.slots[from.next()]!;
      if (slot !== 0) this.tally(slot - 1, PHRASE_FREQUENCY);
    }
    this.words(inLead, 1);
  }

  private words(words: number, weight: number): void {
    const { slots, keys } = this;
    const row = this.from.row(words);
    let before = -1;
    for (let i = 0; i < words; i++) {
      const word = row[i]!;
      const slot = slots[word]!;
      if (slot === 0) {
        before = -1;
        continue;
      }
      this.tally(slot - 1, weight);
      // Two words side by side are shared only where each of them is.
      if (before >= 0) {
        const pair = this.slotOf(pairKey(before, word));
        if (keys[pair] !== 0) this.tally(pair, weight);
      }
      before = word;
    }
  }

  private tally(slot: number, weight: number): void {
    const { frequencies } = this;
    if (frequencies[slot] === 0) this.met[this.count++] = slot;
    frequencies[slot] = Math.min(frequencies[slot]! + weight, MOST);
  }

  /** Where a term stands, or would. */
  private slotOf(term: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    const key = term | 0 || 1;
    let slot = (key >>> 7) & mask;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(least: number): void {
    let size = this.keys.length;
    while (size < least) size *= 2;
    this.keys = new Int32Array(size);
    this.rates = new Float64Array(size);
    this.frequencies = new Uint8Array(size);
    this.met = new Uint32Array(size);
  }
}
