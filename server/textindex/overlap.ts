// Compares one post with many over all their terms: the others' forward index entries are gone through once, and only
// what both have is counted.
//
//   overlap.take(index, { post, read });      overlap.cosine(other) …       valid until the index changes

import type { ForwardEntry } from './forwardIndex.ts';
import type { PostIndex } from './postIndex.ts';
import { rootOf } from './postings.ts';
import { reachesEarly } from './reachesEarly.ts';
import { PHRASE_FREQUENCY, POST_TERMS, TITLE_FREQUENCY } from './settings.ts';
import { pairKey, type TermReader, wordKey } from './termReader.ts';
import { TermSlots } from './termSlots.ts';
import { float32At, float64At, int32At, uint8At, uint32At } from './typedReads.ts';
import { VarintReader } from './varints.ts';

/** A word in so many times as many posts as a common one says nothing of what two posts have in common. */
const DISTINCTIVE = 4;

export class Overlap {
  /** Where the post was taken from. */
  private index: PostIndex | undefined;
  private post = -1;
  /** What the site's was when the post was taken. */
  private version = -1;
  /** The other post of the last comparison, and its result. */
  private last = -1;
  private lastCosine = 0;
  private readonly table = new TermSlots();
  /** Distinctive words that the other post of the last comparison has, tags included, and pairs of neighbours. */
  private shared = { words: 0, pairs: 0 };
  private readonly termStats = { posts: new Uint32Array(POST_TERMS), rarities: new Float64Array(POST_TERMS) };
  /** Terms being looked up, with their slots. */
  private readonly asked = { terms: new Uint32Array(POST_TERMS), slots: new Uint32Array(POST_TERMS), count: 0 };
  /** By word of the site: its slot plus one where it is one of the post's, which nearly all others are not. */
  private slots = new Uint16Array(0);
  /** Words that have a slot, `markedCount` of them. */
  private marked = new Uint32Array(0);
  private markedCount = 0;
  private readonly from = new VarintReader();

  /**
   * Takes the post the others are compared with; `read` are its terms.
   * @returns In how many posts each of them stands and its rarity, in the same order; valid until the next comparison.
   */
  take(index: PostIndex, options: { post: number; read: TermReader }): { posts: Uint32Array; rarities: Float64Array } {
    const { termStats } = this;
    const { post, read } = options;
    index.statistics.postsOf(read, termStats.posts);
    index.statistics.raritiesOf(termStats.posts, read.count, termStats.rarities);
    this.clear(index, post, read.count);
    this.place(read, termStats, index.statistics.common * DISTINCTIVE);
    this.mark(index);
    return termStats;
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
    const { met, rates, frequencies, count } = this.table;
    for (let i = 0; i < count; i++) {
      const slot = uint32At(met, i);
      rates[slot] = -rootOf(uint8At(frequencies, slot));
    }
    this.table.forget();
    this.mark(index);
  }

  private place(
    { terms, frequencies, count }: TermReader,
    { posts, rarities }: { posts: Uint32Array; rarities: Float64Array },
    mostPosts: number,
  ): void {
    const { keys, rates, distinctive } = this.table;
    for (let i = 0; i < count; i++) {
      // With a sign: numbers beyond 31 bits would each be an object on their way into a function.
      const term = uint32At(terms, i) | 0;
      const slot = this.table.slotOf(term);
      keys[slot] = term || 1;
      const rarity = float64At(rarities, i);
      rates[slot] = rootOf(uint8At(frequencies, i)) * rarity * rarity;
      distinctive[slot] = Number(uint32At(posts, i) <= mostPosts);
    }
  }

  /** Makes room for the terms of a post. */
  private clear(index: PostIndex, post: number, terms: number): void {
    this.index = index;
    this.post = post;
    this.version = index.catalogue.version;
    this.last = -1;
    this.table.clear(terms);
  }

  /** Counts the next words of the post being taken. */
  private enter(words: number, { weight, pairs }: { weight: number; pairs: boolean }): void {
    const row = this.from.row(words);
    let before = -1;
    for (let i = 0; i < words; i++) {
      const word = uint32At(row, i);
      this.enterTerm(wordKey(word), weight);
      if (pairs && before >= 0) this.enterTerm(pairKey(before, word), weight);
      before = word;
    }
  }

  /** As `TermReader` counts one: those that come first, where there are too many. */
  private enterTerm(term: number, weight: number): void {
    const { table } = this;
    const { keys } = table;
    const slot = table.slotOf(term);
    if (keys[slot] === 0 && table.count === POST_TERMS) return;
    keys[slot] = term || 1;
    table.tally(slot, weight);
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
    this.table.forget();
    return this.lastCosine;
  }

  /**
   * Whether the other post of the last comparison shares at least two distinctive words, and more than one pair of
   * neighbours: two titles that have a phrase in common do not make two posts related.
   */
  get isManifold(): boolean {
    const { words, pairs } = this.shared;
    return words > 2 || (words === 2 && pairs === 0);
  }

  /**
   * Whether the cosine is certainly at least this, and `isManifold` holds; false says nothing. For a post that was
   * taken with all its rarities.
   */
  surelyReaches(other: number, least: number): boolean {
    const { index, from, slots, table } = this;
    if (!index) return false;
    // A little more: sums differ in their last digits.
    const enough = least * this.lengths(index, other) * 1.001;
    return reachesEarly(from.open(index.post(other)), { table, slots, enough });
  }

  /** Whether the cosine is at least this: most posts share too few terms, whatever their weights. */
  reaches(other: number, least: number): boolean {
    const { index } = this;
    if (!index) return false;
    this.meet(index.post(other));
    const { met, frequencies, rates, count } = this.table;
    const highest = index.statistics.rarity(1) ** 2;
    let most = 0;
    for (let i = 0; i < count; i++) {
      const slot = uint32At(met, i);
      const rate = float64At(rates, slot);
      most += rootOf(uint8At(frequencies, slot)) * (rate < 0 ? -rate * highest : rate);
    }
    const lengths = this.lengths(index, other);
    // A little less: sums differ in their last digits.
    const reached = most >= least * lengths * 0.999 && this.sum(index) / lengths >= least;
    this.table.forget();
    return reached;
  }

  private lengths({ catalogue }: PostIndex, other: number): number {
    const { norms } = catalogue;
    return float32At(norms, this.post) * float32At(norms, other) || 1;
  }

  /** Over the terms met. */
  private sum(index: PostIndex): number {
    this.lookUp(index);
    const { met, frequencies, rates, count } = this.table;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const slot = uint32At(met, i);
      sum += rootOf(uint8At(frequencies, slot)) * float64At(rates, slot);
    }
    return sum;
  }

  /** Looks up the rarities that are still missing for the matched terms. */
  private lookUp(index: PostIndex): void {
    const { asked, termStats } = this;
    const { met, rates, keys, count } = this.table;
    asked.count = 0;
    for (let i = 0; i < count; i++) {
      const slot = uint32At(met, i);
      if (float64At(rates, slot) >= 0) continue;
      asked.slots[asked.count] = slot;
      asked.terms[asked.count++] = int32At(keys, slot);
    }
    if (asked.count === 0) return;
    index.statistics.postsOf(asked, termStats.posts);
    index.statistics.raritiesOf(termStats.posts, asked.count, termStats.rarities);
    for (let i = 0; i < asked.count; i++) {
      const rarity = float64At(termStats.rarities, i);
      const slot = uint32At(asked.slots, i);
      rates[slot] = -float64At(rates, slot) * rarity * rarity;
    }
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
      const slot = this.table.slotOf(wordKey(word));
      // A word beyond the terms that count.
      if (this.table.keys[slot] === 0) continue;
      slots[word] = slot + 1;
      this.marked[this.markedCount++] = word;
    }
  }

  /** Counts the shared terms as `TermReader` counts all. */
  private meet(place: ForwardEntry): void {
    const from = this.from.open(place);
    this.table.count = 0;
    this.shared.words = 0;
    this.shared.pairs = 0;
    const inTitle = from.next();
    const phrases = from.next();
    const inLead = from.next();
    this.words(inTitle, TITLE_FREQUENCY);
    for (let i = 0; i < phrases; i++) {
      const slot = this.slots[from.next()]!;
      if (slot !== 0) this.tallyWord(slot - 1, PHRASE_FREQUENCY);
    }
    this.words(inLead, 1);
  }

  private words(words: number, weight: number): void {
    const { slots, table } = this;
    const { keys, frequencies } = table;
    const row = this.from.row(words);
    let before = -1;
    for (let i = 0; i < words; i++) {
      const word = row[i]!;
      const slot = slots[word]!;
      if (slot === 0) {
        before = -1;
        continue;
      }
      this.tallyWord(slot - 1, weight);
      // Two words side by side are shared only where each of them is.
      if (before >= 0) {
        const pair = table.slotOf(pairKey(before, word));
        if (keys[pair] !== 0) {
          this.shared.pairs += Number(frequencies[pair] === 0);
          table.tally(pair, weight);
        }
      }
      before = word;
    }
  }

  private tallyWord(slot: number, weight: number): void {
    const { table } = this;
    if (table.frequencies[slot] === 0) this.shared.words += table.distinctive[slot]!;
    table.tally(slot, weight);
  }
}
