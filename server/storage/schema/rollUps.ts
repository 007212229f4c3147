// Roll-ups of traffic by day and week, kept by materialised views while events come in, so that a question about whole
// days never reads an event. Measures are sums; distinct visitors are sketches in tables of their own, read for the
// rows shown only. Nothing about a post is written here: its title, section and aliases are joined when a question is
// asked.
import { KEEP_DAYS } from '../../contract/limits.ts';
import { CHANNEL, EVENTS, NAME } from './events.ts';
import { ABOUT_PAGES, ADDED, FACETS, FACETS_WITH_HOST, MEASURE_COLUMNS, MEASURED, SUM } from './measures.ts';
import { FACET_QUARTERS, SITE_QUARTERS } from './quarters.ts';
import { type Column, type Table, VISITORS } from './table.ts';

const SITE = NAME;
/** Keys of posts repeat from value to value of a facet, further apart than a faster codec looks. */
const POST: Column = { type: 'UInt64', codec: 'ZSTD(3)' };

const SKETCH = 'uniqCombinedState(16)(visitor) AS visitors';
const BY_VISITORS = `action = 'pageview' AND visitor != 0`;

const POST_DAYS: Table = {
  name: 'post_days',
  columns: { site: SITE, day: 'Date', post: POST, channel: CHANNEL, ...MEASURE_COLUMNS, recirculated: SUM },
  engine: 'SummingMergeTree',
  period: 'day',
  orderBy: ['site', 'day', 'post', 'channel'],
  inserts: 'once',
  views: [
    {
      name: 'post_days_of_pages',
      from: EVENTS.name,
      select: `site, day, post, channel,\n  ${MEASURED},\n  toUInt64(0) AS recirculated`,
      where: ABOUT_PAGES,
      groupBy: 'site, day, post, channel',
    },
    {
      // A view that led to another page of the site is known by the other page's referrer.
      name: 'post_days_of_referrers',
      from: EVENTS.name,
      select: 'site, day, referrer_post AS post, channel, count() AS recirculated',
      where: `action = 'pageview' AND referrer_type = 'internal' AND referrer_post != 0 AND referrer_post != events.post`,
      groupBy: 'site, day, referrer_post, channel',
    },
  ],
  counted: { as: 'views', sql: 'sum(views)' },
};

/**
 * Whole weeks (from Monday), made from the days: ninety days are a dozen weeks and a few days, not ninety rows a page.
 */
const POST_WEEKS: Table = {
  name: 'post_weeks',
  columns: { site: SITE, week: 'Date', post: POST, channel: CHANNEL, ...MEASURE_COLUMNS, recirculated: SUM },
  engine: 'SummingMergeTree',
  period: 'week',
  orderBy: ['site', 'week', 'post', 'channel'],
  inserts: 'once',
  views: [
    {
      name: 'post_weeks_of_days',
      from: POST_DAYS.name,
      select: `site, toMonday(day) AS week, post, channel,\n  ${ADDED},\n  sum(recirculated) AS recirculated`,
      groupBy: 'site, week, post, channel',
    },
  ],
};

/** Whole days of a site, made from those of its pages: a series of days adds up a row a day and channel. */
const SITE_DAYS: Table = {
  name: 'site_days',
  columns: { site: SITE, day: 'Date', channel: CHANNEL, ...MEASURE_COLUMNS },
  engine: 'SummingMergeTree',
  period: 'day',
  orderBy: ['site', 'day', 'channel'],
  inserts: 'once',
  views: [
    {
      name: 'site_days_of_pages',
      from: POST_DAYS.name,
      select: `site, day, channel,\n  ${ADDED}`,
      groupBy: 'site, day, channel',
    },
  ],
};

/**
 * One row a facet and page: what a list of campaigns, segments or referrers adds up, and what a list of posts within
 * one reads. The host is part of the order, or rows of two hosts would be added up.
 */
const FACET_DAYS: Table = {
  name: 'facet_days',
  columns: {
    site: SITE,
    facet: SITE,
    day: 'Date',
    value: SITE,
    host: SITE,
    post: POST,
    channel: CHANNEL,
    ...MEASURE_COLUMNS,
  },
  engine: 'SummingMergeTree',
  period: 'day',
  primaryKey: ['site', 'facet', 'day', 'value', 'post', 'channel'],
  orderBy: ['site', 'facet', 'day', 'value', 'post', 'channel', 'host'],
  inserts: 'once',
  views: [
    {
      name: 'facet_days_of_pages',
      from: EVENTS.name,
      arrayJoin: `${FACETS_WITH_HOST} AS entry`,
      select: `site, entry.1 AS facet, day, entry.2 AS value, entry.3 AS host, post, channel,\n  ${MEASURED}`,
      where: ABOUT_PAGES,
      groupBy: 'site, facet, day, value, host, post, channel',
    },
  ],
};

/**
 * The same without pages, for lists of all there is: a site has a thousand referrers, and a million pairs of referrer
 * and page.
 */
const FACET_TOTALS: Table = {
  name: 'facet_totals',
  columns: { site: SITE, facet: SITE, day: 'Date', value: SITE, host: SITE, ...MEASURE_COLUMNS },
  engine: 'SummingMergeTree',
  period: 'day',
  primaryKey: ['site', 'facet', 'day', 'value'],
  orderBy: ['site', 'facet', 'day', 'value', 'host'],
  inserts: 'once',
  views: [
    {
      name: 'facet_totals_of_days',
      from: FACET_DAYS.name,
      select: `site, facet, day, value, host,\n  ${ADDED}`,
      groupBy: 'site, facet, day, value, host',
    },
  ],
};

/** Sketches are read for a few rows: small granules, and post before day, so that ten posts are ten short runs. */
const SKETCHES = {
  engine: 'AggregatingMergeTree',
  inserts: 'once',
  settings: { index_granularity: 256 },
} as const satisfies Partial<Table>;

const POST_VISITORS: Table = {
  name: 'post_visitors',
  columns: { site: SITE, post: POST, day: 'Date', channel: CHANNEL, visitors: VISITORS },
  ...SKETCHES,
  period: 'day',
  orderBy: ['site', 'post', 'day', 'channel'],
  views: [
    {
      name: 'post_visitors_of_pages',
      from: EVENTS.name,
      select: `site, post, day, channel, ${SKETCH}`,
      where: BY_VISITORS,
      groupBy: 'site, post, day, channel',
    },
  ],
};

/** Weeks know no channels: a question about one channel adds up days. */
const POST_VISITOR_WEEKS: Table = {
  name: 'post_visitor_weeks',
  columns: { site: SITE, post: POST, week: 'Date', visitors: VISITORS },
  ...SKETCHES,
  period: 'week',
  orderBy: ['site', 'post', 'week'],
  views: [
    {
      name: 'post_visitor_weeks_of_days',
      from: POST_VISITORS.name,
      select: 'site, post, toMonday(day) AS week, uniqCombinedMergeState(16)(visitors) AS visitors',
      groupBy: 'site, post, week',
    },
  ],
};

const FACET_VISITORS: Table = {
  name: 'facet_visitors',
  columns: { site: SITE, facet: SITE, value: SITE, day: 'Date', visitors: VISITORS },
  ...SKETCHES,
  period: 'day',
  orderBy: ['site', 'facet', 'value', 'day'],
  views: [
    {
      name: 'facet_visitors_of_pages',
      from: EVENTS.name,
      arrayJoin: `${FACETS} AS pair`,
      select: `site, pair.1 AS facet, pair.2 AS value, day, ${SKETCH}`,
      where: BY_VISITORS,
      groupBy: 'site, facet, value, day',
    },
  ],
};

const VIDEO_DAYS: Table = {
  name: 'video_days',
  columns: { site: SITE, day: 'Date', post: POST, starts: SUM, watched_seconds: SUM },
  engine: 'SummingMergeTree',
  period: 'day',
  orderBy: ['site', 'day', 'post'],
  inserts: 'once',
  views: [
    {
      name: 'video_days_of_videos',
      from: EVENTS.name,
      select: `site, day, video_post AS post, countIf(action = 'videostart') AS starts,
  sumIf(seconds, action = 'vheartbeat') AS watched_seconds`,
      where: `action IN ('videostart', 'vheartbeat') AND video_post != 0`,
      groupBy: 'site, day, video_post',
    },
  ],
};

const VIDEO_VISITORS: Table = {
  name: 'video_visitors',
  columns: { site: SITE, post: POST, day: 'Date', visitors: VISITORS },
  ...SKETCHES,
  period: 'day',
  orderBy: ['site', 'post', 'day'],
  views: [
    {
      name: 'video_visitors_of_videos',
      from: EVENTS.name,
      select: `site, video_post AS post, day, ${SKETCH}`,
      where: `action = 'videostart' AND visitor != 0 AND video_post != 0`,
      groupBy: 'site, video_post, day',
    },
  ],
};

/** When a visitor was first seen on the site: new in a period are those whose first view lies in it. */
const FIRST_VIEWS: Table = {
  name: 'visitors',
  columns: {
    site: SITE,
    visitor: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    first_view: { type: 'SimpleAggregateFunction(min, UInt64)', codec: 'T64, ZSTD(1)' },
    last_day: { type: 'SimpleAggregateFunction(max, Date)', codec: 'T64, ZSTD(1)' },
  },
  engine: 'AggregatingMergeTree',
  orderBy: ['site', 'visitor'],
  // As long as an event of the visitor is there. Readers without an id are other visitors each day: kept for good,
  // their rows would be most of the table.
  keep: { days: KEEP_DAYS, since: 'last_day' },
  inserts: 'once',
  // The table has one partition, which is written to every day. Parts older than a day are merged into one, with one
  // row a visitor; without this bound a visitor has two or three, and new visitors take half as long again to find.
  settings: { min_age_to_force_merge_seconds: 86_400 },
  views: [
    {
      name: 'visitors_of_pages',
      from: EVENTS.name,
      select: 'site, visitor, min(time) AS first_view, max(day) AS last_day',
      where: BY_VISITORS,
      groupBy: 'site, visitor',
    },
  ],
  counted: { as: 'visitors' },
};

export const ROLL_UPS: readonly Table[] = [
  POST_DAYS,
  POST_WEEKS,
  SITE_DAYS,
  SITE_QUARTERS,
  FACET_QUARTERS,
  FACET_DAYS,
  FACET_TOTALS,
  POST_VISITORS,
  POST_VISITOR_WEEKS,
  FACET_VISITORS,
  VIDEO_DAYS,
  VIDEO_VISITORS,
  FIRST_VIEWS,
];
