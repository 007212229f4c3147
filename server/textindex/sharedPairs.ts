// Jaccard similarity of two texts by their word bigrams: the share of the pairs of neighbouring words of either that
// both have, whatever they weigh. Two notes of forty words that differ in the number of a version share nearly all,
// while a cosine sees the numbers first.

import type { ForwardEntry } from './forwardIndex.ts';
import { VarintReader } from './varints.ts';

/** Words of a site have numbers below this. */
const MOST_WORDS = 2 ** 26;

/** Share of 1; titles, tags and sections do not count. */
export function sharedPairs(a: ForwardEntry, b: ForwardEntry): number {
  const mine = pairsOf(a);
  const theirs = pairsOf(b);
  let shared = 0;
  for (const pair of theirs) if (mine.has(pair)) shared++;
  return shared / (mine.size + theirs.size - shared || 1);
}

function pairsOf(entry: ForwardEntry): Set<number> {
  const from = new VarintReader().open(entry);
  const inTitle = from.next();
  const phrases = from.next();
  const inText = from.next();
  from.skip(inTitle + phrases);
  const words = from.row(inText);
  const pairs = new Set<number>();
  let before: number | undefined;
  for (const word of words.subarray(0, inText)) {
    if (before !== undefined) pairs.add(before * MOST_WORDS + word);
    before = word;
  }
  return pairs;
}
