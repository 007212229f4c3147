// The ledger: what pages reported of their lists. One row a list and report, with the items that were seen or clicked;
// and their sums by day, with posts and without.
import { LEDGER_LIMITS } from '../../contract/ledger.ts';
import { ITEM_ARRAYS, type ItemColumn } from '../../traffic/ledger/itemArrays.ts';
import {
  CHANNEL,
  DEVICE,
  EVENTS,
  NAME,
  PAGE_URL,
  QUARTER,
  QUARTER_OF_TIME,
  REPETITIVE,
  SEGMENTS,
  VISITOR,
} from './events.ts';
import { SUM } from './measures.ts';
import { keyOf } from './records.ts';
import type { Column, Table, View } from './table.ts';

/** In the order of `ITEM_SOURCES`. */
const SOURCE_TYPE = `Enum8('' = 0, 'words' = 1, 'readers' = 2, 'recent' = 3, 'popular' = 4, 'editor' = 5, 'sponsor' = 6)`;
const SOURCE = { type: SOURCE_TYPE, codec: 'ZSTD(1)' };
/** Short arrays of small numbers, alike on all views of a page. */
const SMALL = 'ZSTD(1)';

/** Of the page that a list is on, and of its view. */
export const PAGE_COLUMNS = {
  url: PAGE_URL,
  campaign_id: NAME,
  campaign_medium: NAME,
  campaign_source: NAME,
  campaign_content: NAME,
  campaign_term: NAME,
  channel: CHANNEL,
  segments: SEGMENTS,
  device: DEVICE,
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
  position: { type: 'UInt8', codec: SMALL },
  alternative: { type: 'UInt8', codec: SMALL },
} as const satisfies Table['columns'];

/** Of reports, and of what is made of them. */
export const KEEP_REPORTS = { days: LEDGER_LIMITS.days, since: 'day' } as const;

/**
 * By page, whose lists are alike: their addresses compress to almost nothing. Reports with clicks, a few of a hundred,
 * are apart, so that what followed them is asked without reading the others.
 */
export const LEDGER: Table = {
  name: 'ledger',
  columns: {
    site: NAME,
    day: 'Date',
    page: { ...keyOf('url'), codec: 'ZSTD(1)' },
    time: { type: 'UInt64', codec: 'T64, LZ4' },
    visitor: VISITOR,
    ...PAGE_COLUMNS,
    ...LIST_COLUMNS,
    // 1 in the first report of a list in a page view.
    shown: 'UInt8',
    // Of each item, in the order of the report.
    positions: { type: 'Array(UInt8)', codec: SMALL },
    // A site has fewer posts in lists than lists: a part keeps the text of each once, of so many.
    urls: { type: 'Array(LowCardinality(String))', codec: REPETITIVE },
    posts: { type: 'Array(UInt64)', alias: `arrayMap(url -> if(url = '', 0, sipHash64(url)), urls)` },
    sources: { type: `Array(${SOURCE_TYPE})`, codec: SMALL },
    seen: { type: 'Array(UInt8)', codec: REPETITIVE },
    clicks: { type: 'Array(UInt8)', codec: SMALL },
    has_clicks: { type: 'Bool', materialized: 'arrayExists(count -> count > 0, clicks)' },
    // Numbers of the titles and pictures they were drawn with; 0: nothing is compared.
    alternatives: { type: 'Array(UInt8)', codec: SMALL },
    // Of a list of an experiment, once a page view: thousandths of layout shift, and errors; -1: not measured.
    shift: { type: 'Int16', codec: SMALL },
    errors: { type: 'Int16', codec: SMALL },
    key: EVENTS.columns.key!,
  },
  engine: 'MergeTree',
  period: 'day',
  keep: KEEP_REPORTS,
  orderBy: ['site', 'day', 'has_clicks', 'page', 'time'],
  inserts: 'once',
  shardBy: ['site', 'url'],
};

type Columns = Readonly<Record<string, string | Column>>;

const SUMS = { lists: SUM, seen: SUM, clicks: SUM };
const DAY = { site: NAME, day: 'Date' };
const OF_LISTS = { ...DAY, ...LIST_COLUMNS };
const OF_ITEMS = { ...ITEM_COLUMNS, post: { type: 'UInt64', codec: 'ZSTD(1)' } };

const namesOf = (columns: Columns): string => Object.keys(columns).join(', ');

/** Sums of lists and items, a row for each combination of the columns. */
const sumsBy = (columns: Columns, table: Pick<Table, 'name' | 'views'> & Partial<Table>): Table => ({
  columns: { ...columns, ...SUMS },
  engine: 'SummingMergeTree',
  period: 'day',
  orderBy: Object.keys(columns),
  inserts: 'once',
  ...table,
});

const BY_POST = { ...OF_LISTS, ...OF_ITEMS };
const { post: _, ...BY_PLACE } = BY_POST;

/**
 * Rows of items, and a row of the list at position 0 with no item: each list was shown once, however many of its items
 * were seen. One view makes both, and each insert writes one part for them.
 * @param select Columns that are computed, with their SQL.
 */
function viewOfReports(name: string, columns: Columns, select: Readonly<Record<string, string>> = {}): View {
  const items = Object.entries(OF_ITEMS).filter(([column]) => column in columns);
  const prependDefault = (array: string, type: string, as: string): string =>
    `arrayPushFront(${array}, defaultValueOfTypeName('${type.replaceAll("'", "\\'")}')) AS ${as}`;
  const selected = Object.keys(columns).map((column) =>
    select[column] === undefined ? column : `${select[column]} AS ${column}`,
  );
  return {
    name: `${name}_of_reports`,
    from: LEDGER.name,
    arrayJoin: [
      ...items.map(([column, { type }]) => prependDefault(ITEM_ARRAYS[column as ItemColumn], type, column)),
      prependDefault('ledger.seen', 'UInt8', 'was_seen'),
      prependDefault('ledger.clicks', 'UInt8', 'clicked'),
    ].join(', '),
    select: `${selected.join(', ')},\n  sum(if(position = 0, shown, 0)) AS lists, sum(was_seen) AS seen, sum(clicked) AS clicks`,
    groupBy: namesOf(columns),
  };
}

/** A post is in few places on a day: the rows of each are together. */
export const LEDGER_DAYS: Table = sumsBy(BY_POST, {
  name: 'ledger_days',
  orderBy: ['site', 'day', 'post', ...Object.keys({ ...LIST_COLUMNS, ...ITEM_COLUMNS })],
  views: [viewOfReports('ledger_days', BY_POST)],
});

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

const BY_QUARTER = { ...DAY, quarter: QUARTER, ...LIST_COLUMNS, ...ITEM_COLUMNS };

/** The same by quarters of an hour since 1970, as long as the reports: hours of every time zone are made of them. */
export const LEDGER_QUARTERS: Table = sumsBy(BY_QUARTER, {
  name: 'ledger_quarters',
  keep: KEEP_REPORTS,
  views: [viewOfReports('ledger_quarters', BY_QUARTER, { quarter: QUARTER_OF_TIME })],
});
