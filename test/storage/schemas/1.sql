CREATE TABLE IF NOT EXISTS sites (
  site LowCardinality(String),
  timezone String,
  domains Array(String),
  referrers Array(Tuple(host String, category LowCardinality(String))),
  feature_top Bool,
  feature_recommendations Bool,
  feature_search Bool DEFAULT true,
  event_metadata Bool DEFAULT false,
  segment_keys Array(String),
  dials Array(Tuple(name LowCardinality(String), value Float64)),
  experiments String CODEC(ZSTD(1)),
  rules String CODEC(ZSTD(1)),
  webhook String,
  alarms String,
  mail String,
  secret_hash String,
  write_secret_hash String,
  retiring Array(Tuple(kind Enum8('read' = 1, 'write' = 2), hash String, until UInt64)),
  keep_events UInt64 DEFAULT 0,
  max_events_per_day UInt64 DEFAULT 0,
  max_posts UInt64 DEFAULT 0,
  max_disk UInt64 DEFAULT 0,
  created_at UInt64,
  updated_at UInt64
)
ENGINE = ReplacingMergeTree(updated_at)
ORDER BY site
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS partners (
  partner String,
  secret_hash String,
  created_at UInt64,
  updated_at UInt64,
  deleted UInt8
)
ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY partner
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS partner_sites (
  partner String,
  site LowCardinality(String),
  created_at UInt64
)
ENGINE = ReplacingMergeTree(created_at)
ORDER BY (partner, site)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS posts (
  site LowCardinality(String),
  url String,
  post UInt64 MATERIALIZED if(url = '', 0, sipHash64(url)),
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
  alternatives String CODEC(ZSTD(1)),
  updated_at UInt64,
  deleted UInt8,
  sent Array(LowCardinality(String)),
  gone_at UInt64
)
ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY (site, url)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 256, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS aliases (
  site LowCardinality(String),
  alias String,
  alias_post UInt64 MATERIALIZED if(alias = '', 0, sipHash64(alias)),
  canonical String,
  canonical_post UInt64 MATERIALIZED if(canonical = '', 0, sipHash64(canonical)),
  updated_at UInt64,
  deleted UInt8
)
ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY (site, alias)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS exclusions (
  site LowCardinality(String),
  url String,
  updated_at UInt64,
  deleted UInt8
)
ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY (site, url)
TTL toDateTime(intDiv(updated_at, 1000), 'UTC') + INTERVAL 90 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS post_vectors (
  site LowCardinality(String),
  url String,
  dimension UInt16,
  vector String CODEC(ZSTD(1)),
  updated_at UInt64,
  deleted UInt8
)
ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY (site, url)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 1024, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS crawl_queue (
  site LowCardinality(String),
  url String,
  first_seen UInt64,
  due UInt64,
  requested Bool,
  attempts UInt16,
  last_read UInt64,
  last_failure LowCardinality(String),
  said String CODEC(ZSTD(1)),
  updated_at UInt64,
  priority UInt16 DEFAULT 1
)
ENGINE = ReplacingMergeTree(updated_at)
ORDER BY (site, url)
TTL toDateTime(intDiv(updated_at, 1000), 'UTC') + INTERVAL 90 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 1024, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS profile_visits (
  site LowCardinality(String),
  uuid String,
  url String,
  time UInt64
)
ENGINE = ReplacingMergeTree(time)
ORDER BY (site, uuid, url)
TTL toDateTime(intDiv(time, 1000), 'UTC') + INTERVAL 7 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, index_granularity = 1024, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS salts (
  day Date,
  salt String
)
ENGINE = ReplacingMergeTree
ORDER BY day
TTL toDateTime(day, 'UTC') + INTERVAL 25 HOUR
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 600, old_parts_lifetime = 60, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS installation_keys (
  name String,
  secret String
)
ENGINE = ReplacingMergeTree
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS copies (
  name String,
  gone Bool,
  seen_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(seen_at)
ORDER BY name
TTL toDateTime(seen_at) + INTERVAL 1 DAY;

CREATE TABLE IF NOT EXISTS console_sessions (
  session String,
  site LowCardinality(String),
  role Enum8('read' = 1, 'act' = 2, 'operator' = 3),
  secret_hash String,
  until UInt64,
  updated_at UInt64,
  deleted UInt8
)
ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY session
TTL toDateTime(intDiv(until, 1000), 'UTC') + INTERVAL 1 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS shared_views (
  hash String,
  id String,
  site LowCardinality(String),
  name String,
  search String,
  secret_hash String,
  created_at UInt64,
  until UInt64,
  updated_at UInt64,
  deleted UInt8
)
ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY hash
TTL toDateTime(intDiv(until, 1000), 'UTC') + INTERVAL 1 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS annotations (
  site LowCardinality(String),
  id String,
  at UInt64,
  kind LowCardinality(String),
  label String,
  url String,
  updated_at UInt64,
  deleted UInt8
)
ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY (site, id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS frontiers (
  site LowCardinality(String),
  record String CODEC(ZSTD(1)),
  updated_at UInt64
)
ENGINE = ReplacingMergeTree(updated_at)
ORDER BY site
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS operator_tokens (
  name String,
  hash String,
  created_at UInt64,
  updated_at UInt64,
  deleted UInt8
)
ENGINE = ReplacingMergeTree(updated_at, deleted)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS messages (
  site LowCardinality(String),
  id String,
  kind LowCardinality(String),
  at UInt64,
  text String CODEC(ZSTD(1)),
  data String CODEC(ZSTD(1)),
  until UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (site, id)
TTL toDateTime(intDiv(at, 1000), 'UTC') + INTERVAL 90 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS message_attempts (
  site LowCardinality(String),
  message String,
  receiver String,
  attempt UInt16,
  claimant String,
  at UInt64,
  ended_at UInt64,
  outcome LowCardinality(String),
  why String
)
ENGINE = ReplacingMergeTree(ended_at)
ORDER BY (site, message, receiver, attempt)
TTL toDateTime(intDiv(at, 1000), 'UTC') + INTERVAL 90 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS events (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  post UInt64 MATERIALIZED if(url = '', 0, sipHash64(url)) CODEC(ZSTD(1)),
  time UInt64 CODEC(T64),
  action Enum8('pageview' = 1, 'heartbeat' = 2, 'videostart' = 3, 'vheartbeat' = 4, 'conversion' = 5, 'share' = 6, 'custom' = 7) CODEC(ZSTD(1)),
  url String CODEC(ZSTD(3)),
  visitor UInt64 CODEC(T64),
  seconds UInt16 CODEC(T64, ZSTD(1)),
  video String CODEC(ZSTD(1)),
  video_post UInt64 MATERIALIZED if(video = '', 0, sipHash64(video)) CODEC(ZSTD(1)),
  referrer_type Enum8('direct' = 0, 'internal' = 1, 'social' = 2, 'search' = 3, 'other' = 4, 'aggregator' = 5, 'ai' = 6) CODEC(ZSTD(1)),
  referrer LowCardinality(String) CODEC(ZSTD(1)),
  referrer_host LowCardinality(String) CODEC(ZSTD(1)),
  referrer_url String CODEC(ZSTD(1)),
  referrer_post UInt64 ALIAS if(referrer_url = '', 0, sipHash64(referrer_url)),
  campaign_id LowCardinality(String) CODEC(ZSTD(1)),
  campaign_medium LowCardinality(String) CODEC(ZSTD(1)),
  campaign_source LowCardinality(String) CODEC(ZSTD(1)),
  campaign_content LowCardinality(String) CODEC(ZSTD(1)),
  campaign_term LowCardinality(String) CODEC(ZSTD(1)),
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4) CODEC(ZSTD(1)),
  device Enum8('desktop' = 1, 'mobile' = 2, 'tablet' = 3) CODEC(ZSTD(1)),
  segments Array(LowCardinality(String)) CODEC(ZSTD(1)),
  network Enum8('' = 0, 'fb' = 1, 'tw' = 2, 'li' = 3, 'pi' = 4) CODEC(ZSTD(1)),
  conversion_type LowCardinality(String) CODEC(ZSTD(1)),
  conversion_label LowCardinality(String) CODEC(ZSTD(1)),
  key UInt64 CODEC(ZSTD(1)) TTL day + INTERVAL 9 DAY
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, action, post, time)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS post_days (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  post UInt64 CODEC(ZSTD(3)),
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4) CODEC(ZSTD(1)),
  views UInt64 CODEC(T64, ZSTD(1)),
  desktop_views UInt64 CODEC(T64, ZSTD(1)),
  mobile_views UInt64 CODEC(T64, ZSTD(1)),
  tablet_views UInt64 CODEC(T64, ZSTD(1)),
  engaged_seconds UInt64 CODEC(T64, ZSTD(1)),
  fb_referrals UInt64 CODEC(T64, ZSTD(1)),
  tw_referrals UInt64 CODEC(T64, ZSTD(1)),
  li_referrals UInt64 CODEC(T64, ZSTD(1)),
  pi_referrals UInt64 CODEC(T64, ZSTD(1)),
  fb_interactions UInt64 CODEC(T64, ZSTD(1)),
  tw_interactions UInt64 CODEC(T64, ZSTD(1)),
  li_interactions UInt64 CODEC(T64, ZSTD(1)),
  pi_interactions UInt64 CODEC(T64, ZSTD(1)),
  recirculated UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, post, channel)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS post_weeks (
  site LowCardinality(String) CODEC(ZSTD(1)),
  week Date,
  post UInt64 CODEC(ZSTD(3)),
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4) CODEC(ZSTD(1)),
  views UInt64 CODEC(T64, ZSTD(1)),
  desktop_views UInt64 CODEC(T64, ZSTD(1)),
  mobile_views UInt64 CODEC(T64, ZSTD(1)),
  tablet_views UInt64 CODEC(T64, ZSTD(1)),
  engaged_seconds UInt64 CODEC(T64, ZSTD(1)),
  fb_referrals UInt64 CODEC(T64, ZSTD(1)),
  tw_referrals UInt64 CODEC(T64, ZSTD(1)),
  li_referrals UInt64 CODEC(T64, ZSTD(1)),
  pi_referrals UInt64 CODEC(T64, ZSTD(1)),
  fb_interactions UInt64 CODEC(T64, ZSTD(1)),
  tw_interactions UInt64 CODEC(T64, ZSTD(1)),
  li_interactions UInt64 CODEC(T64, ZSTD(1)),
  pi_interactions UInt64 CODEC(T64, ZSTD(1)),
  recirculated UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(week)
ORDER BY (site, week, post, channel)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS site_days (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4) CODEC(ZSTD(1)),
  views UInt64 CODEC(T64, ZSTD(1)),
  desktop_views UInt64 CODEC(T64, ZSTD(1)),
  mobile_views UInt64 CODEC(T64, ZSTD(1)),
  tablet_views UInt64 CODEC(T64, ZSTD(1)),
  engaged_seconds UInt64 CODEC(T64, ZSTD(1)),
  fb_referrals UInt64 CODEC(T64, ZSTD(1)),
  tw_referrals UInt64 CODEC(T64, ZSTD(1)),
  li_referrals UInt64 CODEC(T64, ZSTD(1)),
  pi_referrals UInt64 CODEC(T64, ZSTD(1)),
  fb_interactions UInt64 CODEC(T64, ZSTD(1)),
  tw_interactions UInt64 CODEC(T64, ZSTD(1)),
  li_interactions UInt64 CODEC(T64, ZSTD(1)),
  pi_interactions UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, channel)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS site_quarters (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  quarter UInt32 CODEC(Delta, ZSTD(1)),
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4) CODEC(ZSTD(1)),
  views UInt64 CODEC(T64, ZSTD(1)),
  desktop_views UInt64 CODEC(T64, ZSTD(1)),
  mobile_views UInt64 CODEC(T64, ZSTD(1)),
  tablet_views UInt64 CODEC(T64, ZSTD(1)),
  engaged_seconds UInt64 CODEC(T64, ZSTD(1)),
  fb_referrals UInt64 CODEC(T64, ZSTD(1)),
  tw_referrals UInt64 CODEC(T64, ZSTD(1)),
  li_referrals UInt64 CODEC(T64, ZSTD(1)),
  pi_referrals UInt64 CODEC(T64, ZSTD(1)),
  fb_interactions UInt64 CODEC(T64, ZSTD(1)),
  tw_interactions UInt64 CODEC(T64, ZSTD(1)),
  li_interactions UInt64 CODEC(T64, ZSTD(1)),
  pi_interactions UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, quarter, channel)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS facet_quarters (
  site LowCardinality(String) CODEC(ZSTD(1)),
  facet LowCardinality(String) CODEC(ZSTD(1)),
  value LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  quarter UInt32 CODEC(Delta, ZSTD(1)),
  host LowCardinality(String) CODEC(ZSTD(1)),
  views UInt64 CODEC(T64, ZSTD(1)),
  desktop_views UInt64 CODEC(T64, ZSTD(1)),
  mobile_views UInt64 CODEC(T64, ZSTD(1)),
  tablet_views UInt64 CODEC(T64, ZSTD(1)),
  engaged_seconds UInt64 CODEC(T64, ZSTD(1)),
  fb_referrals UInt64 CODEC(T64, ZSTD(1)),
  tw_referrals UInt64 CODEC(T64, ZSTD(1)),
  li_referrals UInt64 CODEC(T64, ZSTD(1)),
  pi_referrals UInt64 CODEC(T64, ZSTD(1)),
  fb_interactions UInt64 CODEC(T64, ZSTD(1)),
  tw_interactions UInt64 CODEC(T64, ZSTD(1)),
  li_interactions UInt64 CODEC(T64, ZSTD(1)),
  pi_interactions UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
PRIMARY KEY (site, facet, value, day)
ORDER BY (site, facet, value, day, quarter, host)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS facet_days (
  site LowCardinality(String) CODEC(ZSTD(1)),
  facet LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  value LowCardinality(String) CODEC(ZSTD(1)),
  host LowCardinality(String) CODEC(ZSTD(1)),
  post UInt64 CODEC(ZSTD(3)),
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4) CODEC(ZSTD(1)),
  views UInt64 CODEC(T64, ZSTD(1)),
  desktop_views UInt64 CODEC(T64, ZSTD(1)),
  mobile_views UInt64 CODEC(T64, ZSTD(1)),
  tablet_views UInt64 CODEC(T64, ZSTD(1)),
  engaged_seconds UInt64 CODEC(T64, ZSTD(1)),
  fb_referrals UInt64 CODEC(T64, ZSTD(1)),
  tw_referrals UInt64 CODEC(T64, ZSTD(1)),
  li_referrals UInt64 CODEC(T64, ZSTD(1)),
  pi_referrals UInt64 CODEC(T64, ZSTD(1)),
  fb_interactions UInt64 CODEC(T64, ZSTD(1)),
  tw_interactions UInt64 CODEC(T64, ZSTD(1)),
  li_interactions UInt64 CODEC(T64, ZSTD(1)),
  pi_interactions UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
PRIMARY KEY (site, facet, day, value, post, channel)
ORDER BY (site, facet, day, value, post, channel, host)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS facet_totals (
  site LowCardinality(String) CODEC(ZSTD(1)),
  facet LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  value LowCardinality(String) CODEC(ZSTD(1)),
  host LowCardinality(String) CODEC(ZSTD(1)),
  views UInt64 CODEC(T64, ZSTD(1)),
  desktop_views UInt64 CODEC(T64, ZSTD(1)),
  mobile_views UInt64 CODEC(T64, ZSTD(1)),
  tablet_views UInt64 CODEC(T64, ZSTD(1)),
  engaged_seconds UInt64 CODEC(T64, ZSTD(1)),
  fb_referrals UInt64 CODEC(T64, ZSTD(1)),
  tw_referrals UInt64 CODEC(T64, ZSTD(1)),
  li_referrals UInt64 CODEC(T64, ZSTD(1)),
  pi_referrals UInt64 CODEC(T64, ZSTD(1)),
  fb_interactions UInt64 CODEC(T64, ZSTD(1)),
  tw_interactions UInt64 CODEC(T64, ZSTD(1)),
  li_interactions UInt64 CODEC(T64, ZSTD(1)),
  pi_interactions UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
PRIMARY KEY (site, facet, day, value)
ORDER BY (site, facet, day, value, host)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS post_visitors (
  site LowCardinality(String) CODEC(ZSTD(1)),
  post UInt64 CODEC(ZSTD(3)),
  day Date,
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4) CODEC(ZSTD(1)),
  visitors AggregateFunction(uniqCombined(16), UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, post, day, channel)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, index_granularity = 256, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS post_visitor_weeks (
  site LowCardinality(String) CODEC(ZSTD(1)),
  post UInt64 CODEC(ZSTD(3)),
  week Date,
  visitors AggregateFunction(uniqCombined(16), UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(week)
ORDER BY (site, post, week)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, index_granularity = 256, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS facet_visitors (
  site LowCardinality(String) CODEC(ZSTD(1)),
  facet LowCardinality(String) CODEC(ZSTD(1)),
  value LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  visitors AggregateFunction(uniqCombined(16), UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, facet, value, day)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, index_granularity = 256, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS video_days (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  post UInt64 CODEC(ZSTD(3)),
  starts UInt64 CODEC(T64, ZSTD(1)),
  watched_seconds UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, post)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS video_visitors (
  site LowCardinality(String) CODEC(ZSTD(1)),
  post UInt64 CODEC(ZSTD(3)),
  day Date,
  visitors AggregateFunction(uniqCombined(16), UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, post, day)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, index_granularity = 256, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS visitors (
  site LowCardinality(String) CODEC(ZSTD(1)),
  visitor UInt64 CODEC(Delta, ZSTD(1)),
  first_view SimpleAggregateFunction(min, UInt64) CODEC(T64, ZSTD(1)),
  last_day SimpleAggregateFunction(max, Date) CODEC(T64, ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (site, visitor)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS ledger (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  page UInt64 MATERIALIZED if(url = '', 0, sipHash64(url)) CODEC(ZSTD(1)),
  time UInt64 CODEC(T64, LZ4),
  visitor UInt64 CODEC(T64),
  url String CODEC(ZSTD(3)),
  campaign_id LowCardinality(String) CODEC(ZSTD(1)),
  campaign_medium LowCardinality(String) CODEC(ZSTD(1)),
  campaign_source LowCardinality(String) CODEC(ZSTD(1)),
  campaign_content LowCardinality(String) CODEC(ZSTD(1)),
  campaign_term LowCardinality(String) CODEC(ZSTD(1)),
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4) CODEC(ZSTD(1)),
  segments Array(LowCardinality(String)) CODEC(ZSTD(1)),
  device Enum8('desktop' = 1, 'mobile' = 2, 'tablet' = 3) CODEC(ZSTD(1)),
  list LowCardinality(String) CODEC(ZSTD(1)),
  slot LowCardinality(String) CODEC(ZSTD(1)),
  layout LowCardinality(String) CODEC(ZSTD(1)),
  experiment LowCardinality(String) CODEC(ZSTD(1)),
  variant LowCardinality(String) CODEC(ZSTD(1)),
  shown UInt8,
  positions Array(UInt8) CODEC(ZSTD(1)),
  urls Array(LowCardinality(String)) CODEC(ZSTD(3)),
  posts Array(UInt64) ALIAS arrayMap(url -> if(url = '', 0, sipHash64(url)), urls),
  sources Array(Enum8('' = 0, 'words' = 1, 'readers' = 2, 'recent' = 3, 'popular' = 4, 'editor' = 5, 'sponsor' = 6)) CODEC(ZSTD(1)),
  seen Array(UInt8) CODEC(ZSTD(3)),
  clicks Array(UInt8) CODEC(ZSTD(1)),
  has_clicks Bool MATERIALIZED arrayExists(count -> count > 0, clicks),
  alternatives Array(UInt8) CODEC(ZSTD(1)),
  shift Int16 CODEC(ZSTD(1)),
  errors Int16 CODEC(ZSTD(1)),
  key UInt64 CODEC(ZSTD(1)) TTL day + INTERVAL 9 DAY
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, has_clicks, page, time)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS ledger_days (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  list LowCardinality(String) CODEC(ZSTD(1)),
  slot LowCardinality(String) CODEC(ZSTD(1)),
  layout LowCardinality(String) CODEC(ZSTD(1)),
  experiment LowCardinality(String) CODEC(ZSTD(1)),
  variant LowCardinality(String) CODEC(ZSTD(1)),
  source Enum8('' = 0, 'words' = 1, 'readers' = 2, 'recent' = 3, 'popular' = 4, 'editor' = 5, 'sponsor' = 6) CODEC(ZSTD(1)),
  position UInt8 CODEC(ZSTD(1)),
  alternative UInt8 CODEC(ZSTD(1)),
  post UInt64 CODEC(ZSTD(1)),
  lists UInt64 CODEC(T64, ZSTD(1)),
  seen UInt64 CODEC(T64, ZSTD(1)),
  clicks UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, post, list, slot, layout, experiment, variant, source, position, alternative)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS ledger_quarters (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  quarter UInt32 CODEC(Delta, ZSTD(1)),
  list LowCardinality(String) CODEC(ZSTD(1)),
  slot LowCardinality(String) CODEC(ZSTD(1)),
  layout LowCardinality(String) CODEC(ZSTD(1)),
  experiment LowCardinality(String) CODEC(ZSTD(1)),
  variant LowCardinality(String) CODEC(ZSTD(1)),
  source Enum8('' = 0, 'words' = 1, 'readers' = 2, 'recent' = 3, 'popular' = 4, 'editor' = 5, 'sponsor' = 6) CODEC(ZSTD(1)),
  position UInt8 CODEC(ZSTD(1)),
  alternative UInt8 CODEC(ZSTD(1)),
  lists UInt64 CODEC(T64, ZSTD(1)),
  seen UInt64 CODEC(T64, ZSTD(1)),
  clicks UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, quarter, list, slot, layout, experiment, variant, source, position, alternative)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS ledger_totals (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  list LowCardinality(String) CODEC(ZSTD(1)),
  slot LowCardinality(String) CODEC(ZSTD(1)),
  layout LowCardinality(String) CODEC(ZSTD(1)),
  experiment LowCardinality(String) CODEC(ZSTD(1)),
  variant LowCardinality(String) CODEC(ZSTD(1)),
  source Enum8('' = 0, 'words' = 1, 'readers' = 2, 'recent' = 3, 'popular' = 4, 'editor' = 5, 'sponsor' = 6) CODEC(ZSTD(1)),
  position UInt8 CODEC(ZSTD(1)),
  alternative UInt8 CODEC(ZSTD(1)),
  lists UInt64 CODEC(T64, ZSTD(1)),
  seen UInt64 CODEC(T64, ZSTD(1)),
  clicks UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, list, slot, layout, experiment, variant, source, position, alternative)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS caused_views (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  time UInt64 CODEC(T64, ZSTD(1)),
  url String CODEC(ZSTD(3)),
  campaign_id LowCardinality(String) CODEC(ZSTD(1)),
  campaign_medium LowCardinality(String) CODEC(ZSTD(1)),
  campaign_source LowCardinality(String) CODEC(ZSTD(1)),
  campaign_content LowCardinality(String) CODEC(ZSTD(1)),
  campaign_term LowCardinality(String) CODEC(ZSTD(1)),
  channel Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4) CODEC(ZSTD(1)),
  segments Array(LowCardinality(String)) CODEC(ZSTD(1)),
  device Enum8('desktop' = 1, 'mobile' = 2, 'tablet' = 3) CODEC(ZSTD(1)),
  list LowCardinality(String) CODEC(ZSTD(1)),
  slot LowCardinality(String) CODEC(ZSTD(1)),
  layout LowCardinality(String) CODEC(ZSTD(1)),
  experiment LowCardinality(String) CODEC(ZSTD(1)),
  variant LowCardinality(String) CODEC(ZSTD(1)),
  source Enum8('' = 0, 'words' = 1, 'readers' = 2, 'recent' = 3, 'popular' = 4, 'editor' = 5, 'sponsor' = 6) CODEC(ZSTD(1)),
  position UInt8 CODEC(ZSTD(1)),
  alternative UInt8 CODEC(ZSTD(1)),
  post UInt64 CODEC(ZSTD(1)),
  seconds UInt32 CODEC(ZSTD(1)),
  run UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, run, time)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS settled_days (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  run UInt64,
  counted UInt64,
  open_from UInt64
)
ENGINE = ReplacingMergeTree(run)
ORDER BY (site, day)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS materialised_hours (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  run UInt64 CODEC(ZSTD(1)),
  start UInt64 CODEC(Delta, ZSTD(1)),
  views UInt64 CODEC(T64, ZSTD(1)),
  desktop_views UInt64 CODEC(T64, ZSTD(1)),
  mobile_views UInt64 CODEC(T64, ZSTD(1)),
  tablet_views UInt64 CODEC(T64, ZSTD(1)),
  engaged_seconds UInt64 CODEC(T64, ZSTD(1)),
  fb_referrals UInt64 CODEC(T64, ZSTD(1)),
  tw_referrals UInt64 CODEC(T64, ZSTD(1)),
  li_referrals UInt64 CODEC(T64, ZSTD(1)),
  pi_referrals UInt64 CODEC(T64, ZSTD(1)),
  fb_interactions UInt64 CODEC(T64, ZSTD(1)),
  tw_interactions UInt64 CODEC(T64, ZSTD(1)),
  li_interactions UInt64 CODEC(T64, ZSTD(1)),
  pi_interactions UInt64 CODEC(T64, ZSTD(1)),
  hour_visitors AggregateFunction(uniqCombined(14), UInt64) CODEC(ZSTD(1)),
  visitors AggregateFunction(uniqCombined(16), UInt64) CODEC(ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, run, start)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, index_granularity = 256, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS materialised_first_views (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  run UInt64 CODEC(ZSTD(1)),
  first_day UInt64 CODEC(Delta, ZSTD(1)),
  visitors AggregateFunction(uniqCombined(16), UInt64) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day, run, first_day)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, index_granularity = 256, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS materialised_days (
  site LowCardinality(String) CODEC(ZSTD(1)),
  day Date,
  run UInt64,
  zone LowCardinality(String) CODEC(ZSTD(1)),
  uncounted UInt64,
  counted UInt64,
  views_before UInt64
)
ENGINE = ReplacingMergeTree(run)
ORDER BY (site, day)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS post_days_of_pages TO post_days AS
SELECT site, day, post, channel,
  countIf(action = 'pageview') AS views,
  countIf(action = 'pageview' AND device = 'desktop') AS desktop_views,
  countIf(action = 'pageview' AND device = 'mobile') AS mobile_views,
  countIf(action = 'pageview' AND device = 'tablet') AS tablet_views,
  sumIf(seconds, action = 'heartbeat') AS engaged_seconds,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('facebook')) AS fb_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('twitter', 'x')) AS tw_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('linkedin')) AS li_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('pinterest')) AS pi_referrals,
  countIf(action = 'share' AND network = 'fb') AS fb_interactions,
  countIf(action = 'share' AND network = 'tw') AS tw_interactions,
  countIf(action = 'share' AND network = 'li') AS li_interactions,
  countIf(action = 'share' AND network = 'pi') AS pi_interactions,
  toUInt64(0) AS recirculated
FROM events
WHERE action IN ('pageview', 'heartbeat', 'share')
GROUP BY site, day, post, channel;

CREATE MATERIALIZED VIEW IF NOT EXISTS post_days_of_referrers TO post_days AS
SELECT site, day, referrer_post AS post, channel, count() AS recirculated
FROM events
WHERE action = 'pageview' AND referrer_type = 'internal' AND referrer_post != 0 AND referrer_post != events.post
GROUP BY site, day, referrer_post, channel;

CREATE MATERIALIZED VIEW IF NOT EXISTS post_weeks_of_days TO post_weeks AS
SELECT site, toMonday(day) AS week, post, channel,
  sum(views) AS views,
  sum(desktop_views) AS desktop_views,
  sum(mobile_views) AS mobile_views,
  sum(tablet_views) AS tablet_views,
  sum(engaged_seconds) AS engaged_seconds,
  sum(fb_referrals) AS fb_referrals,
  sum(tw_referrals) AS tw_referrals,
  sum(li_referrals) AS li_referrals,
  sum(pi_referrals) AS pi_referrals,
  sum(fb_interactions) AS fb_interactions,
  sum(tw_interactions) AS tw_interactions,
  sum(li_interactions) AS li_interactions,
  sum(pi_interactions) AS pi_interactions,
  sum(recirculated) AS recirculated
FROM post_days
GROUP BY site, week, post, channel;

CREATE MATERIALIZED VIEW IF NOT EXISTS site_days_of_pages TO site_days AS
SELECT site, day, channel,
  sum(views) AS views,
  sum(desktop_views) AS desktop_views,
  sum(mobile_views) AS mobile_views,
  sum(tablet_views) AS tablet_views,
  sum(engaged_seconds) AS engaged_seconds,
  sum(fb_referrals) AS fb_referrals,
  sum(tw_referrals) AS tw_referrals,
  sum(li_referrals) AS li_referrals,
  sum(pi_referrals) AS pi_referrals,
  sum(fb_interactions) AS fb_interactions,
  sum(tw_interactions) AS tw_interactions,
  sum(li_interactions) AS li_interactions,
  sum(pi_interactions) AS pi_interactions
FROM post_days
GROUP BY site, day, channel;

CREATE MATERIALIZED VIEW IF NOT EXISTS site_quarters_of_pages TO site_quarters AS
SELECT site, day, toUInt32(intDiv(time, 900000)) AS quarter, channel,
  countIf(action = 'pageview') AS views,
  countIf(action = 'pageview' AND device = 'desktop') AS desktop_views,
  countIf(action = 'pageview' AND device = 'mobile') AS mobile_views,
  countIf(action = 'pageview' AND device = 'tablet') AS tablet_views,
  sumIf(seconds, action = 'heartbeat') AS engaged_seconds,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('facebook')) AS fb_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('twitter', 'x')) AS tw_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('linkedin')) AS li_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('pinterest')) AS pi_referrals,
  countIf(action = 'share' AND network = 'fb') AS fb_interactions,
  countIf(action = 'share' AND network = 'tw') AS tw_interactions,
  countIf(action = 'share' AND network = 'li') AS li_interactions,
  countIf(action = 'share' AND network = 'pi') AS pi_interactions
FROM events
WHERE action IN ('pageview', 'heartbeat', 'share')
GROUP BY site, day, quarter, channel;

CREATE MATERIALIZED VIEW IF NOT EXISTS facet_quarters_of_pages TO facet_quarters AS
SELECT site, entry.1 AS facet, entry.2 AS value, day, toUInt32(intDiv(time, 900000)) AS quarter, entry.3 AS host,
  countIf(action = 'pageview') AS views,
  countIf(action = 'pageview' AND device = 'desktop') AS desktop_views,
  countIf(action = 'pageview' AND device = 'mobile') AS mobile_views,
  countIf(action = 'pageview' AND device = 'tablet') AS tablet_views,
  sumIf(seconds, action = 'heartbeat') AS engaged_seconds,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('facebook')) AS fb_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('twitter', 'x')) AS tw_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('linkedin')) AS li_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('pinterest')) AS pi_referrals,
  countIf(action = 'share' AND network = 'fb') AS fb_interactions,
  countIf(action = 'share' AND network = 'tw') AS tw_interactions,
  countIf(action = 'share' AND network = 'li') AS li_interactions,
  countIf(action = 'share' AND network = 'pi') AS pi_interactions
FROM events ARRAY JOIN arrayConcat(
    if((campaign_id != '' OR campaign_medium != '' OR campaign_source != '' OR campaign_content != ''
      OR campaign_term != ''), arrayFilter(entry -> entry.2 != '', [
      ('campaign_id', toString(campaign_id), ''), ('campaign_medium', toString(campaign_medium), ''),
      ('campaign_source', toString(campaign_source), ''), ('campaign_content', toString(campaign_content), ''),
      ('campaign_term', toString(campaign_term), '')]), []),
    if(notEmpty(segments), arrayMap(segment -> ('segment', toString(segment), ''), arrayDistinct(segments)), []),
    [(concat('referrer_', toString(referrer_type)), toString(referrer), toString(referrer_host))]) AS entry
WHERE action IN ('pageview', 'heartbeat', 'share')
GROUP BY site, facet, value, day, quarter, host;

CREATE MATERIALIZED VIEW IF NOT EXISTS facet_days_of_pages TO facet_days AS
SELECT site, entry.1 AS facet, day, entry.2 AS value, entry.3 AS host, post, channel,
  countIf(action = 'pageview') AS views,
  countIf(action = 'pageview' AND device = 'desktop') AS desktop_views,
  countIf(action = 'pageview' AND device = 'mobile') AS mobile_views,
  countIf(action = 'pageview' AND device = 'tablet') AS tablet_views,
  sumIf(seconds, action = 'heartbeat') AS engaged_seconds,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('facebook')) AS fb_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('twitter', 'x')) AS tw_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('linkedin')) AS li_referrals,
  countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN ('pinterest')) AS pi_referrals,
  countIf(action = 'share' AND network = 'fb') AS fb_interactions,
  countIf(action = 'share' AND network = 'tw') AS tw_interactions,
  countIf(action = 'share' AND network = 'li') AS li_interactions,
  countIf(action = 'share' AND network = 'pi') AS pi_interactions
FROM events ARRAY JOIN arrayConcat(
    if((campaign_id != '' OR campaign_medium != '' OR campaign_source != '' OR campaign_content != ''
      OR campaign_term != ''), arrayFilter(entry -> entry.2 != '', [
      ('campaign_id', toString(campaign_id), ''), ('campaign_medium', toString(campaign_medium), ''),
      ('campaign_source', toString(campaign_source), ''), ('campaign_content', toString(campaign_content), ''),
      ('campaign_term', toString(campaign_term), '')]), []),
    if(notEmpty(segments), arrayMap(segment -> ('segment', toString(segment), ''), arrayDistinct(segments)), []),
    [(concat('referrer_', toString(referrer_type)), toString(referrer), toString(referrer_host))]) AS entry
WHERE action IN ('pageview', 'heartbeat', 'share')
GROUP BY site, facet, day, value, host, post, channel;

CREATE MATERIALIZED VIEW IF NOT EXISTS facet_totals_of_days TO facet_totals AS
SELECT site, facet, day, value, host,
  sum(views) AS views,
  sum(desktop_views) AS desktop_views,
  sum(mobile_views) AS mobile_views,
  sum(tablet_views) AS tablet_views,
  sum(engaged_seconds) AS engaged_seconds,
  sum(fb_referrals) AS fb_referrals,
  sum(tw_referrals) AS tw_referrals,
  sum(li_referrals) AS li_referrals,
  sum(pi_referrals) AS pi_referrals,
  sum(fb_interactions) AS fb_interactions,
  sum(tw_interactions) AS tw_interactions,
  sum(li_interactions) AS li_interactions,
  sum(pi_interactions) AS pi_interactions
FROM facet_days
GROUP BY site, facet, day, value, host;

CREATE MATERIALIZED VIEW IF NOT EXISTS post_visitors_of_pages TO post_visitors AS
SELECT site, post, day, channel, uniqCombinedState(16)(visitor) AS visitors
FROM events
WHERE action = 'pageview' AND visitor != 0
GROUP BY site, post, day, channel;

CREATE MATERIALIZED VIEW IF NOT EXISTS post_visitor_weeks_of_days TO post_visitor_weeks AS
SELECT site, post, toMonday(day) AS week, uniqCombinedMergeState(16)(visitors) AS visitors
FROM post_visitors
GROUP BY site, post, week;

CREATE MATERIALIZED VIEW IF NOT EXISTS facet_visitors_of_pages TO facet_visitors AS
SELECT site, pair.1 AS facet, pair.2 AS value, day, uniqCombinedState(16)(visitor) AS visitors
FROM events ARRAY JOIN arrayConcat(
    if((campaign_id != '' OR campaign_medium != '' OR campaign_source != '' OR campaign_content != ''
      OR campaign_term != ''), arrayFilter(pair -> pair.2 != '', [
      ('campaign_id', toString(campaign_id)), ('campaign_medium', toString(campaign_medium)),
      ('campaign_source', toString(campaign_source)), ('campaign_content', toString(campaign_content)),
      ('campaign_term', toString(campaign_term))]), []),
    if(notEmpty(segments), arrayMap(segment -> ('segment', toString(segment)), arrayDistinct(segments)), []),
    [('channel', toString(channel)), (concat('referrer_', toString(referrer_type)), toString(referrer))]) AS pair
WHERE action = 'pageview' AND visitor != 0
GROUP BY site, facet, value, day;

CREATE MATERIALIZED VIEW IF NOT EXISTS video_days_of_videos TO video_days AS
SELECT site, day, video_post AS post, countIf(action = 'videostart') AS starts,
  sumIf(seconds, action = 'vheartbeat') AS watched_seconds
FROM events
WHERE action IN ('videostart', 'vheartbeat') AND video_post != 0
GROUP BY site, day, video_post;

CREATE MATERIALIZED VIEW IF NOT EXISTS video_visitors_of_videos TO video_visitors AS
SELECT site, video_post AS post, day, uniqCombinedState(16)(visitor) AS visitors
FROM events
WHERE action = 'videostart' AND visitor != 0 AND video_post != 0
GROUP BY site, video_post, day;

CREATE MATERIALIZED VIEW IF NOT EXISTS visitors_of_pages TO visitors AS
SELECT site, visitor, min(time) AS first_view, max(day) AS last_day
FROM events
WHERE action = 'pageview' AND visitor != 0
GROUP BY site, visitor;

CREATE MATERIALIZED VIEW IF NOT EXISTS ledger_days_of_reports TO ledger_days AS
SELECT site, day, list, slot, layout, experiment, variant, source, position, alternative, post,
  sum(if(position = 0, shown, 0)) AS lists, sum(was_seen) AS seen, sum(clicked) AS clicks
FROM ledger ARRAY JOIN arrayPushFront(sources, defaultValueOfTypeName('Enum8(\'\' = 0, \'words\' = 1, \'readers\' = 2, \'recent\' = 3, \'popular\' = 4, \'editor\' = 5, \'sponsor\' = 6)')) AS source, arrayPushFront(positions, defaultValueOfTypeName('UInt8')) AS position, arrayPushFront(alternatives, defaultValueOfTypeName('UInt8')) AS alternative, arrayPushFront(posts, defaultValueOfTypeName('UInt64')) AS post, arrayPushFront(ledger.seen, defaultValueOfTypeName('UInt8')) AS was_seen, arrayPushFront(ledger.clicks, defaultValueOfTypeName('UInt8')) AS clicked
GROUP BY site, day, list, slot, layout, experiment, variant, source, position, alternative, post;

CREATE MATERIALIZED VIEW IF NOT EXISTS ledger_quarters_of_reports TO ledger_quarters AS
SELECT site, day, toUInt32(intDiv(time, 900000)) AS quarter, list, slot, layout, experiment, variant, source, position, alternative,
  sum(if(position = 0, shown, 0)) AS lists, sum(was_seen) AS seen, sum(clicked) AS clicks
FROM ledger ARRAY JOIN arrayPushFront(sources, defaultValueOfTypeName('Enum8(\'\' = 0, \'words\' = 1, \'readers\' = 2, \'recent\' = 3, \'popular\' = 4, \'editor\' = 5, \'sponsor\' = 6)')) AS source, arrayPushFront(positions, defaultValueOfTypeName('UInt8')) AS position, arrayPushFront(alternatives, defaultValueOfTypeName('UInt8')) AS alternative, arrayPushFront(ledger.seen, defaultValueOfTypeName('UInt8')) AS was_seen, arrayPushFront(ledger.clicks, defaultValueOfTypeName('UInt8')) AS clicked
GROUP BY site, day, quarter, list, slot, layout, experiment, variant, source, position, alternative;

CREATE MATERIALIZED VIEW IF NOT EXISTS ledger_totals_of_days TO ledger_totals AS
SELECT site, day, list, slot, layout, experiment, variant, source, position, alternative, sum(lists) AS lists, sum(seen) AS seen, sum(clicks) AS clicks
FROM ledger_days
GROUP BY site, day, list, slot, layout, experiment, variant, source, position, alternative;
