// Every constant of co-reading, with its reason.
import { DAY, MINUTE } from '../../durations.ts';

/** A session ends after this time without a page view: the next one begins another session, and the id is forgotten. */
export const SESSION_MS = 30 * MINUTE;
/** Posts of one session that count: more is a program. */
export const SESSION_POSTS = 50;
/** Readers distinguished at one time. Beyond that the one seen longest ago begins a new session. */
export const OPEN_SESSIONS = 200_000;

/** Clicks remembered of a site: 6 MB. A site with fewer remembers those of the last four weeks. */
export const MOST_CLICKS = 2 ** 18;
export const REMEMBERED_MS = 28 * DAY;

/**
 * What was read next counts half after the time in which the site sees so many clicks: the news of a busy site are
 * stale within the hour, those of a quiet one last a week.
 */
export const HALF_LIFE_CLICKS = 10_000;
export const SHORTEST_HALF_LIFE_MS = 30 * MINUTE;
export const LONGEST_HALF_LIFE_MS = 7 * DAY;

/** Newest clicks on a post that are evaluated for what was read next. */
export const RULE_CLICKS = 1500;
/** Steps after a post that count for it; the second counts half, the third a third. */
export const RULE_STEPS = 10;

/** Newest sessions with a post that may be alike, and the number of those taken that are most alike. */
export const SAMPLED_SESSIONS = 500;
export const ALIKE_SESSIONS = 100;
/** Posts of the session, newest first, that others are compared by. */
export const COMPARED_POSTS = 10;

/** Newest clicks of a site that say what is popular now; the middle one of them counts half. */
export const POPULAR_CLICKS = 2500;

/** Weights of the other sources of votes, beside the sessions that are alike, which count 1. */
export const RULES_SHARE = 0.5;
export const POPULAR_SHARE = 0.1;
