// Constants of the index, with their reasons. They were fitted together with those of the ranking on articles and the
// links their editors put between them.

/**
 * Words read of a title and of a text, stop words included. Half of long articles have more than 1,200; what a digest
 * says of another post in a sentence mostly stands behind them.
 */
export const TITLE_WORDS = 64;
export const BODY_WORDS = 6000;
/**
 * Distinct terms read of a post at most. No article has so many: 6,000 words of English have some 7,000, with pairs. Of
 * a text of 12,000 different characters of a dense script, or of thousands of tags, the first ones count.
 */
export const POST_TERMS = 12_288;

/** A word in the title counts as often as this many in the text; a tag or the section as this many. */
export const TITLE_FREQUENCY = 5;
export const PHRASE_FREQUENCY = 4;

/** Rarity ln(1 + posts / posts with the term) to this power. */
export const RARITY_POWER = 1.25;

/** A term in more than this share of posts discriminates too little to be looked up. */
export const COMMON_SHARE = 0.07;
/** … but on a small site a term is only common when this many posts have it. */
export const COMMON_AT_LEAST = 10;

/**
 * Postings read for one query at most: heavy terms come first and are rare, so on a big site only the most
 * frequent terms are left out.
 */
export const QUERY_POSTINGS = 60_000;
/** Words of a text that belong to its lead, which mostly names the subject. */
export const LEAD_WORDS = 100;

/** Sums are divided by the other post's length to this power: at 1 long posts are held back too much. */
export const LENGTH_POWER = 0.9;

/** The weights of terms are computed anew when this share of the posts has come or gone since. */
export const DRIFT = 0.1;
/** The main segment is made anew at this multiple of the posts there were: terms may have stopped being common. */
export const REBUILT_AT = 1.5;
