// Prefix index of the words of titles, tags and authors' names, for search as you type. Words of texts are in the index
// as hashes only, which have no prefixes: they are found when they are complete.

import { at } from '../at.ts';
import { TITLE_WORDS } from '../textindex/settings.ts';
import type { TermDictionary } from '../textindex/termDictionary.ts';
import { Tokenizer } from '../textindex/tokenizer.ts';
import type { Named } from './nameWords.ts';
import { MOST_COMPARED } from './weights.ts';

/** Texts of a post whose words are found by prefix. */
export interface Titled extends Named {
  title: string;
}

/** Words are listed under their prefixes of one, two and three characters. */
const LONGEST_KEY = 3;
/** Measured: a word as a text, and its places in the lists. */
const WORD_BYTES = 150;

const reader = new Tokenizer();

export class Completions {
  private readonly dictionary: Pick<TermDictionary, 'find'>;
  /** Numbers of words. */
  private readonly words = new Map<string, number>();
  /** By prefix, in the order of their first posts: frequent words come early. */
  private readonly lists = new Map<string, string[]>();

  constructor(dictionary: Pick<TermDictionary, 'find'>) {
    this.dictionary = dictionary;
  }

  /** Adds the words of a post; those that the dictionary lacks are left out. */
  learn({ title, authors, tags }: Titled): void {
    for (const text of [title, ...authors, ...tags]) this.read(text);
  }

  /**
   * Numbers of the words with a prefix, each once, the prefix itself included where it is a word. At most
   * `MOST_COMPARED` words are compared, however short the prefix is.
   * @param start In lower case and without marks, as words are compared.
   */
  startingWith(start: string): number[] {
    const list = this.lists.get(start.slice(0, LONGEST_KEY)) ?? [];
    const found = new Set<number>();
    for (const word of list) {
      const number = this.words.get(word);
      if (number !== undefined && word.startsWith(start)) found.add(number);
    }
    return [...found];
  }

  /** Bytes in memory, about. */
  get bytes(): number {
    return this.words.size * WORD_BYTES;
  }

  private read(text: string): void {
    const count = reader.read(text, TITLE_WORDS);
    const folded = reader.text;
    for (let i = 0; i < count; i++) {
      const word = folded.slice(reader.starts[i], reader.ends[i]);
      // A character of a dense script is a whole word.
      if (word.length < 2 || this.words.has(word)) continue;
      const number = this.dictionary.find(at(reader.high, i), at(reader.low, i));
      if (number < 0) continue;
      this.words.set(word, number);
      this.list(word);
    }
  }

  private list(word: string): void {
    for (let length = 1; length <= Math.min(LONGEST_KEY, word.length); length++) {
      const key = word.slice(0, length);
      const list = this.lists.get(key);
      if (list === undefined) this.lists.set(key, [word]);
      else if (list.length < MOST_COMPARED) list.push(word);
    }
  }
}
