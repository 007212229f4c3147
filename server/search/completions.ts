// The words of titles, tags and authors' names by how they begin, for a word whose end is not typed yet. Of the words
// of texts the index has only hashes, which say nothing of how a word begins; they are found when they are complete.

import { at } from '../at.ts';
import { TITLE_WORDS } from '../textindex/settings.ts';
import type { TermDictionary } from '../textindex/termDictionary.ts';
import { Tokenizer } from '../textindex/tokenizer.ts';
import type { Named } from './nameWords.ts';
import { MOST_COMPARED } from './weights.ts';

/** Where a post is found by the beginnings of its words. */
export interface Titled extends Named {
  title: string;
}

/** Words are listed by their first one, two and three characters. */
const LONGEST_KEY = 3;
/** Measured: a word as a text, and its places in the lists. */
const WORD_BYTES = 150;

const reader = new Tokenizer();

export class Completions {
  private readonly dictionary: Pick<TermDictionary, 'find'>;
  /** Words, as they were met first, with their numbers. */
  private readonly words = new Map<string, number>();
  /** By their first characters, in the order they were met in: frequent words are met early. */
  private readonly lists = new Map<string, string[]>();

  constructor(dictionary: Pick<TermDictionary, 'find'>) {
    this.dictionary = dictionary;
  }

  /** Takes in the words of a post that the dictionary has. */
  learn({ title, authors, tags }: Titled): void {
    for (const text of [title, ...authors, ...tags]) this.read(text);
  }

  /**
   * Numbers of words that begin in some way, each once; the word itself is one of them. Of many the ones met first: no
   * more than 4,096 are compared, however short the beginning is.
   * @param start As words are compared: in lower case and without marks.
   */
  startingWith(start: string): number[] {
    const list = this.lists.get(start.slice(0, LONGEST_KEY)) ?? [];
    const found = new Set<number>();
    for (const word of list.slice(0, MOST_COMPARED)) if (word.startsWith(start)) found.add(this.words.get(word) ?? -1);
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
      // A character of a dense script is a word of its own: nothing of it is left to type.
      if (word.length < 2 || this.words.has(word)) continue;
      this.words.set(word, this.dictionary.find(at(reader.high, i), at(reader.low, i)));
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
