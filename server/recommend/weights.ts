// Every constant of the ranking, in one place, with its reason. Fitted on articles and the links their editors put
// between them; one fixed set for all sites.

/** Words read of a title and of a text. Reading on adds noise, not relevance. */
export const TITLE_WORDS = 64;
export const BODY_WORDS = 1000;

/** A word in the title counts as often as this many in the text; a tag or the section as this many. */
export const TITLE_FREQUENCY = 5;
export const PHRASE_FREQUENCY = 4;

/** Rarity ln(1 + posts / posts with the term) to this power. */
export const RARITY_POWER = 1.25;

/** A term in more than this share of posts tells posts apart too little to look for. */
export const COMMON_SHARE = 0.1;
/** … but on a small site a term is only common when this many posts have it. */
export const COMMON_AT_LEAST = 10;

/** Heaviest terms of a post that are looked for. */
export const QUERY_TERMS = 400;
/** Heaviest terms of a visitor's taste that are looked for. */
export const TASTE_TERMS = 300;

/** Posts closest in words that are ranked again by title and time. */
export const RERANKED = 200;

export const TITLE_COVERAGE_GAIN = 0.7;
export const TITLE_COSINE_GAIN = 0.3;
/** Posts of the same weeks, and of the same year, belong together: a season, a launch, a series. */
export const SEASON_GAIN = 1.5;
export const SEASON_DAYS = 30;
export const ERA_GAIN = 0.3;
export const ERA_DAYS = 365;

/**
 * The floor: cosine × (distinct terms of the post asked from) ^ 0.25 below this is chance. Longer posts have smaller
 * cosines with everything, which the power evens out; the constant held on sites of all sizes.
 */
export const RELEVANCE_FLOOR = 0.06;
export const FLOOR_LENGTH_POWER = 0.25;

/** From this cosine on two posts are the same article. */
export const SAME_ARTICLE = 0.85;

/** How much a post loses for repeating what stands above it, and among how many that is looked at. */
export const DIVERSITY = 0.2;
export const DIVERSIFIED = 50;

/** A taste is made of the newest visits; each step back weighs this much less. */
export const TASTE_VISITS = 20;
export const TASTE_DECAY = 0.87;
/** With a post and a visitor, how much the visitor's taste may lift a post. */
export const TASTE_GAIN = 0.5;
