// The numbers of the interface: one constant per limit, imported by whoever enforces or tests it.

/** Names under which a Site ID arrives, in order of preference. `service` is an alias of ours. */
export const SITE_ID_PARAMS = ['apikey', 'service'] as const;

/** Records reachable through `limit` × `page` together. */
export const MAX_RECORDS = 2000;
export const DEFAULT_LIMIT = 10;
export const DEFAULT_PAGE = 1;

/** Values of one repeated filter (author, tag, section). */
export const MAX_FILTER_VALUES = 5;

/** Longest span of a period, in days. */
export const MAX_SPAN_DAYS = 90;
export const DEFAULT_PERIOD_DAYS = 3;
export const DEFAULT_META_DETAIL_DAYS = 14;

/** /top looks back at most this many days and answers one of two lengths. */
export const MAX_TOP_DAYS = 31;
export const TOP_LENGTHS = [10, 25] as const;

export const MAX_EXCLUDED_URLS = 200;
export const EXCLUSION_DAYS = 90;
export const PROFILE_DAYS = 7;
export const MAX_TAGS = 100;

/** JSON-P callback names longer than this are refused. */
export const MAX_CALLBACK_LENGTH = 128;

/** Write secrets have exactly this many characters: the WordPress plugin accepts no other length. */
export const WRITE_SECRET_LENGTH = 10;

/** Engaged seconds one heartbeat may carry. */
export const MIN_INC = 1;
export const MAX_INC = 3600;

/** An event's own time is accepted when it is at most this long before its arrival, in milliseconds; never after it. */
export const MAX_EVENT_AGE_MS = 24 * 3600 * 1000;
/** The same for events of apps, which keep what happens while a phone is offline. */
export const MAX_APP_EVENT_AGE_MS = 7 * 24 * 3600 * 1000;

/** Longest URL kept, in characters. Longer ones are dropped, with a counted reason. */
export const MAX_URL_LENGTH = 2048;

/** Bytes, and events, of one batch, where the operator says nothing else. A page has sent a handful of events, an app that was offline some hundreds. */
export const MAX_BATCH_BYTES = 512 * 1024;
export const MAX_BATCH_EVENTS = 2000;
