// The host of a referrer beside its brand, and two more categories of referrers. Rows from before have no host: they
// are found by their names, in the category they got.
import { ABOUT_PAGES, added, HAS_CAMPAIGN, sums } from './0002-rollups.ts';
import type { Migration } from './migration.ts';

const categories = `
ALTER TABLE events MODIFY COLUMN referrer_type
Enum8('direct' = 0, 'internal' = 1, 'social' = 2, 'search' = 3, 'other' = 4, 'aggregator' = 5, 'ai' = 6)`;

const hostOfEvent = `
ALTER TABLE events ADD COLUMN IF NOT EXISTS referrer_host LowCardinality(String) AFTER referrer`;

// Part of the key, or rows of two hosts would be added up.
const hostOfFacet = (table: string, key: string) => `
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS host LowCardinality(String) AFTER value, MODIFY ORDER BY (${key}, host)`;

/** Every facet a page view has, as name, value and, of referrers, host. */
const FACETS = `arrayConcat(
    if(${HAS_CAMPAIGN}, arrayFilter(entry -> entry.2 != '', [
      ('campaign_id', toString(campaign_id), ''), ('campaign_medium', toString(campaign_medium), ''),
      ('campaign_source', toString(campaign_source), ''), ('campaign_content', toString(campaign_content), ''),
      ('campaign_term', toString(campaign_term), '')]), []),
    if(notEmpty(segments), arrayMap(segment -> ('segment', toString(segment), ''), arrayDistinct(segments)), []),
    [(concat('referrer_', toString(referrer_type)), toString(referrer), toString(referrer_host))])`;

const facetDaysOfPages = `
CREATE MATERIALIZED VIEW IF NOT EXISTS facet_days_of_pages TO facet_days AS
SELECT site, entry.1 AS facet, day, entry.2 AS value, entry.3 AS host, post, channel,
  ${sums}
FROM events ARRAY JOIN ${FACETS} AS entry
WHERE ${ABOUT_PAGES} GROUP BY site, facet, day, value, host, post, channel`;

const facetTotalsOfDays = `
CREATE MATERIALIZED VIEW IF NOT EXISTS facet_totals_of_days TO facet_totals AS
SELECT site, facet, day, value, host,
  ${added}
FROM facet_days GROUP BY site, facet, day, value, host`;

export const referrerHosts: Migration = {
  version: 13,
  name: 'hosts of referrers, and two more categories',
  statements: [
    'DROP VIEW IF EXISTS facet_days_of_pages',
    'DROP VIEW IF EXISTS facet_totals_of_days',
    categories,
    hostOfEvent,
    hostOfFacet('facet_days', 'site, facet, day, value, post, channel'),
    hostOfFacet('facet_totals', 'site, facet, day, value'),
    facetDaysOfPages,
    facetTotalsOfDays,
  ],
};
