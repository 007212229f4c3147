// The tables everything starts from. Times are epoch milliseconds (UTC); only `day` is a date, in the site's own zone.
import { MAX_APP_EVENT_AGE_MS } from '../../contract/limits.ts';
import type { Migration } from './migration.ts';

const DAY_MS = 24 * 3600 * 1000;

/** An insert is answered when it is on the disk. */
export const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1';

/**
 * The same token twice is stored once. Every target of a materialised view needs its own window, or a repeated batch
 * counts twice there. Not for the small tables: without a token the engine compares contents, and "hide, show, hide
 * again" within a millisecond would lose its last word.
 */
export const ONCE = `${DURABLE}, non_replicated_deduplication_window = 10000`;

/**
 * Days that the key of an event is kept, by which the event is recognised when it is sent again after a restart: as
 * long as an app may send it, and one day each for the time zone of the site and for the day that has begun.
 */
const KEY_DAYS = MAX_APP_EVENT_AGE_MS / DAY_MS + 2;

/** Key of a page or video: computed by the engine alone, so no second hash in JavaScript can ever differ from it. */
const keyOf = (column: string) => `UInt64 MATERIALIZED if(${column} = '', 0, sipHash64(${column}))`;

const sites = `
CREATE TABLE IF NOT EXISTS sites (
  site LowCardinality(String),
  timezone String,
  domains Array(String),
  feature_top Bool,
  feature_recommendations Bool,
  secret_hash String,
  write_secret_hash String,
  created_at UInt64,
  updated_at UInt64
) ENGINE = ReplacingMergeTree(updated_at) ORDER BY site SETTINGS ${DURABLE}`;

// Classified once, when an event comes in, so that no question has to parse a referrer or a user agent.
// Old events leave as whole parts (at most a month later than 400 days), which costs no rewriting.
// `key` detects events that were sent twice; none is sent again after days, and random bits do not compress.
const events = `
CREATE TABLE IF NOT EXISTS events (
  site LowCardinality(String),
  day Date,
  post ${keyOf('url')},
  time UInt64 CODEC(Delta, ZSTD(1)),
  action Enum8('pageview' = 1, 'heartbeat' = 2, 'videostart' = 3, 'vheartbeat' = 4, 'conversion' = 5, 'share' = 6, 'custom' = 7),
  url String CODEC(ZSTD(1)),
  visitor UInt64 CODEC(ZSTD(1)),
  seconds UInt16 CODEC(T64, ZSTD(1)),
  video String CODEC(ZSTD(1)),
  video_post ${keyOf('video')} CODEC(ZSTD(1)),
  referrer_type Enum8('direct' = 0, 'internal' = 1, 'social' = 2, 'search' = 3, 'other' = 4),
  referrer LowCardinality(String),
  referrer_url String CODEC(ZSTD(1)),
  referrer_post ${keyOf('referrer_url')} CODEC(ZSTD(1)),
  campaign_id LowCardinality(String),
  campaign_medium LowCardinality(String),
  campaign_source LowCardinality(String),
  campaign_content LowCardinality(String),
  campaign_term LowCardinality(String),
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4),
  device Enum8('desktop' = 1, 'mobile' = 2, 'tablet' = 3),
  segments Array(LowCardinality(String)),
  network Enum8('' = 0, 'fb' = 1, 'tw' = 2, 'li' = 3, 'pi' = 4),
  conversion_type LowCardinality(String),
  conversion_label LowCardinality(String),
  key UInt64 CODEC(ZSTD(1)) TTL day + INTERVAL ${KEY_DAYS} DAY
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, post, time)
TTL day + INTERVAL 400 DAY
SETTINGS ${ONCE}, ttl_only_drop_parts = 1`;

const urls = `
CREATE TABLE IF NOT EXISTS urls (
  site LowCardinality(String),
  post UInt64,
  url String CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree ORDER BY (site, post) SETTINGS ${ONCE}`;

const urlsOfPages = `
CREATE MATERIALIZED VIEW IF NOT EXISTS urls_of_pages TO urls AS
SELECT site, post, any(url) AS url FROM events GROUP BY site, post`;

const urlsOfVideos = `
CREATE MATERIALIZED VIEW IF NOT EXISTS urls_of_videos TO urls AS
SELECT site, video_post AS post, any(video) AS url FROM events WHERE video != '' GROUP BY site, post`;

// Small granules: posts are fetched a handful at a time, and their text is long.
const posts = `
CREATE TABLE IF NOT EXISTS posts (
  site LowCardinality(String),
  url String,
  post ${keyOf('url')},
  page_type Enum8('post' = 1, 'index' = 2, 'video' = 3, 'other' = 4),
  title String,
  image_url String,
  thumb_url String,
  pub_date Nullable(Int64),
  section String,
  authors Array(String),
  tags Array(String),
  full_content String CODEC(ZSTD(3)),
  word_count UInt32,
  language LowCardinality(String),
  duration Float64,
  post_id String,
  video_platform LowCardinality(String),
  metadata String CODEC(ZSTD(3)),
  updated_at UInt64,
  deleted UInt8
) ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY (site, url)
SETTINGS ${DURABLE}, index_granularity = 256`;

const aliases = `
CREATE TABLE IF NOT EXISTS aliases (
  site LowCardinality(String),
  alias String,
  alias_post ${keyOf('alias')},
  canonical String,
  canonical_post ${keyOf('canonical')},
  updated_at UInt64,
  deleted UInt8
) ENGINE = ReplacingMergeTree(updated_at, deleted) ORDER BY (site, alias) SETTINGS ${DURABLE}`;

const exclusions = `
CREATE TABLE IF NOT EXISTS exclusions (
  site LowCardinality(String),
  url String,
  updated_at UInt64,
  deleted UInt8
) ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY (site, url)
TTL toDateTime(intDiv(updated_at, 1000), 'UTC') + INTERVAL 90 DAY
SETTINGS ${DURABLE}`;

const profileVisits = `
CREATE TABLE IF NOT EXISTS profile_visits (
  site LowCardinality(String),
  uuid String,
  url String,
  time UInt64
) ENGINE = ReplacingMergeTree(time)
ORDER BY (site, uuid, url)
TTL toDateTime(intDiv(time, 1000), 'UTC') + INTERVAL 7 DAY
SETTINGS ${ONCE}, index_granularity = 1024`;

export const tables: Migration = {
  version: 1,
  name: 'sites, events, posts, aliases, exclusions, profiles',
  statements: [sites, events, urls, urlsOfPages, urlsOfVideos, posts, aliases, exclusions, profileVisits],
};
