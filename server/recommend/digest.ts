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

const LONGEST_NUMBER = 5;

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
  at = writeWords(at, vocabulary);
  return scratch.slice(0, at);
}

function phraseNumber(namespace: string, phrase: string, vocabulary: Vocabulary): number {
  const { high, low } = words.readPhrase(phrase, namespace);
  return vocabulary.number(high, low);
}

/** Writes the words just read: nearly all there is to write, so room is made once. */
function writeWords(start: number, vocabulary: Vocabulary): number {
  const { high, low, count } = words;
  makeRoom(start + count * LONGEST_NUMBER);
  const bytes = scratch;
  let at = start;
  for (let i = 0; i < count; i++) {
    let rest = vocabulary.number(high[i]!, low[i]!);
    for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
  }
  return at;
}

function makeRoom(size: number): void {
  if (size <= scratch.length) return;
  const larger = new Uint8Array(size * 2);
  larger.set(scratch);
  scratch = larger;
}

function writeNumber(start: number, number: number): number {
  makeRoom(start + LONGEST_NUMBER);
  let at = start;
  let rest = number;
  while (rest > 127) {
    scratch[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  scratch[at++] = rest;
  return at;
}
