// An upper bound on the cosine of two posts over all their terms, for a fraction of the work of the cosine: it rules
// out nearly all pairs of posts that are not copies of each other.
//
// The frequencies of one post's terms are kept in count-min sketches of one row, which never say too little. The other
// post is scanned once, occurrence by occurrence: √ is subadditive, so the roots of a term's occurrences add up to no
// less than the root of its frequency. Pairs of words count with the highest rarity there is; with their own where that
// is too much.

import type { PostIndex } from './postIndex.ts';
import { rootOf } from './postings.ts';
import { PHRASE_FREQUENCY, TITLE_FREQUENCY } from './settings.ts';
import { pairKey, wordTerm } from './termReader.ts';
import { float32At } from './typedReads.ts';
import { MARK_BITS, newBuckets, pairBucket, VarintReader } from './varints.ts';

const WORDS = 1 << MARK_BITS;
/** Sums differ in their last digits, and of some 10⁴ comparisons one meets two terms with the same 32-bit key. */
const MARGIN = 0.02;

export class CosineBound {
  private readonly from = new VarintReader();
  /** The index of the post in the sketches, and the version of its catalogue that the post was read at. */
  private index: WeakRef<PostIndex> | undefined;
  private post = -1;
  private version = -1;
  private readonly sketch = newBuckets();
  /** A direct-mapped cache of words' rarities squared: the upper bits of the word plus one, 0 where it is empty. */
  private readonly known = new Uint16Array(WORDS);
  private readonly squares = new Float32Array(WORDS);
  /** Of the part read last, the words that the post in the sketches has, and where they stand. */
  private shared = { row: new Uint32Array(0), places: new Uint32Array(0) };
  /** Pairs of neighbours which are both shared, `count` of them: both words, and the root of what they count. */
  private pairs = { first: new Uint32Array(0), second: new Uint32Array(0), roots: new Float64Array(0), count: 0 };
  /** Keys of those with something in their bucket, in how many posts each stands, and its rarity. */
  private keys = { terms: new Uint32Array(0), count: 0 };
  private posts = new Uint32Array(0);
  private rarities = new Float64Array(0);

  /** Whether the cosine of the posts `a` and `b` is certainly below `least`; false says nothing about it. */
  isBelow(index: PostIndex, { a, b, least }: { a: number; b: number; least: number }): boolean {
    const { norms, version } = index.catalogue;
    const changed = this.index?.deref() !== index || this.version !== version;
    if (changed) this.known.fill(0);
    if (changed || this.post !== a) this.take(index, a);
    if (changed) this.index = new WeakRef(index);
    this.version = version;
    const limit = least * (float32At(norms, a) * float32At(norms, b) || 1) * (1 - MARGIN);
    const words = this.scan(index, b);
    if (words >= limit) return false;
    const roots = this.rootsOfPairs();
    return words + roots * index.statistics.rarity(1) ** 2 < limit || words + this.sumOfPairs(index) < limit;
  }

  private take(index: PostIndex, post: number): void {
    const { from, sketch } = this;
    sketch.words.fill(0);
    sketch.pairs.fill(0);
    from.open(index.post(post));
    const inTitle = from.next();
    const phrases = from.next();
    const inLead = from.next();
    from.tally(sketch, inTitle, TITLE_FREQUENCY);
    // Phrases are no neighbours of one another: their pairs only make the bound a little higher.
    from.tally(sketch, phrases, PHRASE_FREQUENCY);
    from.tally(sketch, inLead, 1);
    this.post = post;
  }

  /** Lists the pairs that may be shared. @returns At least what the words shared contribute. */
  private scan(index: PostIndex, post: number): number {
    const from = this.from.open(index.post(post));
    const inTitle = from.next();
    const phrases = from.next();
    const inLead = from.next();
    this.makeRoom(inTitle + phrases + inLead);
    this.pairs.count = 0;
    from.find(this.sketch, inTitle, this.shared);
    let sum = rootOf(TITLE_FREQUENCY) * this.sumOfWords(index, from.found);
    this.listPairs(from.found, rootOf(TITLE_FREQUENCY));
    from.find(this.sketch, phrases, this.shared);
    sum += rootOf(PHRASE_FREQUENCY) * this.sumOfWords(index, from.found);
    from.find(this.sketch, inLead, this.shared);
    this.listPairs(from.found, 1);
    return sum + this.sumOfWords(index, from.found);
  }

  private sumOfWords(index: PostIndex, count: number): number {
    const { sketch, shared, known, squares } = this;
    const { words } = sketch;
    const { row } = shared;
    let sum = 0;
    for (const word of row.subarray(0, count)) {
      const slot = word & (WORDS - 1);
      if (known[slot] !== (word >>> MARK_BITS) + 1) this.lookUp(index, word);
      sum += rootOf(words[slot]!) * squares[slot]!;
    }
    return sum;
  }

  private lookUp(index: PostIndex, word: number): void {
    const slot = word & (WORDS - 1);
    this.known[slot] = (word >>> MARK_BITS) + 1;
    this.squares[slot] = index.statistics.rarityOf(wordTerm(word)) ** 2;
  }

  /** Two words side by side are shared only where each of them is. */
  private listPairs(words: number, root: number): void {
    const { row, places } = this.shared;
    const { first, second, roots } = this.pairs;
    let { count } = this.pairs;
    // Each is written down, and written over where they are no neighbours: a branch would be mispredicted half the
    // time.
    for (let i = 1; i < words; i++) {
      first[count] = row[i - 1]!;
      second[count] = row[i]!;
      roots[count] = root;
      count += Number(places[i]! - places[i - 1]! === 1);
    }
    this.pairs.count = count;
  }

  /** Leaves each pair with the root of its frequency on both sides. @returns Their sum. */
  private rootsOfPairs(): number {
    const { first, second, roots, count } = this.pairs;
    const { pairs } = this.sketch;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const root = roots[i]! * rootOf(pairs[pairBucket(first[i]!, second[i]!)]!);
      roots[i] = root;
      sum += root;
    }
    return sum;
  }

  private sumOfPairs(index: PostIndex): number {
    const { keys, posts, rarities } = this;
    const { first, second, roots, count } = this.pairs;
    keys.count = 0;
    for (let i = 0; i < count; i++) {
      const root = roots[i]!;
      if (root === 0) continue;
      keys.terms[keys.count] = pairKey(first[i]!, second[i]!);
      roots[keys.count++] = root;
    }
    index.statistics.postsOf(keys, posts);
    index.statistics.raritiesOf(posts, keys.count, rarities);
    let sum = 0;
    for (let i = 0; i < keys.count; i++) {
      const rarity = rarities[i]!;
      sum += roots[i]! * rarity * rarity;
    }
    return sum;
  }

  private makeRoom(words: number): void {
    if (words < this.posts.length) return;
    const room = words * 2 + 1;
    const numbers = () => new Uint32Array(room);
    this.shared = { row: numbers(), places: numbers() };
    this.pairs = { first: numbers(), second: numbers(), roots: new Float64Array(room), count: 0 };
    this.keys = { terms: numbers(), count: 0 };
    this.posts = numbers();
    this.rarities = new Float64Array(room);
  }
}
