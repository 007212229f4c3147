// Terms in words again: the index keeps numbers only, so they are read off the text of a post.
import { at } from '../at.ts';
import type { PostText } from './forwardEntry.ts';
import { BODY_WORDS, TITLE_WORDS } from './settings.ts';
import type { TermDictionary } from './termDictionary.ts';
import { pairTerm, wordTerm } from './termReader.ts';
import { Tokenizer } from './tokenizer.ts';

const words = new Tokenizer();

/** What stands behind each term of a post: a word, two words, `tag: …` or `section: …`. */
export function namedTerms(
  dictionary: TermDictionary,
  { title, fullContent, tags, section }: PostText,
): Map<number, string> {
  const names = new Map<number, string>();
  for (const [name, phrase] of [...tags.map((tag) => ['tag', tag] as const), ['section', section] as const]) {
    const { high, low } = words.readPhrase(phrase, name);
    names.set(wordTerm(dictionary.find(high, low)), `${name}: ${phrase}`);
  }
  nameWords(dictionary, names, words.read(title, TITLE_WORDS));
  nameWords(dictionary, names, words.read(fullContent, BODY_WORDS));
  return names;
}

/** As they are written first; a plural may stand for its singular. */
function nameWords(dictionary: TermDictionary, names: Map<number, string>, count: number): void {
  const { text } = words;
  let before: { number: number; word: string } | undefined;
  for (let i = 0; i < count; i++) {
    const number = dictionary.find(at(words.high, i), at(words.low, i));
    const word = text.slice(words.starts[i], words.ends[i]);
    name(names, wordTerm(number), word);
    if (before) name(names, pairTerm(before.number, number), `${before.word} ${word}`);
    before = { number, word };
  }
}

function name(names: Map<number, string>, term: number, text: string): void {
  if (!names.has(term)) names.set(term, text);
}
