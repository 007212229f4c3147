// Resolves the words of a query to words of the index: those typed; where no post has them, other spellings, then the
// two words of a compound, then words at an edit distance of one.

import { Tokenizer, type Word } from '../textindex/tokenizer.ts';
import { inMoreThan, matchesOf, sideBySide, type Wanted, wanted } from './matching.ts';
import { misspellingsOf, splitsOf } from './misspellings.ts';
import type { Unit } from './parseQuery.ts';
import { NEIGHBOURS_COUNT } from './weights.ts';
import type { SearchQuery } from './workspace.ts';

/** Words of one question that are looked for as two words or as misspelt: each takes some hundred look-ups. */
const MOST_CORRECTED = 3;
/** Texts read at most to find whether two words stand side by side anywhere. */
const MOST_READ = 64;
/** Words typed apart are looked for as one where both have as many letters, or a hyphen is between them. */
const JOINED_LEAST = 3;

const reader = new Tokenizer();

/** The units of a question, resolved. */
export function wantedUnits(query: SearchQuery, units: readonly Unit[]): Wanted[] {
  let left = MOST_CORRECTED;
  return units.map((unit) => {
    const known = knownWords(query, unit);
    const mayBeCorrected = known === undefined && !unit.quoted && unit.words.length === 1 && left-- > 0;
    const words =
      known ?? (mayBeCorrected ? correctedWords(query, unit.text) : undefined) ?? numbersOf(query, unit.words);
    return wanted(query, unit, words);
  });
}

/**
 * The units with words that were typed apart as one, as other posts write them ("e-mail", "email"; "web site",
 * "website"); undefined where no post does. What has the one word is as good as what has both side by side.
 */
export function joinedUnits(
  query: SearchQuery,
  { units, resolved }: { units: readonly Unit[]; resolved: readonly Wanted[] },
): Wanted[] | undefined {
  const joined: Wanted[] = [];
  let isJoined = false;
  for (let at = 0; at < units.length; at++) {
    const [unit, next] = [resolved[at]!, resolved[at + 1]];
    const words = next && joinedWord(query, units[at]!, units[at + 1]!);
    if (words === undefined) joined.push(unit);
    else {
      isJoined = true;
      const rarity = (unit.rarity + next!.rarity) * (1 + NEIGHBOURS_COUNT / 2);
      joined.push({ ...wanted(query, { quoted: false }, words), rarity, common: false });
      at++;
    }
  }
  return isJoined ? joined : undefined;
}

function joinedWord(query: SearchQuery, first: Unit, second: Unit): number[] | undefined {
  if (first.quoted || second.quoted || first.words.length + second.words.length > 2) return undefined;
  if (!second.hyphenated && Math.min(first.text.length, second.text.length) < JOINED_LEAST) return undefined;
  const numbers = numbersOf(query, reader.wordsOf(first.text + second.text, 2));
  return numbers.length === 1 && areKnown(query, numbers) ? numbers : undefined;
}

/** Numbers of a unit's words in the first of its spellings that posts have. */
function knownWords(query: SearchQuery, { words, spellings }: Unit): number[] | undefined {
  for (const one of [words, ...spellings]) {
    const numbers = numbersOf(query, one);
    if (areKnown(query, numbers)) return numbers;
  }
  return undefined;
}

function correctedWords(query: SearchQuery, text: string): number[] | undefined {
  return splitCompound(query, text) ?? misspeltWord(query, text);
}

/** A compound as two words that stand side by side in a post. */
function splitCompound(query: SearchQuery, text: string): number[] | undefined {
  return splitsOf(text)
    .map((parts) =>
      numbersOf(
        query,
        parts.flatMap((part) => reader.wordsOf(part, 1)),
      ),
    )
    .find((words) => words.length === 2 && words.every((word) => isKnown(query, word)) && standSomewhere(query, words));
}

/** Two common words ("ofthe") are none: to look through so many posts for them would take longer than any search. */
function standSomewhere(query: SearchQuery, words: number[]): boolean {
  if (wanted(query, { quoted: false }, words).common) return false;
  const unit = wanted(query, { quoted: true }, words);
  const { sift, holds } = sideBySide(query.index, [unit]);
  const { documents, count } = sift(matchesOf(query, unit, () => true));
  return documents.subarray(0, Math.min(count, MOST_READ)).some((document) => holds?.(document) ?? false);
}

/** The word that most posts have of those at an edit distance of one. */
function misspeltWord(query: SearchQuery, text: string): number[] | undefined {
  const { postings } = query.index.documents;
  const others = misspellingsOf(text);
  if (others.length === 0) return undefined;
  const known = numbersOf(query, reader.wordsOf(others.join(' '), others.length)).filter((word) =>
    isKnown(query, word),
  );
  const word = known.sort((a, b) => postings.count(b) - postings.count(a)).find((other) => inMoreThan(0, query, other));
  return word === undefined ? undefined : [word];
}

const numbersOf = ({ index }: SearchQuery, words: readonly Word[]): number[] =>
  words.map(({ high, low }) => index.shared.dictionary.find(high, low));

/** Whether a post has or had a word: found without reading its postings. */
const isKnown = ({ index }: SearchQuery, word: number): boolean => index.documents.postings.count(word) > 0;

const areKnown = (query: SearchQuery, words: readonly number[]): boolean =>
  words.length > 0 && words.every((word) => inMoreThan(0, query, word));
