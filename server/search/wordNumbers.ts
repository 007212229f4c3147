// The words of a question by their numbers in the index, and in how many posts they stand side by side.

import { at } from '../at.ts';
import type { Word } from '../textindex/tokenizer.ts';
import { uint32At } from '../textindex/typedReads.ts';
import { inMoreThan, sideBySide, wanted } from './matching.ts';
import { Phrase } from './wordTally.ts';
import type { SearchQuery } from './workspace.ts';

/** Texts read at most to find whether words stand side by side anywhere. */
const MOST_READ = 64;

/** Words that stand side by side. */
export interface Found {
  words: number[];
  /** Posts that have each of them. */
  counts: number[];
  /** Posts, about, in which they stand side by side. */
  posts: number;
}

export const numbersOf = ({ index }: SearchQuery, words: readonly Word[]): number[] =>
  words.map(({ high, low }) => index.shared.dictionary.find(high, low));

/** Whether a post has or had a word: found without reading its postings. */
export const isKnown = ({ index }: SearchQuery, word: number): boolean => index.documents.postings.count(word) > 0;

export const areKnown = (query: SearchQuery, words: readonly number[]): boolean =>
  words.length > 0 && words.every((word) => inMoreThan(0, query, word));

/**
 * In how many posts words stand side by side, by the texts of the first that may have them so. Words that are all
 * common ("of the") do in none: to look through so many posts for them would take longer than any search.
 * @param most Posts with the rarest of them that are looked at, evenly over all. Default: all, so that 0 is exact.
 */
export function sideBySideOf(query: SearchQuery, words: number[], most = Number.POSITIVE_INFINITY): Found {
  const { index, workspace } = query;
  const { posts, postings, neighbours } = index.documents;
  const counts = words.map((word) => postings.count(word));
  const unit = wanted(query, { quoted: false }, words);
  if (unit.common) return { words, counts, posts: 0 };
  const { docs, count } = postings.read(at(words, counts.indexOf(unit.cost)), workspace.rarest);
  const step = Math.max(1, Math.floor(count / most));
  const mayHave = neighbours.lookFor(new Phrase(words).pairs, count / step);
  const read: number[] = [];
  let left = 0;
  for (let i = 0; i < count; i += step) {
    const document = uint32At(docs, i);
    if (uint32At(posts, document) === 0 || !mayHave(document)) continue;
    left++;
    if (read.length < MOST_READ) read.push(document);
  }
  const { holds } = sideBySide(index, [unit]);
  const holding = read.filter((document) => holds?.(document)).length;
  return { words, counts, posts: read.length === 0 ? 0 : (holding / read.length) * left * step };
}
