// The posts of a site by number: what filters, dates and removals need to know, in typed arrays.

/** A post as the engine takes it in. */
export interface IndexedPost {
  url: string;
  title: string;
  fullContent: string;
  section: string;
  authors: readonly string[];
  tags: readonly string[];
  /** Epoch milliseconds, null when unknown. */
  pubDate: number | null;
  /** false: may be asked from, is never recommended (a home page, a video). */
  listed: boolean;
}

/** Names seen at a site (sections, authors, tags), numbered. Case matters: the interface says so. */
export class Names {
  private readonly numbers = new Map<string, number>();
  private counts = new Uint32Array(64);

  /** Posts that bear a name. */
  uses(number: number): number {
    return this.counts[number]!;
  }

  count(numbers: Iterable<number>, change: 1 | -1): void {
    for (const number of numbers) {
      if (number >= this.counts.length) this.counts = enlarged(this.counts, new Uint32Array(number * 2));
      this.counts[number]! += change;
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
}

const NO_NAMES = new Uint32Array(0);

export class Catalogue {
  readonly sections = new Names();
  readonly authors = new Names();
  readonly tags = new Names();
  /** Numbers run from 0 to `size`; some are free. */
  size = 0;
  /** Posts present. */
  count = 0;
  urls: string[] = [];
  authorsOf: Uint32Array[] = [];
  tagsOf: Uint32Array[] = [];
  sectionOf = new Uint32Array(64);
  /** Epoch milliseconds; NaN when unknown. */
  pubDates = new Float64Array(64);
  /** 1 where a post may be recommended. */
  listed = new Uint8Array(64);
  /** Length of the post's vector of weighted terms. */
  norms = new Float32Array(64);
  /** What a post's sums are divided by: a little less than its length, or long posts would be held back. */
  divisors = new Float32Array(64);
  /** Two halves of each post's fingerprint. */
  prints = new Uint32Array(128);
  private readonly byUrl = new Map<string, number>();
  private free: number[] = [];

  /** Number of the post at a canonical URL, or -1. */
  find(url: string): number {
    return this.byUrl.get(url) ?? -1;
  }

  add(post: IndexedPost): number {
    const number = this.free.pop() ?? this.size++;
    if (number >= this.listed.length) this.grow();
    this.byUrl.set(post.url, number);
    this.urls[number] = post.url;
    this.count++;
    this.describe(number, post);
    return number;
  }

  /** Everything but the words: what may change without the post being read again. */
  describe(number: number, post: IndexedPost): void {
    this.sectionOf[number] = this.sections.number(post.section);
    this.authorsOf[number] = numbered(this.authors, post.authors);
    this.tags.count(this.tagsOf[number] ?? NO_NAMES, -1);
    this.tagsOf[number] = numbered(this.tags, post.tags);
    this.tags.count(this.tagsOf[number], 1);
    this.pubDates[number] = post.pubDate ?? Number.NaN;
    this.listed[number] = post.listed ? 1 : 0;
  }

  /** Takes a post out at once. Its number is not given away before `release`: postings still name it. */
  remove(number: number): void {
    this.byUrl.delete(this.urls[number]!);
    this.urls[number] = '';
    this.authorsOf[number] = NO_NAMES;
    this.tags.count(this.tagsOf[number]!, -1);
    this.tagsOf[number] = NO_NAMES;
    this.listed[number] = 0;
    this.count--;
  }

  /** Says that nothing names these numbers any more. */
  release(numbers: readonly number[]): void {
    this.free.push(...numbers);
  }

  private grow(): void {
    const size = this.listed.length * 2;
    this.sectionOf = enlarged(this.sectionOf, new Uint32Array(size));
    this.pubDates = enlarged(this.pubDates, new Float64Array(size));
    this.listed = enlarged(this.listed, new Uint8Array(size));
    this.norms = enlarged(this.norms, new Float32Array(size));
    this.divisors = enlarged(this.divisors, new Float32Array(size));
    this.prints = enlarged(this.prints, new Uint32Array(size * 2));
  }
}

function enlarged<A extends Uint8Array | Uint32Array | Float32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

function numbered(names: Names, values: readonly string[]): Uint32Array {
  return values.length === 0 ? NO_NAMES : Uint32Array.from(new Set(values), (value) => names.number(value));
}
