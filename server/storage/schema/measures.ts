// What is measured of an event, and by which facets: SQL of the views that fill the roll-ups.
import type { Column } from './table.ts';

/** Name and meaning of every measure of a page, in the words of the table of events. */
const MEASURES: Readonly<Record<string, string>> = {
  views: `countIf(action = 'pageview')`,
  desktop_views: `countIf(action = 'pageview' AND device = 'desktop')`,
  mobile_views: `countIf(action = 'pageview' AND device = 'mobile')`,
  tablet_views: `countIf(action = 'pageview' AND device = 'tablet')`,
  engaged_seconds: `sumIf(seconds, action = 'heartbeat')`,
  fb_referrals: referrals('facebook'),
  tw_referrals: referrals('twitter', 'x'),
  li_referrals: referrals('linkedin'),
  pi_referrals: referrals('pinterest'),
  fb_interactions: `countIf(action = 'share' AND network = 'fb')`,
  tw_interactions: `countIf(action = 'share' AND network = 'tw')`,
  li_interactions: `countIf(action = 'share' AND network = 'li')`,
  pi_interactions: `countIf(action = 'share' AND network = 'pi')`,
};

function referrals(...brands: string[]): string {
  const names = brands.map((brand) => `'${brand}'`).join(', ');
  return `countIf(action = 'pageview' AND referrer_type = 'social' AND referrer IN (${names}))`;
}

/** Column of a sum, which mostly is small. */
export const SUM: Column = { type: 'UInt64', codec: 'T64, ZSTD(1)' };
/** Columns of the sums. */
export const MEASURE_COLUMNS = Object.fromEntries(Object.keys(MEASURES).map((name) => [name, SUM]));
/** Of events. */
export const MEASURED = Object.entries(MEASURES)
  .map(([name, sql]) => `${sql} AS ${name}`)
  .join(',\n  ');
/** Of rows that hold sums. */
export const ADDED = Object.keys(MEASURES)
  .map((name) => `sum(${name}) AS ${name}`)
  .join(',\n  ');

/** Which events the measures are of. */
export const ABOUT_PAGES = `action IN ('pageview', 'heartbeat', 'share')`;

/**
 * Without campaign and segments, as most events are, the arrays of them are not made: `if` evaluates only the branch it
 * needs.
 */
const HAS_CAMPAIGN = `(campaign_id != '' OR campaign_medium != '' OR campaign_source != '' OR campaign_content != ''
      OR campaign_term != '')`;

/** Every facet of an event, as name, value and, of referrers, host. */
export const FACETS_WITH_HOST = `arrayConcat(
    if(${HAS_CAMPAIGN}, arrayFilter(entry -> entry.2 != '', [
      ('campaign_id', toString(campaign_id), ''), ('campaign_medium', toString(campaign_medium), ''),
      ('campaign_source', toString(campaign_source), ''), ('campaign_content', toString(campaign_content), ''),
      ('campaign_term', toString(campaign_term), '')]), []),
    if(notEmpty(segments), arrayMap(segment -> ('segment', toString(segment), ''), arrayDistinct(segments)), []),
    [(concat('referrer_', toString(referrer_type)), toString(referrer), toString(referrer_host))])`;

/** Every facet of a page view, its channel included, as name and value. */
export const FACETS = `arrayConcat(
    if(${HAS_CAMPAIGN}, arrayFilter(pair -> pair.2 != '', [
      ('campaign_id', toString(campaign_id)), ('campaign_medium', toString(campaign_medium)),
      ('campaign_source', toString(campaign_source)), ('campaign_content', toString(campaign_content)),
      ('campaign_term', toString(campaign_term))]), []),
    if(notEmpty(segments), arrayMap(segment -> ('segment', toString(segment)), arrayDistinct(segments)), []),
    [('channel', toString(channel)), (concat('referrer_', toString(referrer_type)), toString(referrer))])`;
