// The ledger: what pages reported of their lists. One row a list and report, with the items that were seen or clicked;
// and their sums by day, with posts and without.
import { LEDGER_LIMITS } from '../../contract/ledger.ts';
import { CHANNEL, EVENTS } from './events.ts';
import { keyOf } from './records.ts';
import type { Table } from './table.ts';

const NAME = 'LowCardinality(String)';
/** In the order of `ITEM_SOURCES`. */
const SOURCE = `Enum8('' = 0, 'words' = 1, 'readers' = 2, 'recent' = 3, 'popular' = 4, 'editor' = 5, 'sponsor' = 6)`;
/** Short arrays of small numbers, alike on all views of a page. */
const SMALL = 'ZSTD(1)';

/** By page, whose lists are alike: their addresses compress to almost nothing. */
export const LEDGER: Table = {
  name: 'ledger',
  columns: {
    site: NAME,
    day: 'Date',
    page: keyOf('url'),
    time: { type: 'UInt64', codec: 'T64, LZ4' },
    // Of the page that the list is on.
    url: { type: 'String', codec: 'ZSTD(1)' },
    visitor: { type: 'UInt64', codec: 'ZSTD(1)' },
    campaign_id: NAME,
    campaign_medium: NAME,
    campaign_source: NAME,
    campaign_content: NAME,
    campaign_term: NAME,
    channel: CHANNEL,
    device: EVENTS.columns.device!,
    segments: 'Array(LowCardinality(String))',
    list: NAME,
    slot: NAME,
    layout: NAME,
    experiment: NAME,
    variant: NAME,
    // 1 in the first report of a list in a page view.
    shown: 'UInt8',
    // Of each item, in the order of the report.
    positions: { type: 'Array(UInt8)', codec: SMALL },
    urls: { type: 'Array(String)', codec: 'ZSTD(1)' },
    posts: {
      type: 'Array(UInt64)',
      materialized: `arrayMap(url -> if(url = '', 0, sipHash64(url)), urls)`,
      codec: 'ZSTD(1)',
    },
    sources: { type: `Array(${SOURCE})`, codec: SMALL },
    seen: { type: 'Array(UInt8)', codec: SMALL },
    clicks: { type: 'Array(UInt8)', codec: SMALL },
    // Few reports have clicks: what followed them is asked without reading the others.
    has_clicks: { type: 'Bool', materialized: 'arrayExists(count -> count > 0, clicks)' },
    // Numbers of the titles and pictures they were drawn with; 0: nothing is compared.
    alternatives: { type: 'Array(UInt8)', codec: SMALL },
    key: EVENTS.columns.key!,
  },
  engine: 'MergeTree',
  period: 'day',
  ttl: `day + INTERVAL ${LEDGER_LIMITS.days} DAY`,
  orderBy: ['site', 'day', 'page', 'time'],
  inserts: 'once',
  shardBy: ['site', 'url'],
};

const OF_LISTS = 'site, day, list, slot, layout, experiment, variant';
const ORDER = `${OF_LISTS}, source, position, post, alternative`;

/** Lists have rows of their own, without an item: each was shown once, however many of its items were seen. */
export const LEDGER_DAYS: Table = {
  name: 'ledger_days',
  columns: {
    site: NAME,
    day: 'Date',
    list: NAME,
    slot: NAME,
    layout: NAME,
    experiment: NAME,
    variant: NAME,
    source: SOURCE,
    position: 'UInt8',
    post: 'UInt64',
    alternative: 'UInt8',
    lists: 'UInt64',
    seen: 'UInt64',
    clicks: 'UInt64',
  },
  engine: 'SummingMergeTree',
  period: 'day',
  orderBy: ORDER.split(', '),
  inserts: 'once',
  views: [
    {
      name: 'ledger_days_of_items',
      from: LEDGER.name,
      arrayJoin:
        'sources AS source, positions AS position, posts AS post, alternatives AS alternative, ledger.seen AS was_seen, ledger.clicks AS clicked',
      select: `${ORDER}, toUInt64(0) AS lists, sum(was_seen) AS seen, sum(clicked) AS clicks`,
      groupBy: ORDER,
    },
    {
      name: 'ledger_days_of_lists',
      from: LEDGER.name,
      select: `${OF_LISTS}, CAST('', '${SOURCE.replaceAll("'", "\\'")}') AS source, toUInt8(0) AS position, toUInt64(0) AS post,
  toUInt8(0) AS alternative, sum(shown) AS lists, toUInt64(0) AS seen, toUInt64(0) AS clicks`,
      where: 'shown = 1',
      groupBy: ORDER,
    },
  ],
};

const OF_POSTS = ['post', 'alternative'];

/** The same without posts, for figures of none: a site has some hundred places in lists, each with a row a post. */
export const LEDGER_TOTALS: Table = {
  name: 'ledger_totals',
  columns: Object.fromEntries(Object.entries(LEDGER_DAYS.columns).filter(([name]) => !OF_POSTS.includes(name))),
  engine: 'SummingMergeTree',
  period: 'day',
  orderBy: LEDGER_DAYS.orderBy.filter((name) => !OF_POSTS.includes(name)),
  inserts: 'once',
  views: [
    {
      name: 'ledger_totals_of_days',
      from: LEDGER_DAYS.name,
      select: `${OF_LISTS}, source, position, sum(lists) AS lists, sum(seen) AS seen, sum(clicks) AS clicks`,
      groupBy: `${OF_LISTS}, source, position`,
    },
  ],
};
