// The ledger: what pages reported of their lists. One row a list and report, with the items that were seen or clicked;
// and their sums by day, with posts and without.
import { LEDGER_LIMITS } from '../../contract/ledger.ts';
import { CHANNEL, EVENTS } from './events.ts';
import { keyOf } from './records.ts';
import type { Column, Table, View } from './table.ts';

const NAME = 'LowCardinality(String)';
/** In the order of `ITEM_SOURCES`. */
const SOURCE = `Enum8('' = 0, 'words' = 1, 'readers' = 2, 'recent' = 3, 'popular' = 4, 'editor' = 5, 'sponsor' = 6)`;
/** Short arrays of small numbers, alike on all views of a page. */
const SMALL = 'ZSTD(1)';

/** Of the page that a list is on, and of its view. */
export const PAGE_COLUMNS = {
  url: { type: 'String', codec: 'ZSTD(1)' },
  campaign_id: NAME,
  campaign_medium: NAME,
  campaign_source: NAME,
  campaign_content: NAME,
  campaign_term: NAME,
  channel: CHANNEL,
  segments: 'Array(LowCardinality(String))',
} as const satisfies Table['columns'];

/** Of a list. */
export const LIST_COLUMNS = {
  list: NAME,
  slot: NAME,
  layout: NAME,
  experiment: NAME,
  variant: NAME,
} as const satisfies Table['columns'];

/** Of an item, but for the post it shows. */
export const ITEM_COLUMNS = {
  source: SOURCE,
  position: 'UInt8',
  alternative: 'UInt8',
} as const satisfies Table['columns'];

export const LEDGER_TTL = `day + INTERVAL ${LEDGER_LIMITS.days} DAY`;

/** By page, whose lists are alike: their addresses compress to almost nothing. */
export const LEDGER: Table = {
  name: 'ledger',
  columns: {
    site: NAME,
    day: 'Date',
    page: keyOf('url'),
    time: { type: 'UInt64', codec: 'T64, LZ4' },
    visitor: { type: 'UInt64', codec: 'ZSTD(1)' },
    ...PAGE_COLUMNS,
    device: EVENTS.columns.device!,
    ...LIST_COLUMNS,
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
  ttl: LEDGER_TTL,
  orderBy: ['site', 'day', 'page', 'time'],
  inserts: 'once',
  shardBy: ['site', 'url'],
};

type Columns = Readonly<Record<string, string | Column>>;

const SUMS = { lists: 'UInt64', seen: 'UInt64', clicks: 'UInt64' };
const OF_LISTS = { site: NAME, day: 'Date', ...LIST_COLUMNS };
const OF_ITEMS = { ...ITEM_COLUMNS, post: 'UInt64' };

const namesOf = (columns: Columns): string => Object.keys(columns).join(', ');

/** Sums of lists and items, a row for each combination of the columns. */
const sumsBy = (columns: Columns, { name, views }: { name: string; views: View[] }): Table => ({
  name,
  columns: { ...columns, ...SUMS },
  engine: 'SummingMergeTree',
  period: 'day',
  orderBy: Object.keys(columns),
  inserts: 'once',
  views,
});

const BY_POST = { ...OF_LISTS, ...OF_ITEMS };

/** Lists have rows of their own, without an item: each was shown once, however many of its items were seen. */
export const LEDGER_DAYS: Table = sumsBy(BY_POST, {
  name: 'ledger_days',
  views: [
    {
      name: 'ledger_days_of_items',
      from: LEDGER.name,
      arrayJoin:
        'sources AS source, positions AS position, posts AS post, alternatives AS alternative, ledger.seen AS was_seen, ledger.clicks AS clicked',
      select: `${namesOf(BY_POST)}, toUInt64(0) AS lists, sum(was_seen) AS seen, sum(clicked) AS clicks`,
      groupBy: namesOf(BY_POST),
    },
    {
      name: 'ledger_days_of_lists',
      from: LEDGER.name,
      select: `${namesOf(OF_LISTS)},\n  ${noneOf(OF_ITEMS)},
  sum(shown) AS lists, toUInt64(0) AS seen, toUInt64(0) AS clicks`,
      where: 'shown = 1',
      groupBy: namesOf(BY_POST),
    },
  ],
});

const { post: _, ...BY_PLACE } = BY_POST;

/** The same without posts, for figures of none: a site has some hundred places in lists, each with a row a post. */
export const LEDGER_TOTALS: Table = sumsBy(BY_PLACE, {
  name: 'ledger_totals',
  views: [
    {
      name: 'ledger_totals_of_days',
      from: LEDGER_DAYS.name,
      select: `${namesOf(BY_PLACE)}, ${Object.keys(SUMS)
        .map((sum) => `sum(${sum}) AS ${sum}`)
        .join(', ')}`,
      groupBy: namesOf(BY_PLACE),
    },
  ],
});

/** Columns of a row about no item. */
function noneOf(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `defaultValueOfTypeName('${type.replaceAll("'", "\\'")}') AS ${name}`)
    .join(', ');
}
