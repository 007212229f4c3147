// Query expansion by written variants: two words as one word, one word as two. Posts write the same word either way:
// "e-mail", "email"; "U.S.", "US"; "Ph.D.", "PhD"; "15,000", "15000"; "web site", "website".

import { Tokenizer } from '../textindex/tokenizer.ts';
import { type Wanted, wanted } from './matching.ts';
import { splitsOf } from './misspellings.ts';
import type { Unit } from './parseQuery.ts';
import { ACRONYM_SHARE, MOST_SAMPLED, MOST_VARIED, MOST_WITH_VARIANTS, NEIGHBOURS_COUNT } from './weights.ts';
import { areKnown, type Found, isKnown, numbersOf, sideBySideOf } from './wordNumbers.ts';
import type { SearchQuery } from './workspace.ts';

/** Words typed apart are looked for as one where both have as many letters, or a hyphen is between them. */
const JOINED_LEAST = 3;

const LETTERS_OR_DIGITS = /^[\p{L}\p{N}\p{M}]+$/u;
const BETWEEN = /[^\p{L}\p{N}\p{M}]+/gu;
const HAS_DIGIT = /\p{N}/u;
/** A number in groups of three digits, by comma, point, apostrophe or blank. */
const GROUPED = /^\d{1,3}(?:[^\p{L}\p{N}]\d{3})+$/u;
const UNGROUPED = /^[1-9]\d{3,11}$/;
const ACRONYM = /^\p{L}{2,4}$/u;
/** Two consonants are no word, so that they are the beginning of an abbreviation: "PhD", "PhDs" of "Ph.D.". */
const ABBREVIATION = /^([bcdfghjklmnpqrstvwxz]{2})([a-z])s?$/;
/** English contractions of two letters: "I'd" and "I'm" are no acronyms. */
const CONTRACTION = /^i[dm]$/;

const reader = new Tokenizer();

/** A place of a question: what was typed there, and its variant. */
interface Place {
  typed: readonly Wanted[];
  variant?: Wanted;
}

/**
 * The readings of a question: as it was typed, then every combination with the variants that posts have, at
 * `MOST_VARIED` places at most. A post that matches any of them is an answer.
 */
export function readingsOf(
  query: SearchQuery,
  { units, resolved }: { units: readonly Unit[]; resolved: readonly Wanted[] },
): Wanted[][] {
  let readings: Wanted[][] = [[]];
  let varied = 0;
  for (let at = 0; at < units.length; ) {
    const place = placeAt(query, { units, resolved, at, mayVary: varied < MOST_VARIED && at < MOST_WITH_VARIANTS });
    const { typed, variant } = place;
    if (variant !== undefined) varied++;
    const others = variant === undefined ? [] : readings.map((reading) => [...reading, variant]);
    readings = [...readings.map((reading) => [...reading, ...typed]), ...others];
    at += typed.length;
  }
  return readings;
}

function placeAt(
  query: SearchQuery,
  {
    units,
    resolved,
    at,
    mayVary,
  }: { units: readonly Unit[]; resolved: readonly Wanted[]; at: number; mayVary: boolean },
): Place {
  const [unit, first, second] = [units[at]!, resolved[at]!, resolved[at + 1]];
  if (!mayVary || unit.quoted) return { typed: [first] };
  const joined = second && joinedWord(query, unit, units[at + 1]!);
  if (joined !== undefined) {
    // As good as both side by side.
    const rarity = (first.rarity + second!.rarity) * (1 + NEIGHBOURS_COUNT / 2);
    return { typed: [first, second!], variant: { ...wanted(query, unit, joined), rarity, common: false } };
  }
  const variant = first.isTyped ? variantOf(query, unit, first) : undefined;
  return { typed: [first], ...(variant && { variant }) };
}

/** Two words as one. */
function joinedWord(query: SearchQuery, first: Unit, second: Unit): number[] | undefined {
  if (second.quoted || first.words.length + second.words.length > 2) return undefined;
  const isNumber = GROUPED.test(`${first.text} ${second.text}`);
  const isLong = Math.min(first.text.length, second.text.length) >= JOINED_LEAST;
  return second.hyphenated || isNumber || isLong ? oneWord(query, first.text + second.text) : undefined;
}

function variantOf(query: SearchQuery, unit: Unit, typed: Wanted): Wanted | undefined {
  const { text } = unit;
  if (unit.words.length > 1) {
    if (HAS_DIGIT.test(text) && !GROUPED.test(text)) return undefined;
    const words = oneWord(query, text.replace(BETWEEN, ''));
    const variant = words && wanted(query, unit, words);
    // The acronym may be a word of another meaning ("us"): what was typed comes first.
    return variant && !variant.common ? { ...variant, rarity: Math.min(variant.rarity, typed.rarity) } : undefined;
  }
  const spelledOut = asAcronym(query, text);
  // The acronym is rarer than the word ("us") mostly.
  if (spelledOut !== undefined) return wanted(query, unit, spelledOut);
  const words = inGroups(query, text) ?? asCompound(query, text);
  return words && { ...wanted(query, unit, words), rarity: typed.rarity };
}

/** A word in parts that stand side by side in a post: "U.S." of "us", "Ph.D." of "phd", "15,000" of "15000". */
export const inParts = (query: SearchQuery, { text }: Pick<Unit, 'text'>): number[] | undefined =>
  asAcronym(query, text) ?? inGroups(query, text);

function asAcronym(query: SearchQuery, text: string): number[] | undefined {
  if (!ACRONYM.test(text) || CONTRACTION.test(text)) return undefined;
  const abbreviation = ABBREVIATION.exec(text)?.slice(1);
  return oftenStanding(query, Array.from(text)) ?? (abbreviation && oftenStanding(query, abbreviation));
}

/** Letters stand side by side by chance as well: of posts that have the rarest of them, a share has the acronym. */
function oftenStanding(query: SearchQuery, parts: readonly string[]): number[] | undefined {
  const found = standing(query, parts, MOST_SAMPLED);
  return found && found.posts >= ACRONYM_SHARE * Math.min(...found.counts) ? found.words : undefined;
}

function inGroups(query: SearchQuery, text: string): number[] | undefined {
  return UNGROUPED.test(text) ? standing(query, text.split(/(?=(?:\d{3})+$)/))?.words : undefined;
}

/**
 * A compound as two words, of all those the two that stand side by side in most posts. They do so in more posts than
 * would have both by chance ("open source"; not "a way", "not able", "may be").
 */
function asCompound(query: SearchQuery, text: string): number[] | undefined {
  if (!LETTERS_OR_DIGITS.test(text) || HAS_DIGIT.test(text)) return undefined;
  let most: Found | undefined;
  for (const parts of splitsOf(text)) {
    const found = standing(query, parts, MOST_SAMPLED);
    if (found === undefined || found.posts <= (most?.posts ?? 0)) continue;
    const byChance = found.counts.reduce((product, count) => product * (count / query.index.size), query.index.size);
    if (found.posts > byChance) most = found;
  }
  return most?.words;
}

/** Words that stand side by side in some post; undefined where they do in none. @param most As `sideBySideOf`. */
function standing(query: SearchQuery, parts: readonly string[], most?: number): Found | undefined {
  const words = numbersOf(query, reader.wordsOf(parts.join(' '), parts.length + 1));
  if (words.length !== parts.length || !words.every((word) => isKnown(query, word))) return undefined;
  const found = sideBySideOf(query, words, most);
  return found.posts > 0 ? found : undefined;
}

/** The number of one word that some post has. */
function oneWord(query: SearchQuery, text: string): number[] | undefined {
  const numbers = numbersOf(query, reader.wordsOf(text, 2));
  return numbers.length === 1 && areKnown(query, numbers) ? numbers : undefined;
}
