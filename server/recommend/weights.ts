// Constants of the ranking, with their reasons. The gains of the ranking factors stand with each factor. Fitted on
// articles and the links their editors put between them; one fixed set for all sites.

/** Heaviest terms of a post that are looked for: fewer cost relevance, more cost time and bring none. */
export const QUERY_TERMS = 400;
/** The same where readers bring posts too: more of them take time, and predict the next read no better. */
export const MIXED_QUERY_TERMS = 200;
/** Terms of the lead of the post being read weigh this much more when others are looked for. */
export const LEAD_GAIN = 0.5;

/**
 * Posts closest in words that are looked at, before any filter. A site of 100,000 posts has fewer that are close at
 * all; only one whose posts are all alike has more, and would delay all other requests.
 */
export const CANDIDATES = 8192;

/**
 * The floor. Closeness is the full cosine × what tags and authors in common say; posts of fewer distinct terms than
 * these have larger cosines with everything, which (their share of these) ^ the power evens out. Among strangers a post
 * finds one that is close by chance, but not three: it belongs where the three closest come to this much together …
 */
export const RELEVANCE_FLOOR = 0.103;
export const CLOSEST = 3;
/** … of the so many closest in the words looked for … */
export const VOUCHING = 60;
/** … or one alone to this much. */
export const SURE_FLOOR = 0.0515;
export const FLOOR_LENGTH = 300;
export const FLOOR_LENGTH_POWER = 0.15;
/** For a post that belongs, posts this close are shown. */
export const LESSER_FLOOR = 0.018;
/** The same over the terms looked for only: who fails this need not be compared in full. */
export const CANDIDATE_FLOOR = 0.0075;
/**
 * How far a visitor's taste reaches, evened out by a power of its own: a taste of many posts is close to none of them.
 */
export const TASTE_FLOOR = 0.06;
export const TASTE_LENGTH_POWER = 0.25;

/** From this cosine on two posts are the same article. */
export const SAME_ARTICLE = 0.85;

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
