// Roll-ups of traffic by quarter of an hour since 1970: hours of every time zone are made of them. Kept as long as the
// events, from which the pages that do not count are taken off.
import { CHANNEL, EVENTS, NAME, QUARTER, QUARTER_OF_TIME } from './events.ts';
import { ABOUT_PAGES, FACETS_WITH_HOST, MEASURE_COLUMNS, MEASURED } from './measures.ts';
import type { Table } from './table.ts';

export const SITE_QUARTERS: Table = {
  name: 'site_quarters',
  columns: { site: NAME, day: 'Date', quarter: QUARTER, channel: CHANNEL, ...MEASURE_COLUMNS },
  engine: 'SummingMergeTree',
  period: 'day',
  orderBy: ['site', 'day', 'quarter', 'channel'],
  inserts: 'once',
  views: [
    {
      name: 'site_quarters_of_pages',
      from: EVENTS.name,
      select: `site, day, ${QUARTER_OF_TIME} AS quarter, channel,\n  ${MEASURED}`,
      where: ABOUT_PAGES,
      groupBy: 'site, day, quarter, channel',
    },
  ],
};

/** By campaign, segment and referrer. The host is part of the order, or rows of two hosts would be added up. */
export const FACET_QUARTERS: Table = {
  name: 'facet_quarters',
  columns: { site: NAME, facet: NAME, value: NAME, day: 'Date', quarter: QUARTER, host: NAME, ...MEASURE_COLUMNS },
  engine: 'SummingMergeTree',
  period: 'day',
  primaryKey: ['site', 'facet', 'value', 'day'],
  orderBy: ['site', 'facet', 'value', 'day', 'quarter', 'host'],
  inserts: 'once',
  views: [
    {
      name: 'facet_quarters_of_pages',
      from: EVENTS.name,
      arrayJoin: `${FACETS_WITH_HOST} AS entry`,
      select: `site, entry.1 AS facet, entry.2 AS value, day, ${QUARTER_OF_TIME} AS quarter, entry.3 AS host,\n  ${MEASURED}`,
      where: ABOUT_PAGES,
      groupBy: 'site, facet, value, day, quarter, host',
    },
  ],
};
