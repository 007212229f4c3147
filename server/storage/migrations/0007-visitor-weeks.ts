// Distinct visitors of a page by whole weeks: ninety days of a page are a dozen sketches to merge and a few days, not
// one a day and channel. And a table that no question read goes, with what its two views cost every insert.
import { ONCE } from './0001-tables.ts';
import type { Migration } from './migration.ts';

// Weeks begin on Monday, and know no channels: a question about one channel adds up days.
const postVisitorWeeks = `
CREATE TABLE IF NOT EXISTS post_visitor_weeks (
  site LowCardinality(String),
  post UInt64,
  week Date,
  visitors AggregateFunction(uniqCombined64(16), UInt64)
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(week) ORDER BY (site, post, week) TTL week + INTERVAL 400 DAY
SETTINGS ${ONCE}, ttl_only_drop_parts = 1, index_granularity = 256`;

// What was counted before this step. Without deduplication: made twice, after an interruption, it would pass for a
// repeated insert and be dropped. A visitor who is in a sketch twice counts once.
const weeksOfBefore = `
INSERT INTO post_visitor_weeks SELECT site, post, toMonday(day) AS week, visitors FROM post_visitors
SETTINGS insert_deduplicate = 0`;

const postVisitorWeeksOfDays = `
CREATE MATERIALIZED VIEW IF NOT EXISTS post_visitor_weeks_of_days TO post_visitor_weeks AS
SELECT site, post, toMonday(day) AS week, uniqCombined64MergeState(16)(visitors) AS visitors
FROM post_visitors GROUP BY site, post, week`;

export const visitorWeeks: Migration = {
  version: 7,
  name: 'visitors of pages by week',
  statements: [
    postVisitorWeeks,
    weeksOfBefore,
    postVisitorWeeksOfDays,
    'DROP VIEW IF EXISTS urls_of_pages',
    'DROP VIEW IF EXISTS urls_of_videos',
    'DROP TABLE IF EXISTS urls',
  ],
};
