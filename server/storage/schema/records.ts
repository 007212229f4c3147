// Tables of records: sites and partners, posts, what crawling and recommending need, keys. Times are epoch milliseconds
// (UTC).
import type { Column, Table } from './table.ts';

export const TEXT: Column = { type: 'String', codec: 'ZSTD(1)' };
const LONG_TEXT: Column = { type: 'String', codec: 'ZSTD(3)' };

/** Key of a page or video: computed by the engine alone, so that no second hash in JavaScript can differ from it. */
export const keyOf = (column: string): Column => ({
  type: 'UInt64',
  materialized: `if(${column} = '', 0, sipHash64(${column}))`,
});

export const since = (column: string, interval: string) =>
  `toDateTime(intDiv(${column}, 1000), 'UTC') + INTERVAL ${interval}`;

export const SITES: Table = {
  name: 'sites',
  columns: {
    site: 'LowCardinality(String)',
    timezone: 'String',
    domains: 'Array(String)',
    // The site's own rules for referrers.
    referrers: 'Array(Tuple(host String, category LowCardinality(String)))',
    feature_top: 'Bool',
    feature_recommendations: 'Bool',
    feature_search: { type: 'Bool', default: 'true' },
    event_metadata: { type: 'Bool', default: 'false' },
    // Keys of an event's data that name segments.
    segment_keys: 'Array(String)',
    // Of its related posts; those that are absent have their defaults.
    dials: 'Array(Tuple(name LowCardinality(String), value Float64))',
    // JSON of a list; empty: none.
    experiments: TEXT,
    // JSON of a list; empty: none.
    rules: TEXT,
    // JSON, with the secret that signs; empty: none.
    webhook: 'String',
    // JSON; empty: none.
    alarms: 'String',
    // JSON of a list; empty: none.
    mail: 'String',
    secret_hash: 'String',
    write_secret_hash: 'String',
    // Secrets that were replaced and are still accepted for a while.
    retiring: `Array(Tuple(kind Enum8('read' = 1, 'write' = 2), hash String, until UInt64))`,
    // Quotas; 0: none.
    keep_events: { type: 'UInt64', default: '0' },
    max_events_per_day: { type: 'UInt64', default: '0' },
    max_posts: { type: 'UInt64', default: '0' },
    max_disk: { type: 'UInt64', default: '0' },
    created_at: 'UInt64',
    updated_at: 'UInt64',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at'],
  orderBy: ['site'],
  inserts: 'durable',
  counted: { as: 'sites' },
};

/** Partners make sites for their customers. */
const PARTNERS: Table = {
  name: 'partners',
  columns: {
    partner: 'String',
    secret_hash: 'String',
    created_at: 'UInt64',
    updated_at: 'UInt64',
    deleted: 'UInt8',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at', 'deleted'],
  orderBy: ['partner'],
  inserts: 'durable',
};

const PARTNER_SITES: Table = {
  name: 'partner_sites',
  columns: { partner: 'String', site: 'LowCardinality(String)', created_at: 'UInt64' },
  engine: 'ReplacingMergeTree',
  versions: ['created_at'],
  orderBy: ['partner', 'site'],
  inserts: 'durable',
};

/** Small granules: posts are fetched a handful at a time, and their text is long. */
export const POSTS: Table = {
  name: 'posts',
  columns: {
    site: 'LowCardinality(String)',
    url: 'String',
    post: keyOf('url'),
    page_type: `Enum8('post' = 1, 'index' = 2, 'video' = 3, 'other' = 4)`,
    title: 'String',
    image_url: 'String',
    thumb_url: 'String',
    pub_date: 'Nullable(Int64)',
    section: 'String',
    authors: 'Array(String)',
    tags: 'Array(String)',
    full_content: LONG_TEXT,
    word_count: 'UInt32',
    language: 'LowCardinality(String)',
    duration: 'Float64',
    post_id: 'String',
    video_platform: 'LowCardinality(String)',
    metadata: LONG_TEXT,
    // JSON of alternative titles and pictures, and how their test stands; empty: none.
    alternatives: TEXT,
    updated_at: 'UInt64',
    deleted: 'UInt8',
    // Fields that the publisher sent: the crawler never overwrites them.
    sent: 'Array(LowCardinality(String))',
    // Since when there is no page at its address; 0: there is one.
    gone_at: 'UInt64',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at', 'deleted'],
  orderBy: ['site', 'url'],
  inserts: 'durable',
  settings: { index_granularity: 256 },
  counted: { as: 'posts' },
};

const ALIASES: Table = {
  name: 'aliases',
  columns: {
    site: 'LowCardinality(String)',
    alias: 'String',
    alias_post: keyOf('alias'),
    canonical: 'String',
    canonical_post: keyOf('canonical'),
    updated_at: 'UInt64',
    deleted: 'UInt8',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at', 'deleted'],
  orderBy: ['site', 'alias'],
  inserts: 'durable',
  counted: { as: 'aliases' },
};

const EXCLUSIONS: Table = {
  name: 'exclusions',
  columns: { site: 'LowCardinality(String)', url: 'String', updated_at: 'UInt64', deleted: 'UInt8' },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at', 'deleted'],
  orderBy: ['site', 'url'],
  ttl: since('updated_at', '90 DAY'),
  inserts: 'durable',
};

/**
 * Vectors of posts, computed by the operator: a byte a dimension, as base64. An array is three times as long to send.
 */
const POST_VECTORS: Table = {
  name: 'post_vectors',
  columns: {
    site: 'LowCardinality(String)',
    url: 'String',
    dimension: 'UInt16',
    vector: TEXT,
    updated_at: 'UInt64',
    deleted: 'UInt8',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at', 'deleted'],
  orderBy: ['site', 'url'],
  inserts: 'durable',
  settings: { index_granularity: 1024 },
};

/** A page without a request for 90 days counts as new again. */
const CRAWL_QUEUE: Table = {
  name: 'crawl_queue',
  columns: {
    site: 'LowCardinality(String)',
    url: 'String',
    first_seen: 'UInt64',
    due: 'UInt64',
    requested: 'Bool',
    attempts: 'UInt16',
    last_read: 'UInt64',
    last_failure: 'LowCardinality(String)',
    said: TEXT, // JSON of what the page said when it was read last; empty: not known.
    updated_at: 'UInt64',
    // Networks of readers that the page was seen from.
    priority: { type: 'UInt16', default: '1' },
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at'],
  orderBy: ['site', 'url'],
  ttl: since('updated_at', '90 DAY'),
  inserts: 'durable',
  settings: { index_granularity: 1024 },
};

/** Of a reader, on one shard. */
const PROFILE_VISITS: Table = {
  name: 'profile_visits',
  columns: { site: 'LowCardinality(String)', uuid: 'String', url: 'String', time: 'UInt64' },
  engine: 'ReplacingMergeTree',
  versions: ['time'],
  orderBy: ['site', 'uuid', 'url'],
  ttl: since('time', '7 DAY'),
  inserts: 'once',
  settings: { index_granularity: 1024 },
  shardBy: ['site', 'uuid'],
};

/**
 * The salt of the day, which the copies of the server agree on. They erase it when the day is over; the engine does an
 * hour later, should none of them run. What is erased leaves the disk within a minute, not with the next merge.
 */
export const SALTS: Table = {
  name: 'salts',
  columns: { day: 'Date', salt: 'String' },
  engine: 'ReplacingMergeTree',
  orderBy: ['day'],
  ttl: `toDateTime(day, 'UTC') + INTERVAL 25 HOUR`,
  inserts: 'once',
  settings: { merge_with_ttl_timeout: 600, old_parts_lifetime: 60 },
};

/** Keys that the copies of the server share, such as the one that signs the addresses of thumbnails. */
const INSTALLATION_KEYS: Table = {
  name: 'installation_keys',
  columns: { name: 'String', secret: 'String' },
  engine: 'ReplacingMergeTree',
  orderBy: ['name'],
  inserts: 'once',
};

/**
 * Heartbeats of the copies of the server, by the clock of the engine: those of the copies differ. What a power cut
 * loses is written again seconds later.
 */
export const COPIES: Table = {
  name: 'copies',
  columns: { name: 'String', gone: 'Bool', seen_at: { type: `DateTime64(3, 'UTC')`, default: `now64(3, 'UTC')` } },
  engine: 'ReplacingMergeTree',
  versions: ['seen_at'],
  orderBy: ['name'],
  ttl: 'toDateTime(seen_at) + INTERVAL 1 DAY',
  inserts: 'volatile',
};

export const RECORDS: readonly Table[] = [
  SITES,
  PARTNERS,
  PARTNER_SITES,
  POSTS,
  ALIASES,
  EXCLUSIONS,
  POST_VECTORS,
  CRAWL_QUEUE,
  PROFILE_VISITS,
  SALTS,
  INSTALLATION_KEYS,
  COPIES,
];
