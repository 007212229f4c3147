// The forward index entry of a post: the numbers of its words, in order, in one to three bytes each.
//
//   [words in the title][phrases][words in the lead] title words … phrases (tags, section) … lead words … the rest …
//
// Every number is a varint. Order is kept, so bigrams and quoted phrases can be read from it again; about 1 KB a post
// where the text has 6. Posts are compared by their lead and found by all of it. Everything else (terms, weights,
// postings) is derived from forward index entries and can be thrown away and made anew.

import { enlarged } from '../enlarged.ts';
import { BODY_WORDS, TITLE_WORDS } from './settings.ts';
import type { TermDictionary } from './termDictionary.ts';
import { Tokenizer } from './tokenizer.ts';
import { LONGEST_VARINT, writeVarint } from './varints.ts';

/** The parts of a post that its content is judged by. */
export interface PostText {
  title: string;
  fullContent: string;
  tags: readonly string[];
  section: string;
}

/** Words of a text that a search finds it by: about forty pages. */
const SEARCHED_WORDS = 10_000;

/**
 * The words of a post in the order a forward index entry has them read, none of them numbered: reading them needs
 * nothing of its site.
 */
export interface TokenizedPost {
  /** How many are of the title, are whole tags and sections, and are of the lead. */
  inTitle: number;
  phrases: number;
  inLead: number;
  /** High and low hash by turns: phrases, title, text. */
  words: Uint32Array;
}

/** Reads the words of posts and writes their forward index entries, in buffers that it reuses from post to post. */
export class ForwardEntryWriter {
  private readonly reader = new Tokenizer();
  private words = new Uint32Array(0);
  private bytes = new Uint8Array(0);

  /** Reads the words of a post. They lie in a buffer until the next call. */
  tokenize(post: PostText): TokenizedPost {
    const { reader } = this;
    const sections = post.section === '' ? [] : [post.section];
    const phrases = post.tags.length + sections.length;
    let at = 0;
    this.makeRoomForWords(phrases);
    for (const [namespace, names] of [
      ['tag', post.tags],
      ['section', sections],
    ] as const) {
      for (const name of names) {
        const { high, low } = reader.readPhrase(name, namespace);
        this.words[at++] = high;
        this.words[at++] = low;
      }
    }
    const inTitle = reader.read(post.title, TITLE_WORDS);
    at = this.addWords(at);
    reader.read(post.fullContent, SEARCHED_WORDS, BODY_WORDS);
    at = this.addWords(at);
    return { inTitle, phrases, inLead: reader.inLead, words: this.words.subarray(0, at) };
  }

  /**
   * @returns A forward index entry of its own, not shared with later calls. Empty texts give a forward index entry of
   * three bytes.
   */
  entry({ inTitle, phrases, inLead, words }: TokenizedPost, dictionary: TermDictionary): Uint8Array {
    const most = (words.length / 2 + 3) * LONGEST_VARINT;
    if (most > this.bytes.length) this.bytes = new Uint8Array(most * 2);
    const { bytes } = this;
    const numbered: number[] = [];
    for (let i = 0; i < phrases + inTitle; i++) {
      numbered.push(dictionary.number(words[i * 2]!, words[i * 2 + 1]!));
    }
    let at = writeVarint(bytes, 0, inTitle);
    at = writeVarint(bytes, at, phrases);
    at = writeVarint(bytes, at, inLead);
    for (const number of numbered.slice(phrases)) at = writeVarint(bytes, at, number);
    for (const number of numbered.slice(0, phrases)) at = writeVarint(bytes, at, number);
    for (let i = numbered.length * 2; i < words.length; i += 2) {
      let rest = dictionary.number(words[i]!, words[i + 1]!);
      for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
      bytes[at++] = rest;
    }
    return bytes.slice(0, at);
  }

  /** Copies the words just read. */
  private addWords(start: number): number {
    const { high, low, count } = this.reader;
    this.makeRoomForWords(start / 2 + count);
    const { words } = this;
    let at = start;
    for (let i = 0; i < count; i++) {
      words[at++] = high[i]!;
      words[at++] = low[i]!;
    }
    return at;
  }

  private makeRoomForWords(count: number): void {
    if (count * 2 > this.words.length) this.words = enlarged(this.words, new Uint32Array(count * 4));
  }
}
