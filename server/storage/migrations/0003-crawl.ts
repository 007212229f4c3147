// The crawler's queue, and which fields of a post its publisher sent: those are never overwritten by what a page says.
import { DURABLE } from './0001-tables.ts';
import type { Migration } from './migration.ts';

// A page without a request for 90 days counts as new again.
const crawlQueue = `
CREATE TABLE IF NOT EXISTS crawl_queue (
  site LowCardinality(String),
  url String,
  first_seen UInt64,
  due UInt64,
  requested Bool,
  attempts UInt16,
  last_read UInt64,
  last_failure LowCardinality(String),
  updated_at UInt64
) ENGINE = ReplacingMergeTree(updated_at)
ORDER BY (site, url)
TTL toDateTime(intDiv(updated_at, 1000), 'UTC') + INTERVAL 90 DAY
SETTINGS ${DURABLE}, index_granularity = 1024`;

const sentFields = `ALTER TABLE posts ADD COLUMN IF NOT EXISTS sent Array(LowCardinality(String))`;

export const crawl: Migration = {
  version: 3,
  name: 'crawl queue, fields sent by publishers',
  statements: [crawlQueue, sentFields],
};
