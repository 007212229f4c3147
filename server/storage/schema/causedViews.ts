// What followed clicks on lists, kept by day: made from the reports and the events of a day when nothing more can
// follow, and made again where something came late. Of a busy day that is not over it is made of the clicks up to a
// moment, every quarter of an hour. Rows of a day are written under the number of their run and count from the moment
// when the run is recorded: a run that was killed, or overtaken by another one, counts nowhere.
import { NAME } from './events.ts';
import { ITEM_COLUMNS, KEEP_REPORTS, LIST_COLUMNS, PAGE_COLUMNS } from './ledger.ts';
import type { Table } from './table.ts';

/** One row a page view that a click began, without its reader. */
export const CAUSED_VIEWS: Table = {
  name: 'caused_views',
  columns: {
    site: NAME,
    // Of the click, as all but the last columns.
    day: 'Date',
    time: { type: 'UInt64', codec: 'T64, ZSTD(1)' },
    ...PAGE_COLUMNS,
    ...LIST_COLUMNS,
    ...ITEM_COLUMNS,
    post: { type: 'UInt64', codec: 'ZSTD(1)' },
    // That the reader was engaged with the post.
    seconds: { type: 'UInt32', codec: 'ZSTD(1)' },
    run: { type: 'UInt64', codec: 'ZSTD(1)' },
  },
  engine: 'MergeTree',
  period: 'day',
  keep: KEEP_REPORTS,
  orderBy: ['site', 'day', 'run', 'time'],
  inserts: 'once',
  shardBy: ['site', 'url'],
};

/** Days whose caused views are kept: the newest run of each counts. */
export const SETTLED_DAYS: Table = {
  name: 'settled_days',
  columns: {
    site: NAME,
    day: 'Date',
    run: 'UInt64',
    // Views, engaged seconds and clicks of the day and the one after it, by their sums: more of them came late.
    // 0 of a day that is kept up to a moment only: it is made again in any case.
    counted: 'UInt64',
    // Epoch milliseconds: clicks of the day from then on are not kept yet. 0: all are kept.
    open_from: 'UInt64',
  },
  engine: 'ReplacingMergeTree',
  versions: ['run'],
  orderBy: ['site', 'day'],
  keep: KEEP_REPORTS,
  inserts: 'durable',
};
