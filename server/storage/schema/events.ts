// The table of events. `time` is epoch milliseconds (UTC); `day` is a date in the site's own zone.
import { MAX_APP_EVENT_AGE_MS } from '../../contract/limits.ts';
import { DAY, QUARTER as QUARTER_MS } from '../../durations.ts';
import { keyOf } from './records.ts';
import type { Table } from './table.ts';

/**
 * Days that the key of an event is kept, by which the event is recognised when it is sent again after a restart: as
 * long as an app may send it, and one day each for the time zone of the site and for the day that has begun. None is
 * sent again later, and random bits do not compress.
 */
const KEY_DAYS = MAX_APP_EVENT_AGE_MS / DAY + 2;

const CODEC = 'ZSTD(1)';

const ofNames = (names: string) => ({ type: `Enum8(${names})`, codec: CODEC });

export const CHANNEL = ofNames(`'website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4`);
export const DEVICE = ofNames(`'desktop' = 1, 'mobile' = 2, 'tablet' = 3`);
export const NAME = { type: 'LowCardinality(String)', codec: CODEC };
export const SEGMENTS = { type: 'Array(LowCardinality(String))', codec: CODEC };

/** Quarters of an hour since 1970. */
export const QUARTER = { type: 'UInt32', codec: 'Delta, ZSTD(1)' };
/** SQL of the quarter of a row with a `time`. */
export const QUARTER_OF_TIME = `toUInt32(intDiv(time, ${QUARTER_MS}))`;

/** 48 random bits, which nothing compresses. */
export const VISITOR = { type: 'UInt64', codec: 'T64' };

const TEXT = { type: 'String', codec: CODEC };
/**
 * Codec of a column whose long values repeat over thousands of rows, in tables sorted by page: level 3 of ZSTD takes
 * half of what level 1 takes, and is decompressed faster.
 */
export const REPETITIVE = 'ZSTD(3)';
export const PAGE_URL = { type: 'String', codec: REPETITIVE };

/**
 * Classified once, when an event comes in, so that no question has to parse a referrer or a user agent. Old events are
 * removed as whole months (at most a month later than 400 days), which costs no rewriting.
 */
export const EVENTS: Table = {
  name: 'events',
  columns: {
    site: NAME,
    day: 'Date',
    post: { ...keyOf('url'), codec: CODEC },
    // Read for each event of a series by hour. After T64, LZ4 saves a thirtieth of the bytes and takes a third of the
    // reading.
    time: { type: 'UInt64', codec: 'T64' },
    action: ofNames(
      `'pageview' = 1, 'heartbeat' = 2, 'videostart' = 3, 'vheartbeat' = 4, 'conversion' = 5, 'share' = 6, 'custom' = 7`,
    ),
    url: PAGE_URL,
    visitor: VISITOR,
    seconds: { type: 'UInt16', codec: 'T64, ZSTD(1)' },
    video: TEXT,
    video_post: { ...keyOf('video'), codec: CODEC },
    referrer_type: ofNames(
      `'direct' = 0, 'internal' = 1, 'social' = 2, 'search' = 3, 'other' = 4, 'aggregator' = 5, 'ai' = 6`,
    ),
    // The brand, and the host beside it.
    referrer: NAME,
    referrer_host: NAME,
    referrer_url: TEXT,
    // Of one view in seven, and asked for at the edges of a period only.
    referrer_post: { type: 'UInt64', alias: keyOf('referrer_url').materialized! },
    campaign_id: NAME,
    campaign_medium: NAME,
    campaign_source: NAME,
    campaign_content: NAME,
    campaign_term: NAME,
    channel: CHANNEL,
    device: DEVICE,
    segments: SEGMENTS,
    network: ofNames(`'' = 0, 'fb' = 1, 'tw' = 2, 'li' = 3, 'pi' = 4`),
    conversion_type: NAME,
    conversion_label: NAME,
    key: { type: 'UInt64', codec: CODEC, ttl: `day + INTERVAL ${KEY_DAYS} DAY` },
  },
  engine: 'MergeTree',
  period: 'day',
  // The page views of a day are together, so that a series of them reads no heartbeats.
  orderBy: ['site', 'day', 'action', 'post', 'time'],
  inserts: 'once',
  // A page's events are where its metadata and its roll-ups are.
  shardBy: ['site', 'url'],
  counted: { as: 'events' },
};
