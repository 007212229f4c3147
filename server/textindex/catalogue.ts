// The posts of a site by number: what filters, dates and removals need to know, in typed arrays.

import { enlarged } from '../enlarged.ts';
import { Embeddings } from './embeddings.ts';
import type { TokenizedPost } from './forwardEntry.ts';
import { LENGTH_POWER } from './settings.ts';
import { TitleFrames } from './titleFrames.ts';
import { float64At, uint32At } from './typedReads.ts';

/** A post as the engine takes it in. */
export interface IndexedPost {
  url: string;
  title: string;
  fullContent: string;
  section: string;
  authors: readonly string[];
  tags: readonly string[];
  /** BCP 47 tag. Absent, or "": unknown. */
  language?: string;
  /** Epoch milliseconds, null when unknown. */
  pubDate: number | null;
  /** false: may be asked from, is never recommended (a home page, a video). */
  listed: boolean;
}

/** How `put` takes it in. */
export interface PutOptions {
  /** The post is found after the next `tidy` and costs less until then: for loading many. Default: false. */
  deferred?: boolean;
  /** Its words, where another thread has tokenized it: its texts are not read then. */
  tokens?: TokenizedPost;
}

const NO_NAMES = new Uint32Array(0);

/** Two ways to write Norwegian, which papers print side by side. */
const ONE_LANGUAGE: Partial<Record<string, string>> = { nb: 'no', nn: 'no' };

/** Names seen at a site (sections, authors, tags), numbered. Case matters: the interface says so. */
export class Names {
  private readonly numbers = new Map<string, number>();
  private counts = new Uint32Array(64);
  /** By number: a list of that name alone, one for all posts that bear no other. */
  private readonly lists: Uint32Array[] = [];

  /** The numbers of some names, each once; not to be written to. */
  listOf(names: readonly string[]): Uint32Array {
    const [first, ...others] = names;
    if (first === undefined) return NO_NAMES;
    if (others.length > 0) return Uint32Array.from(new Set(names), (name) => this.number(name));
    const number = this.number(first);
    this.lists[number] ??= Uint32Array.of(number);
    return this.lists[number];
  }

  /** Posts that have a name. */
  uses(number: number): number {
    return this.counts[number] ?? 0;
  }

  count(numbers: Iterable<number>, change: 1 | -1): void {
    for (const number of numbers) {
      if (number >= this.counts.length) this.counts = enlarged(this.counts, new Uint32Array(number * 2));
      this.counts[number] = uint32At(this.counts, number) + change;
    }
  }

  number(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(name, number);
    }
    return number;
  }

  /** -1 for a name no post has. */
  find(name: string): number {
    return this.numbers.get(name) ?? -1;
  }

  /** Names seen so far. */
  get size(): number {
    return this.numbers.size;
  }
}

export class Catalogue {
  readonly sections = new Names();
  readonly languages = new Names();
  readonly authors = new Names();
  readonly tags = new Names();
  /** By URL, because vectors come and go by themselves. */
  embeddings = new Embeddings();
  /** Numbers run from 0 to `size`; some are free. */
  size = 0;
  /** Posts present. */
  count = 0;
  /** Grows whenever a question may be answered in another way than before. */
  version = 0;
  urls: string[] = [];
  authorsOf: Uint32Array[] = [];
  tagsOf: Uint32Array[] = [];
  /**
   * Two numbers a post: a bit for each of its authors, and one for each of its tags. Posts without a bit in common have
   * no name in common; that is read in a fraction of the time that the names take.
   */
  nameBits = new Uint32Array(128);
  sectionOf = new Uint32Array(64);
  /** Number of its language plus one, whatever the region; 0: unknown. */
  languageOf = new Uint16Array(64);
  /** Epoch milliseconds; NaN when unknown. */
  pubDates = new Float64Array(64);
  /** 1 where a post may be recommended. */
  listed = new Uint8Array(64);
  /** Which posts are of one series, by their titles. */
  readonly frames = new TitleFrames();
  /** Length of the post's vector of weighted terms. */
  norms = new Float32Array(64);
  /** What a post's sums are divided by: a little less than its length, or long posts would be held back. */
  divisors = new Float32Array(64);
  /** How close the posts nearest to it are, against what is usual at the site; 1 where that is not known. */
  nearness = new Float32Array(64).fill(1);
  /** The two halves of each post's SimHash. */
  simHashes = new Uint32Array(128);
  private readonly byUrl = new Map<string, number>();
  private free: number[] = [];
  /** No post was ever published after this. */
  private latest = Number.NEGATIVE_INFINITY;

  /** Number of the post at a canonical URL, or -1. */
  find(url: string): number {
    return this.byUrl.get(url) ?? -1;
  }

  add(post: IndexedPost): number {
    const number = this.free.pop() ?? this.size++;
    if (number >= this.listed.length) this.grow();
    this.nearness[number] = 1;
    this.byUrl.set(post.url, number);
    this.urls[number] = post.url;
    this.count++;
    this.describe(number, post);
    return number;
  }

  /** Takes a post back under the number it had. */
  restore(number: number, post: IndexedPost): void {
    this.byUrl.set(post.url, number);
    this.urls[number] = post.url;
    this.count++;
    this.describe(number, post);
  }

  /** Makes room for numbers below `size`, none of which is given away. */
  reserve(size: number): void {
    while (this.listed.length < size) this.grow();
    for (let number = this.size; number < size; number++) {
      this.urls[number] = '';
      this.authorsOf[number] = NO_NAMES;
      this.tagsOf[number] = NO_NAMES;
    }
    this.size = Math.max(this.size, size);
  }

  /** Everything but the words: what may change without the post being read again. */
  describe(number: number, post: IndexedPost): void {
    this.frames.set(number, post.title);
    const section = this.sections.number(post.section);
    const authors = this.authors.listOf(post.authors);
    const tags = this.tags.listOf(post.tags);
    const pubDate = post.pubDate ?? Number.NaN;
    const listed = post.listed ? 1 : 0;
    const language = this.numberOfLanguage(post.language);
    // Most pages that are read again have not changed.
    const asBefore =
      this.sectionOf[number] === section &&
      this.languageOf[number] === language &&
      alike(this.authorsOf[number], authors) &&
      alike(this.tagsOf[number], tags) &&
      Object.is(this.pubDates[number], pubDate) &&
      this.listed[number] === listed;
    if (asBefore) return;
    this.version++;
    this.sectionOf[number] = section;
    this.languageOf[number] = language;
    this.authorsOf[number] = authors;
    this.tags.count(this.tagsOf[number] ?? NO_NAMES, -1);
    this.tagsOf[number] = tags;
    this.tags.count(tags, 1);
    this.nameBits[number * 2] = bitsOf(authors);
    this.nameBits[number * 2 + 1] = bitsOf(tags);
    this.pubDates[number] = pubDate;
    if (pubDate > this.latest) this.latest = pubDate;
    this.listed[number] = listed;
  }

  /** The publication date in an order by date: unknown dates are the oldest. */
  dateOrOldest(number: number): number {
    const date = this.pubDates[number] ?? Number.NaN;
    return Number.isNaN(date) ? Number.NEGATIVE_INFINITY : date;
  }

  /** Sets the length (norm) of a post's vector. */
  weigh(number: number, norm: number): void {
    this.version++;
    this.norms[number] = norm;
    this.divisors[number] = norm ** LENGTH_POWER;
  }

  /**
   * The publication dates next to a span of time: the first in it or behind it, and the first behind it. A span may
   * move on up to them and still holds the same posts. Infinite where there is none.
   */
  datesBehind({ start, end }: { start: number; end: number }): { first: number; next: number } {
    // Most requests ask for what is out by now, without a start: no date needs to be looked at.
    if (start === Number.NEGATIVE_INFINITY && end >= this.latest)
      return { first: start, next: Number.POSITIVE_INFINITY };
    let first = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (let number = 0; number < this.size; number++) {
      const date = float64At(this.pubDates, number);
      if (date >= start && date < first) first = date;
      if (date > end && date < next) next = date;
    }
    return { first, next };
  }

  /** Removes a post at once. Its number is not reused before `release`: postings still name it. */
  remove(number: number): void {
    this.version++;
    this.byUrl.delete(this.urls[number] ?? '');
    this.urls[number] = '';
    this.authorsOf[number] = NO_NAMES;
    this.tags.count(this.tagsOf[number] ?? NO_NAMES, -1);
    this.tagsOf[number] = NO_NAMES;
    this.listed[number] = 0;
    this.count--;
  }

  /** Releases these numbers for reuse: nothing refers to them any more. */
  release(numbers: readonly number[]): void {
    this.free.push(...numbers);
  }

  private numberOfLanguage(tag = ''): number {
    const [language = ''] = tag.toLowerCase().split('-', 1);
    return language === '' ? 0 : this.languages.number(ONE_LANGUAGE[language] ?? language) + 1;
  }

  private grow(): void {
    const size = this.listed.length * 2;
    this.languageOf = enlarged(this.languageOf, new Uint16Array(size));
    this.sectionOf = enlarged(this.sectionOf, new Uint32Array(size));
    this.pubDates = enlarged(this.pubDates, new Float64Array(size));
    this.listed = enlarged(this.listed, new Uint8Array(size));
    this.norms = enlarged(this.norms, new Float32Array(size));
    this.divisors = enlarged(this.divisors, new Float32Array(size));
    this.nearness = enlarged(this.nearness, new Float32Array(size).fill(1));
    this.simHashes = enlarged(this.simHashes, new Uint32Array(size * 2));
    this.nameBits = enlarged(this.nameBits, new Uint32Array(size * 2));
  }
}

/** A bit for each of some names, the same one for every 32nd. */
export function bitsOf(names: Iterable<number>): number {
  let bits = 0;
  for (const name of names) bits |= 1 << name;
  return bits;
}

const alike = (a: Uint32Array | undefined, b: Uint32Array): boolean =>
  a?.length === b.length && b.every((name, at) => name === a[at]);
