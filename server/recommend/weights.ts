// Constants of the ranking, with their reasons. The gains of the ranking factors stand with each factor. Fitted on
// articles and the links their editors put between them; one fixed set for all sites.

/** Heaviest terms of a post that are looked for: fewer cost relevance, more cost time and bring none. */
export const QUERY_TERMS = 400;
/** The same where readers bring posts too: more of them take time, and predict the next read no better. */
export const MIXED_QUERY_TERMS = 150;
/** Terms of the lead of the post being read weigh this much more when others are looked for. */
export const LEAD_GAIN = 0.5;
/** A term of at most so many posts is rare. */
export const RARE_POSTS = 3;

/**
 * Posts closest in words that are looked at, before any filter. A site of 100,000 posts has fewer that are close at
 * all; only one whose posts are all alike has more, and would delay all other requests.
 */
export const CANDIDATES = 8192;

/**
 * The floor. Closeness is the full cosine × what tags and authors in common say. Posts of few distinct terms have
 * larger cosines with everything, and so have long ones, which have a little of everything: below and above these
 * lengths, the ratio to them ^ a power evens that out. Among strangers a post finds one that is close by chance, but
 * not five: it belongs where the five closest come to this much together …
 */
export const RELEVANCE_FLOOR = 0.148;
export const CLOSEST = 5;
/** … of the so many closest in the words looked for … */
export const VOUCHING = 60;
/** … or one alone to this much. */
export const SURE_FLOOR = 0.0515;
export const SHORT_TERMS = 300;
export const SHORT_POWER = 0.15;
export const LONG_TERMS = 600;
export const LONG_POWER = 0.2;
/**
 * For a post that belongs, posts this close are shown; on a site so small that hardly a word is rare, those three times
 * as close.
 */
export const lesserFloor = (posts: number): number => (posts < SMALL_SITE ? 3 : 1) * LESSER_FLOOR;
const LESSER_FLOOR = 0.006;
const SMALL_SITE = 100;
/** The same over the terms looked for only: who fails this need not be compared in full. */
export const CANDIDATE_FLOOR = 0.0035;
/**
 * How far a visitor's taste reaches, evened out by a power of its own: a taste of many posts is close to none of them.
 */
export const TASTE_FLOOR = 0.06;
export const TASTE_LENGTH_POWER = 0.25;

/** From this cosine on two posts are the same article. */
export const SAME_ARTICLE = 0.85;
/** … or from this share of pairs of neighbouring words on. */
export const SAME_PAIRS = 0.75;

/** A taste is made of the newest visits; each step back weighs this much less. */
export const TASTE_VISITS = 20;
export const TASTE_DECAY = 0.87;
/** Heaviest terms of a taste that are looked for. */
export const TASTE_TERMS = 300;
/**
 * Posts asked of other readers, and the sessions that must have a post in common with the visitor before it is brought
 * in.
 */
export const FOLLOWED_POSTS = 200;
export const LEAST_READERS = 2;
/** Weight of a visitor's taste, relative to what other readers read next (1). */
export const TASTE_SHARE = 0.2;
