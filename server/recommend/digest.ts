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

/** The words of a post in the order a digest has them read, none of them numbered: reading them needs nothing of its site. */
export interface SpelledPost {
  /** How many are of the title, are whole tags and sections, and are of the lead. */
  inTitle: number;
  phrases: number;
  inLead: number;
  /** High and low hash by turns: phrases, title, text. */
  words: Uint32Array;
}

const reader = new WordReader();
let spelling = new Uint32Array(8192);
let scratch = new Uint8Array(8192);

/** Reads the words of a post. Good until the next call. */
export function spell(post: PostText): SpelledPost {
  const sections = post.section === '' ? [] : [post.section];
  const phrases = post.tags.length + sections.length;
  let at = 0;
  makeSpellingRoom(phrases);
  for (const [namespace, names] of [
    ['tag', post.tags],
    ['section', sections],
  ] as const) {
    for (const name of names) {
      const { high, low } = reader.readPhrase(name, namespace);
      spelling[at++] = high;
      spelling[at++] = low;
    }
  }
  const inTitle = reader.read(post.title, TITLE_WORDS);
  at = spellWords(at);
  reader.read(post.fullContent, SEARCHED_WORDS, BODY_WORDS);
  at = spellWords(at);
  return { inTitle, phrases, inLead: reader.inLead, words: spelling.subarray(0, at) };
}

/** Writes down the words just read. */
function spellWords(start: number): number {
  const { high, low, count } = reader;
  makeSpellingRoom(start / 2 + count);
  const words = spelling;
  let at = start;
  for (let i = 0; i < count; i++) {
    words[at++] = high[i]!;
    words[at++] = low[i]!;
  }
  return at;
}

function makeSpellingRoom(words: number): void {
  if (words * 2 <= spelling.length) return;
  const larger = new Uint32Array(words * 4);
  larger.set(spelling);
  spelling = larger;
}

/** @returns A digest of its own, not shared with later calls. Empty texts give a digest of three bytes. */
export function digest({ inTitle, phrases, inLead, words }: SpelledPost, vocabulary: Vocabulary): Uint8Array {
  makeRoom((words.length / 2 + 3) * LONGEST_NUMBER);
  const numbered: number[] = [];
  for (let i = 0; i < phrases + inTitle; i++) {
    numbered.push(vocabulary.number(words[i * 2]!, words[i * 2 + 1]!));
  }
  let at = writeNumber(0, inTitle);
  at = writeNumber(at, phrases);
  at = writeNumber(at, inLead);
  for (let i = phrases; i < numbered.length; i++) at = writeNumber(at, numbered[i]!);
  for (let i = 0; i < phrases; i++) at = writeNumber(at, numbered[i]!);
  const bytes = scratch;
  for (let i = numbered.length * 2; i < words.length; i += 2) {
    let rest = vocabulary.number(words[i]!, words[i + 1]!);
    for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
  }
  return scratch.slice(0, at);
}

function makeRoom(size: number): void {
  if (size > scratch.length) scratch = new Uint8Array(size * 2);
}

function writeNumber(start: number, number: number): number {
  let at = start;
  let rest = number;
  while (rest > 127) {
    scratch[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  scratch[at++] = rest;
  return at;
}
