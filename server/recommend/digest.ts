// What the engine keeps of a post: the numbers of its words, in order, in one to three bytes each.
//
//   [words in the title][phrases][words in the lead] title words … phrases (tags, section) … lead words … the rest …
//
// Every number is a varint. Order is kept, so bigrams and quoted phrases can be read from it again; about 1 KB a post where
// the text has 6. Posts are compared by their lead and found by all of it. Everything else
// (terms, weights, postings) is derived from digests and can be thrown away and made anew.

import type { Vocabulary } from './vocabulary.ts';
import { BODY_WORDS, TITLE_WORDS } from './weights.ts';
import { WordReader } from './words.ts';

/** The parts of a post that its content is judged by. */
export interface PostText {
  title: string;
  fullContent: string;
  tags: readonly string[];
  section: string;
}

/** Words of a text that a search finds it by: about forty pages. */
const SEARCHED_WORDS = 10_000;

const words = new WordReader();
const titleWords: number[] = [];
let scratch = new Uint8Array(8192);

/** @returns A digest of its own, not shared with later calls. Empty texts give a digest of three bytes. */
export function digest(post: PostText, vocabulary: Vocabulary): Uint8Array {
  const phrases = post.tags.map((tag) => phraseNumber('tag', tag, vocabulary));
  if (post.section !== '') phrases.push(phraseNumber('section', post.section, vocabulary));
  const title = words.read(post.title, TITLE_WORDS);
  titleWords.length = 0;
  for (let i = 0; i < title; i++) titleWords.push(vocabulary.number(words.high[i]!, words.low[i]!));
  words.read(post.fullContent, SEARCHED_WORDS, BODY_WORDS);
  let at = writeNumber(0, title);
  at = writeNumber(at, phrases.length);
  at = writeNumber(at, words.inLead);
  for (const word of titleWords) at = writeNumber(at, word);
  for (const phrase of phrases) at = writeNumber(at, phrase);
  for (let i = 0; i < words.count; i++) at = writeNumber(at, vocabulary.number(words.high[i]!, words.low[i]!));
  return scratch.slice(0, at);
}

function phraseNumber(namespace: string, phrase: string, vocabulary: Vocabulary): number {
  const { high, low } = words.readPhrase(phrase, namespace);
  return vocabulary.number(high, low);
}

function writeNumber(at: number, number: number): number {
  if (at + 5 > scratch.length) {
    const larger = new Uint8Array(scratch.length * 2);
    larger.set(scratch);
    scratch = larger;
  }
  let rest = number;
  while (rest > 127) {
    scratch[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  scratch[at++] = rest;
  return at;
}
