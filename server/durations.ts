// Lengths of time in milliseconds, as times are everywhere.

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
/** Offsets of time zones are multiples of it, and so are the moments when clocks change. */
export const QUARTER = 15 * MINUTE;
export const HOUR = 60 * MINUTE;
/** Of 24 hours: a day of a site is an hour shorter or longer when clocks change. */
export const DAY = 24 * HOUR;

/**
 * Clocks of copies of the server differ by less. What is later than now by more was written before the clock was set
 * back.
 */
export const CLOCKS_DIFFER_MS = MINUTE;
