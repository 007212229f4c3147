// Every constant of the search, in one place, with its reason.

/** A word in the title counts as often as this many in the text; one in a tag or an author's name as this many. */
export const TITLE_COUNTS = 8;
export const NAME_COUNTS = 4;

/** BM25 `k1`: how soon the weight of a repeated word saturates … */
export const SATURATION = 1.2;
/** … and how much of a text's length is held against it. */
export const LENGTH_SHARE = 0.6;

/**
 * Words that stand side by side as they were asked for add this share of the mean weight of one of them: of the first
 * five answers to two neighbouring words of a text, 87 % have them side by side instead of 53 %, and at 1 a few more …
 */
export const NEIGHBOURS_COUNT = 0.5;
/** … the first so many pairs of a question: people type two or three words. */
export const MOST_NEIGHBOURS = 8;

/**
 * A word in more than half of the posts ("the") need not be there as long as a rarer one is: it only adds to the score.
 * On small sites no word is that common.
 */
export const COMMON_SHARE = 0.5;
export const COMMON_AT_LEAST = 100;

/**
 * Where no post has all words, those with most of what was asked for, by rarity, are taken: a word in no post (a
 * typing error) must not hide what the others find. Words no post has count as the rarest.
 */
export const ENOUGH = 0.6;

/**
 * Places of one question at which posts may have another variant ("email", "e-mail"): the question is asked once for
 * each choice, so eight times at most …
 */
export const MOST_VARIED = 3;
/** … and variants are looked up for the first so many words. */
export const MOST_WITH_VARIANTS = 8;
/**
 * Sample of the posts that have a word, where the share of those with others beside it decides whether they are a
 * variant: it is known to one percent.
 */
export const MOST_SAMPLED = 2048;
/** Letters are an acronym where this share of the posts with the rarest of them has all of them side by side. */
export const ACRONYM_SHARE = 0.25;

/** Words that a prefix is compared with, at most … */
export const MOST_COMPARED = 4096;
/** … words that it stands for, those in most posts first … */
export const MOST_COMPLETED = 16;
/** … and their postings together. A word with more postings is found when it is complete. */
export const MOST_COMPLETED_POSTINGS = 60_000;

/** Words, or phrases, of one question; what comes after is not looked for. */
export const MOST_UNITS = 32;
/** Words of one phrase: as many as fit the bits of a number. */
export const MOST_IN_PHRASE = 31;
