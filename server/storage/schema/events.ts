// The table of events. `time` is epoch milliseconds (UTC); `day` is a date in the site's own zone.
import { MAX_APP_EVENT_AGE_MS } from '../../contract/limits.ts';
import { keyOf } from './records.ts';
import type { Table } from './table.ts';

const DAY_MS = 24 * 3600 * 1000;

/**
 * Days that the key of an event is kept, by which the event is recognised when it is sent again after a restart: as
 * long as an app may send it, and one day each for the time zone of the site and for the day that has begun. None is
 * sent again later, and random bits do not compress.
 */
const KEY_DAYS = MAX_APP_EVENT_AGE_MS / DAY_MS + 2;

export const CHANNEL = `Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4)`;

const TEXT = { type: 'String', codec: 'ZSTD(1)' };
const NAME = 'LowCardinality(String)';

/**
 * Classified once, when an event comes in, so that no question has to parse a referrer or a user agent. Old events are
 * removed as whole parts (at most a month later than 400 days), which costs no rewriting.
 */
export const EVENTS: Table = {
  name: 'events',
  columns: {
    site: NAME,
    day: 'Date',
    post: keyOf('url'),
    // Read for every event of a day that a period begins in.
    time: { type: 'UInt64', codec: 'T64, LZ4' },
    action: `Enum8('pageview' = 1, 'heartbeat' = 2, 'videostart' = 3, 'vheartbeat' = 4, 'conversion' = 5, 'share' = 6, 'custom' = 7)`,
    url: TEXT,
    visitor: { type: 'UInt64', codec: 'ZSTD(1)' },
    seconds: { type: 'UInt16', codec: 'T64, ZSTD(1)' },
    video: TEXT,
    video_post: { ...keyOf('video'), codec: 'ZSTD(1)' },
    referrer_type: `Enum8('direct' = 0, 'internal' = 1, 'social' = 2, 'search' = 3, 'other' = 4, 'aggregator' = 5, 'ai' = 6)`,
    // The brand, and the host beside it.
    referrer: NAME,
    referrer_host: NAME,
    referrer_url: TEXT,
    referrer_post: { ...keyOf('referrer_url'), codec: 'ZSTD(1)' },
    campaign_id: NAME,
    campaign_medium: NAME,
    campaign_source: NAME,
    campaign_content: NAME,
    campaign_term: NAME,
    channel: CHANNEL,
    device: `Enum8('desktop' = 1, 'mobile' = 2, 'tablet' = 3)`,
    segments: 'Array(LowCardinality(String))',
    network: `Enum8('' = 0, 'fb' = 1, 'tw' = 2, 'li' = 3, 'pi' = 4)`,
    conversion_type: NAME,
    conversion_label: NAME,
    key: { type: 'UInt64', codec: 'ZSTD(1)', ttl: `day + INTERVAL ${KEY_DAYS} DAY` },
  },
  engine: 'MergeTree',
  period: 'day',
  orderBy: ['site', 'day', 'post', 'time'],
  inserts: 'once',
  // A page's events are where its metadata and its roll-ups are.
  shardBy: ['site', 'url'],
  counted: { as: 'events' },
};
