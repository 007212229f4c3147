// Search as you type: the last word of a query as a prefix. It stands for itself and for the words that begin with it.

import { folded } from '../textindex/fold.ts';
import { Tokenizer } from '../textindex/tokenizer.ts';
import { uint8At, uint32At } from '../textindex/typedReads.ts';
import { type Wanted, wanted } from './matching.ts';
import type { Unit } from './parseQuery.ts';
import type { PostingList } from './postings.ts';
import { MOST_COMPLETED, MOST_COMPLETED_POSTINGS } from './weights.ts';
import { isKnown, numbersOf } from './wordNumbers.ts';
import type { SearchQuery } from './workspace.ts';

/** "agenci" and "agencie" become "agencies", which the index has as "agency". */
const PLURAL_OF_Y = /ie?$/;

const reader = new Tokenizer();

/** Whether a unit is the last word of a text that ends with it: a blank or a quotation mark behind it ends a word. */
export const isUnfinished = (unit: Unit, text: string): boolean =>
  !unit.quoted && unit.words.length === 1 && folded(text).endsWith(unit.text);

/** A word with what it may become; undefined where no post has any of it. */
export function unfinishedWord(query: SearchQuery, unit: Unit): Wanted | undefined {
  const { postings } = query.index.documents;
  const [typed = -1] = numbersOf(query, unit.words);
  const words = new Set([
    ...numbersOf(query, singularOf(unit.text)),
    ...query.index.completions.startingWith(unit.text),
  ]);
  words.delete(typed);
  const most = [...words].filter((word) => isKnown(query, word)).sort((a, b) => postings.count(b) - postings.count(a));
  const taken = isKnown(query, typed) ? [typed] : [];
  let read = 0;
  for (const word of most) {
    const count = postings.count(word);
    if (taken.length === MOST_COMPLETED) break;
    if (read + count > MOST_COMPLETED_POSTINGS) continue;
    read += count;
    taken.push(word);
  }
  const [first] = taken;
  if (first === undefined) return undefined;
  const list = unionOf(query, taken, typed);
  if (list.count === 0) return undefined;
  return wanted(query, unit, [first], list);
}

const singularOf = (text: string) => (PLURAL_OF_Y.test(text) ? reader.wordsOf(text.replace(PLURAL_OF_Y, 'y'), 1) : []);

/** The posts that have any of some words; what is complete counts twice as much as what is not. */
function unionOf({ index, workspace }: SearchQuery, words: readonly number[], complete: number): PostingList {
  const { postings, posts, size } = index.documents;
  const often = new Uint8Array(size);
  let count = 0;
  for (const word of words) {
    const list = postings.read(word, workspace.other);
    for (let i = 0; i < list.count; i++) {
      const document = uint32At(list.docs, i);
      if (uint32At(posts, document) === 0) continue;
      const frequency = uint8At(list.frequencies, i);
      const before = uint8At(often, document);
      if (before === 0) count++;
      often[document] = Math.min(255, before + (word === complete ? frequency : Math.ceil(frequency / 2)));
    }
  }
  const docs = new Uint32Array(count);
  const frequencies = new Uint8Array(count);
  let at = 0;
  for (let document = 0; at < count; document++) {
    const frequency = uint8At(often, document);
    if (frequency === 0) continue;
    docs[at] = document;
    frequencies[at++] = frequency;
  }
  return { docs, frequencies, count, word: -1, from: undefined };
}
