// Resolves the words of a query to words of the index: those typed; where no post has them, other spellings, then the
// parts that a number or an acronym is written in, then the two words of a compound, then words at an edit distance of
// one.

import { Tokenizer } from '../textindex/tokenizer.ts';
import { inMoreThan, type Wanted, wanted } from './matching.ts';
import { misspellingsOf, splitsOf } from './misspellings.ts';
import type { Unit } from './parseQuery.ts';
import { unfinishedWord } from './unfinished.ts';
import { inParts } from './variants.ts';
import { areKnown, isKnown, numbersOf, sideBySideOf } from './wordNumbers.ts';
import type { SearchQuery } from './workspace.ts';

/** Words of one question that are looked for as two words or as misspelt: each takes some hundred look-ups. */
const MOST_CORRECTED = 3;

const reader = new Tokenizer();

/** The units of a question, resolved. @param unfinished The one that may become another word yet. */
export function wantedUnits(query: SearchQuery, units: readonly Unit[], unfinished?: Unit): Wanted[] {
  let left = MOST_CORRECTED;
  return units.map((unit) => {
    const completed = unit === unfinished ? unfinishedWord(query, unit) : undefined;
    if (completed !== undefined) return completed;
    const known = knownWords(query, unit);
    if (known !== undefined) return { ...wanted(query, unit, known.numbers), isTyped: known.isTyped };
    const mayBeCorrected = !unit.quoted && unit.words.length === 1 && left-- > 0;
    const corrected = mayBeCorrected ? correctedWords(query, unit) : undefined;
    return { ...wanted(query, unit, corrected ?? numbersOf(query, unit.words)), isTyped: corrected === undefined };
  });
}

/** Numbers of a unit's words in the first of its spellings that posts have. */
function knownWords(
  query: SearchQuery,
  { words, spellings }: Unit,
): { numbers: number[]; isTyped: boolean } | undefined {
  for (const one of [words, ...spellings]) {
    const numbers = numbersOf(query, one);
    if (areKnown(query, numbers)) return { numbers, isTyped: one === words };
  }
  return undefined;
}

function correctedWords(query: SearchQuery, unit: Unit): number[] | undefined {
  return inParts(query, unit) ?? splitCompound(query, unit.text) ?? misspeltWord(query, unit.text);
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
    .find(
      (words) =>
        words.length === 2 && words.every((word) => isKnown(query, word)) && sideBySideOf(query, words).posts > 0,
    );
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
