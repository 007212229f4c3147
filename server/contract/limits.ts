// The limits of the interface: one constant per limit, imported by the code that enforces it and by its tests.

/** Names of the parameter with a Site ID, in order of preference. `service` is an alias added by this server. */
export const SITE_ID_PARAMS = ['apikey', 'service'] as const;

/** Maximum number of records reachable through `limit` × `page`. */
export const MAX_RECORDS = 2000;
export const DEFAULT_LIMIT = 10;
export const DEFAULT_PAGE = 1;

/** Maximum length of a visitor id that is to be forgotten, in characters: no setting takes longer ones. */
export const MAX_VISITOR_ID = 8_192;

/** Maximum number of values of one repeated filter (author, tag, section). */
export const MAX_FILTER_VALUES = 5;

/** Maximum length of a period, in days. */
export const MAX_SPAN_DAYS = 90;
export const DEFAULT_PERIOD_DAYS = 3;
export const DEFAULT_META_DETAIL_DAYS = 14;

/**
 * Maximum number of intervals of a series: minutes of the default period, and hours of the longest one. One more where
 * the period begins within one.
 */
export const MAX_INTERVALS = DEFAULT_PERIOD_DAYS * 24 * 60;

/** /top covers at most this many days, and has one of two lengths. */
export const MAX_TOP_DAYS = 31;
export const TOP_LENGTHS = [10, 25] as const;

export const MAX_EXCLUDED_URLS = 200;
export const EXCLUSION_DAYS = 90;
export const PROFILE_DAYS = 7;
export const MAX_TAGS = 100;

/** Maximum length of a JSON-P callback name; longer ones are refused. */
export const MAX_CALLBACK_LENGTH = 128;

/** Exact length of a write secret: the WordPress plugin accepts no other. */
export const WRITE_SECRET_LENGTH = 10;

/** Maximum of engaged seconds in one heartbeat. */
export const MIN_INC = 1;
export const MAX_INC = 3600;

/** Maximum age of an event's own time at its arrival, in milliseconds. A time after the arrival is never accepted. */
export const MAX_EVENT_AGE_MS = 24 * 3600 * 1000;
/** The same for events of apps, which store events while a phone is offline. */
export const MAX_APP_EVENT_AGE_MS = 7 * 24 * 3600 * 1000;

/** Days that events and their sums are kept. */
export const KEEP_DAYS = 400;

/** Maximum length of a URL, in characters. Longer ones are dropped, with a counted reason. */
export const MAX_URL_LENGTH = 2048;

/**
 * Default maximum of one batch, in bytes and in events. A page sends a handful of events, an app that was offline some
 * hundreds.
 */
export const MAX_BATCH_BYTES = 512 * 1024;
export const MAX_BATCH_EVENTS = 2000;
