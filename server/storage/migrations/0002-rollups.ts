// Roll-ups of traffic by day, kept by materialised views while events come in, so that a question about whole days
// never reads an event. Measures are sums; distinct visitors are sketches in tables of their own, read for the rows
// shown only. Nothing about a post is written here: its title, section and aliases are joined when a question is asked.
import { ONCE } from './0001-tables.ts';
import type { Migration } from './migration.ts';

const CHANNEL = `Enum8('website' = 1, 'amp' = 2, 'apln-rta' = 3, 'fbia' = 4)`;

/** Error about 0.4 %; a set of visitors too small for a sketch is kept exactly. */
const VISITORS = 'AggregateFunction(uniqCombined64(16), UInt64)';

const KEEP = 'TTL day + INTERVAL 400 DAY';

/** Name and meaning of every measure of a page, in the words of the table of events. */
const measures: [name: string, sql: string][] = [
  ['views', `countIf(action = 'pageview')`],
  ['desktop_views', `countIf(action = 'pageview' AND device = 'desktop')`],
  ['mobile_views', `countIf(action = 'pageview' AND device = 'mobile')`],
  ['tablet_views', `countIf(action = 'pageview' AND device = 'tablet')`],
  ['engaged_seconds', `sumIf(seconds, action = 'heartbeat')`],
  ['fb_referrals', referrals('facebook')],
  ['tw_referrals', referrals('twitter', 'x')],
  ['li_referrals', referrals('linkedin')],
  ['pi_referrals', referrals('pinterest')],
  ['fb_interactions', `countIf(action = 'share' AND network = 'fb')`],
  ['tw_interactions', `countIf(action = 'share' AND network = 'tw')`],
  ['li_interactions', `countIf(action = 'share' AND network = 'li')`],
  ['pi_interactions', `countIf(action = 'share' AND network = 'pi')`],
];

function referrals(...brands: string[]): string {
  const names = brands.map((brand) => `'${brand}'`).join(', ');
  return `countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN (${names}))`;
}

const columns = measures.map(([name]) => `${name} UInt64`).join(',\n  ');
export const sums = measures.map(([name, sql]) => `${sql} AS ${name}`).join(',\n  ');
export const added = measures.map(([name]) => `sum(${name}) AS ${name}`).join(',\n  ');
export const ABOUT_PAGES = `action IN ('pageview', 'heartbeat', 'share')`;

const postDays = `
CREATE TABLE IF NOT EXISTS post_days (
  site LowCardinality(String),
  day Date,
  post UInt64,
  channel ${CHANNEL},
  ${columns},
  recirculated UInt64
) ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day) ORDER BY (site, day, post, channel) ${KEEP}
SETTINGS ${ONCE}, ttl_only_drop_parts = 1`;

const postDaysOfPages = `
CREATE MATERIALIZED VIEW IF NOT EXISTS post_days_of_pages TO post_days AS
SELECT site, day, post, channel,
  ${sums},
  toUInt64(0) AS recirculated
FROM events WHERE ${ABOUT_PAGES} GROUP BY site, day, post, channel`;

// A view that led to another page of the site is known by the other page's referrer.
const postDaysOfReferrers = `
CREATE MATERIALIZED VIEW IF NOT EXISTS post_days_of_referrers TO post_days AS
SELECT site, day, referrer_post AS post, channel, count() AS recirculated
FROM events
WHERE action = 'pageview' AND referrer_type = 'internal' AND referrer_post != 0 AND referrer_post != events.post
GROUP BY site, day, referrer_post, channel`;

// Whole weeks (from Monday) of the same, made from the days: ninety days are a dozen weeks and a few days, not ninety
// rows a page.
const postWeeks = `
CREATE TABLE IF NOT EXISTS post_weeks (
  site LowCardinality(String),
  week Date,
  post UInt64,
  channel ${CHANNEL},
  ${columns},
  recirculated UInt64
) ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(week) ORDER BY (site, week, post, channel) TTL week + INTERVAL 400 DAY
SETTINGS ${ONCE}, ttl_only_drop_parts = 1`;

const postWeeksOfDays = `
CREATE MATERIALIZED VIEW IF NOT EXISTS post_weeks_of_days TO post_weeks AS
SELECT site, toMonday(day) AS week, post, channel,
  ${added},
  sum(recirculated) AS recirculated
FROM post_days GROUP BY site, week, post, channel`;

// One row a facet and page: what a list of campaigns, segments or referrers adds up, and what a list of posts within
// one reads.
const facetDays = `
CREATE TABLE IF NOT EXISTS facet_days (
  site LowCardinality(String),
  facet LowCardinality(String),
  day Date,
  value LowCardinality(String),
  post UInt64,
  channel ${CHANNEL},
  ${columns}
) ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day) ORDER BY (site, facet, day, value, post, channel) ${KEEP}
SETTINGS ${ONCE}, ttl_only_drop_parts = 1`;

/**
 * Without campaign and segments, as most events are, the arrays of them are not made: `if` evaluates only the branch it
 * needs.
 */
export const HAS_CAMPAIGN = `(campaign_id != '' OR campaign_medium != '' OR campaign_source != '' OR campaign_content != ''
      OR campaign_term != '')`;

/** Every facet a page view has, as pairs of name and value. */
export const FACETS = `arrayConcat(
    if(${HAS_CAMPAIGN}, arrayFilter(pair -> pair.2 != '', [
      ('campaign_id', toString(campaign_id)), ('campaign_medium', toString(campaign_medium)),
      ('campaign_source', toString(campaign_source)), ('campaign_content', toString(campaign_content)),
      ('campaign_term', toString(campaign_term))]), []),
    if(notEmpty(segments), arrayMap(segment -> ('segment', toString(segment)), arrayDistinct(segments)), []),
    [('channel', toString(channel)), (concat('referrer_', toString(referrer_type)), toString(referrer))])`;

const facetDaysOfPages = `
CREATE MATERIALIZED VIEW IF NOT EXISTS facet_days_of_pages TO facet_days AS
SELECT site, pair.1 AS facet, day, pair.2 AS value, post, channel,
  ${sums}
FROM events ARRAY JOIN ${FACETS} AS pair
WHERE ${ABOUT_PAGES} AND pair.1 != 'channel' GROUP BY site, facet, day, value, post, channel`;

// The same without pages, for lists of all there is: a site has a thousand referrers, and a million pairs of referrer
// and page.
const facetTotals = `
CREATE TABLE IF NOT EXISTS facet_totals (
  site LowCardinality(String),
  facet LowCardinality(String),
  day Date,
  value LowCardinality(String),
  ${columns}
) ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day) ORDER BY (site, facet, day, value) ${KEEP}
SETTINGS ${ONCE}, ttl_only_drop_parts = 1`;

const facetTotalsOfDays = `
CREATE MATERIALIZED VIEW IF NOT EXISTS facet_totals_of_days TO facet_totals AS
SELECT site, facet, day, value,
  ${added}
FROM facet_days GROUP BY site, facet, day, value`;

// Small granules, ordered by post before day: ten posts are ten short runs.
const postVisitors = `
CREATE TABLE IF NOT EXISTS post_visitors (
  site LowCardinality(String),
  post UInt64,
  day Date,
  channel ${CHANNEL},
  visitors ${VISITORS}
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day) ORDER BY (site, post, day, channel) ${KEEP}
SETTINGS ${ONCE}, ttl_only_drop_parts = 1, index_granularity = 256`;

const postVisitorsOfPages = `
CREATE MATERIALIZED VIEW IF NOT EXISTS post_visitors_of_pages TO post_visitors AS
SELECT site, post, day, channel, uniqCombined64State(16)(visitor) AS visitors
FROM events WHERE action = 'pageview' AND visitor != 0 GROUP BY site, post, day, channel`;

const facetVisitors = `
CREATE TABLE IF NOT EXISTS facet_visitors (
  site LowCardinality(String),
  facet LowCardinality(String),
  value LowCardinality(String),
  day Date,
  visitors ${VISITORS}
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day) ORDER BY (site, facet, value, day) ${KEEP}
SETTINGS ${ONCE}, ttl_only_drop_parts = 1, index_granularity = 256`;

const facetVisitorsOfPages = `
CREATE MATERIALIZED VIEW IF NOT EXISTS facet_visitors_of_pages TO facet_visitors AS
SELECT site, pair.1 AS facet, pair.2 AS value, day, uniqCombined64State(16)(visitor) AS visitors
FROM events ARRAY JOIN ${FACETS} AS pair
WHERE action = 'pageview' AND visitor != 0 GROUP BY site, facet, value, day`;

const videoDays = `
CREATE TABLE IF NOT EXISTS video_days (
  site LowCardinality(String),
  day Date,
  post UInt64,
  starts UInt64,
  watched_seconds UInt64
) ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day) ORDER BY (site, day, post) ${KEEP}
SETTINGS ${ONCE}, ttl_only_drop_parts = 1`;

const videoDaysOfVideos = `
CREATE MATERIALIZED VIEW IF NOT EXISTS video_days_of_videos TO video_days AS
SELECT site, day, video_post AS post, countIf(action = 'videostart') AS starts,
  sumIf(seconds, action = 'vheartbeat') AS watched_seconds
FROM events WHERE action IN ('videostart', 'vheartbeat') AND video_post != 0 GROUP BY site, day, video_post`;

const videoVisitors = `
CREATE TABLE IF NOT EXISTS video_visitors (
  site LowCardinality(String),
  post UInt64,
  day Date,
  visitors ${VISITORS}
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day) ORDER BY (site, post, day) ${KEEP}
SETTINGS ${ONCE}, ttl_only_drop_parts = 1, index_granularity = 256`;

const videoVisitorsOfVideos = `
CREATE MATERIALIZED VIEW IF NOT EXISTS video_visitors_of_videos TO video_visitors AS
SELECT site, video_post AS post, day, uniqCombined64State(16)(visitor) AS visitors
FROM events WHERE action = 'videostart' AND visitor != 0 AND video_post != 0 GROUP BY site, video_post, day`;

// When a visitor was first seen on the site: new in a period are those whose first view lies in it.
const visitors = `
CREATE TABLE IF NOT EXISTS visitors (
  site LowCardinality(String),
  visitor UInt64,
  first_view SimpleAggregateFunction(min, UInt64)
) ENGINE = AggregatingMergeTree ORDER BY (site, visitor)
SETTINGS ${ONCE}`;

const visitorsOfPages = `
CREATE MATERIALIZED VIEW IF NOT EXISTS visitors_of_pages TO visitors AS
SELECT site, visitor, min(time) AS first_view
FROM events WHERE action = 'pageview' AND visitor != 0 GROUP BY site, visitor`;

export const rollups: Migration = {
  version: 2,
  name: 'daily roll-ups of traffic',
  statements: [
    postDays,
    postDaysOfPages,
    postDaysOfReferrers,
    postWeeks,
    postWeeksOfDays,
    facetDays,
    facetDaysOfPages,
    facetTotals,
    facetTotalsOfDays,
    postVisitors,
    postVisitorsOfPages,
    facetVisitors,
    facetVisitorsOfPages,
    videoDays,
    videoDaysOfVideos,
    videoVisitors,
    videoVisitorsOfVideos,
    visitors,
    visitorsOfPages,
  ],
};
