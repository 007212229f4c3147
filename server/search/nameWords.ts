// The words of posts' names: a post is found by its authors and tags as well as by its text.

import type { Catalogue } from '../textindex/catalogue.ts';
import type { TermDictionary } from '../textindex/termDictionary.ts';
import { Tokenizer } from '../textindex/tokenizer.ts';

/** Names of posts, by their numbers, and the words all names are made of. */
export interface NamesOfPosts {
  readonly dictionary: TermDictionary;
  readonly catalogue: Pick<Catalogue, 'authors' | 'tags' | 'authorsOf' | 'tagsOf'>;
}

/** The names of a post, as written. */
export interface Named {
  authors: readonly string[];
  tags: readonly string[];
}

const reader = new Tokenizer();
const MOST_WORDS = 31;
const NO_WORDS = new Uint32Array(0);

export class NameWords {
  private readonly names: NamesOfPosts;
  /** By number of the name: its words. */
  private readonly authors: Uint32Array[] = [];
  private readonly tags: Uint32Array[] = [];

  constructor(names: NamesOfPosts) {
    this.names = names;
  }

  /** Reads the names of a post that the catalogue has. */
  learn(named: Named): void {
    const { authors, tags } = this.names.catalogue;
    for (const name of named.authors) this.read(this.authors, authors.find(name), name);
    for (const name of named.tags) this.read(this.tags, tags.find(name), name);
  }

  /** Words of each author and tag of a post. */
  *of(post: number): Iterable<Uint32Array> {
    const { authorsOf, tagsOf } = this.names.catalogue;
    for (const author of authorsOf[post] ?? []) yield this.authors[author] ?? NO_WORDS;
    for (const tag of tagsOf[post] ?? []) yield this.tags[tag] ?? NO_WORDS;
  }

  private read(known: Uint32Array[], number: number, name: string): void {
    if (known[number] !== undefined) return;
    const { dictionary } = this.names;
    known[number] = Uint32Array.from(reader.wordsOf(name, MOST_WORDS), ({ high, low }) => dictionary.number(high, low));
  }
}
