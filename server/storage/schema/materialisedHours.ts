// Traffic of the posts of a site by hour, of busy days that are over: made from the events of a day when it has ended,
// and made again where something came late or other pages are posts. Rows are written under the number of their run and
// count from the moment when the run is recorded, as those of `caused_views` do.
import { KEEP_DAYS } from '../../contract/limits.ts';
import { NAME } from './events.ts';
import { MEASURE_COLUMNS } from './measures.ts';
import { HOUR_VISITORS, type Table, VISITORS } from './table.ts';

const OF_RUN = { site: NAME, day: 'Date', run: { type: 'UInt64', codec: 'ZSTD(1)' } } as const;
const MATERIALISED_BY_DAY = {
  period: 'day',
  inserts: 'once',
  settings: { index_granularity: 256 },
  shardBy: ['site', 'day'],
} as const satisfies Partial<Table>;

/** Only pages that are posts, and not hidden, count. */
export const MATERIALISED_HOURS: Table = {
  name: 'materialised_hours',
  columns: {
    ...OF_RUN,
    // Epoch milliseconds of an hour of the site's zone; 0: the day, of which there are visitors alone.
    start: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    ...MEASURE_COLUMNS,
    hour_visitors: HOUR_VISITORS,
    visitors: VISITORS,
  },
  ...MATERIALISED_BY_DAY,
  engine: 'SummingMergeTree',
  orderBy: ['site', 'day', 'run', 'start'],
};

/** Visitors of the same days by the day of their first view of the site. */
export const MATERIALISED_FIRST_VIEWS: Table = {
  name: 'materialised_first_views',
  columns: {
    ...OF_RUN,
    // Epoch milliseconds of the beginning of that day. 0: earlier than the days that are kept one by one.
    first_day: { type: 'UInt64', codec: 'Delta, ZSTD(1)' },
    visitors: VISITORS,
  },
  ...MATERIALISED_BY_DAY,
  engine: 'AggregatingMergeTree',
  orderBy: ['site', 'day', 'run', 'first_day'],
};

/** Days that are materialised: the newest run of each counts. */
export const MATERIALISED_DAYS: Table = {
  name: 'materialised_days',
  columns: {
    site: NAME,
    day: 'Date',
    run: 'UInt64',
    // Of the hours.
    zone: NAME,
    // Keys of the pages with traffic that did not count, combined: other pages, and the hours are of no use.
    uncounted: 'UInt64',
    // Views, engaged seconds and shares of the day, by its sums: more of them came late.
    counted: 'UInt64',
    // Views of the days before it: where some came late, other visitors of the day are new.
    views_before: 'UInt64',
  },
  engine: 'ReplacingMergeTree',
  versions: ['run'],
  orderBy: ['site', 'day'],
  keep: { days: KEEP_DAYS, since: 'day' },
  inserts: 'durable',
};
