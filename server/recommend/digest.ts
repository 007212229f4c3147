// What the engine keeps of a post: the numbers of its words, in order, in one to three bytes each.
//
//   [words in the title][phrases] title words … phrases (tags, section) … body words …     every number a varint
//
// Order is kept, so the bigrams can be read from it again; about 1 KB a post where the text has 6. Everything else
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

const words = new WordReader();
let scratch = new Uint8Array(8192);

/** @returns A digest of its own, not shared with later calls. Empty texts give a digest of two bytes. */
export function digest(post: PostText, vocabulary: Vocabulary): Uint8Array {
  const phrases = post.tags.map((tag) => phraseNumber('tag', tag, vocabulary));
  if (post.section !== '') phrases.push(phraseNumber('section', post.section, vocabulary));
  const inTitle = words.read(post.title, TITLE_WORDS);
  let at = writeNumber(0, inTitle);
  at = writeNumber(at, phrases.length);
  at = writeWords(at, vocabulary);
  for (const phrase of phrases) at = writeNumber(at, phrase);
  words.read(post.fullContent, BODY_WORDS);
  at = writeWords(at, vocabulary);
  return scratch.slice(0, at);
}

function phraseNumber(namespace: string, phrase: string, vocabulary: Vocabulary): number {
  const { high, low } = words.readPhrase(phrase, namespace);
  return vocabulary.number(high, low);
}

function writeWords(at: number, vocabulary: Vocabulary): number {
  for (let i = 0; i < words.count; i++) at = writeNumber(at, vocabulary.number(words.high[i]!, words.low[i]!));
  return at;
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
