// Erases one visitor: page views stay counted without a visitor, sketches are made again without the visitor, the
// profile goes. Visitors' numbers live in sums nowhere, so nothing else has to change.
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import { FACETS } from './migrations/0002-rollups.ts';
import type { VisitorStore } from './store.ts';

const THEIRS = 'site = {site:String} AND visitor = {visitor:UInt64}';
/** Of a week, distinguished by its Monday. */
const TOUCHED = (monday: string) => `has(arrayMap(date -> toMonday(date), {days:Array(Date)}), ${monday})`;
const OTHERS = `site = {site:String} AND events.day IN {days:Array(Date)} AND visitor NOT IN (0, {visitor:UInt64})`;

/** Sketches of visitors, and how each is made from the events, as the views on the events make it. */
const SKETCHES = [
  {
    table: 'post_visitors',
    touched: 'day IN {days:Array(Date)}',
    select: `SELECT site, post, day, channel, uniqCombined64State(16)(visitor) AS visitors
      FROM events WHERE ${OTHERS} AND action = 'pageview' GROUP BY site, post, day, channel`,
  },
  {
    // Out of the days, which are made by now.
    table: 'post_visitor_weeks',
    touched: TOUCHED('week'),
    select: `SELECT site, post, toMonday(day) AS week, uniqCombined64MergeState(16)(visitors) AS visitors
      FROM post_visitors WHERE site = {site:String} AND ${TOUCHED('toMonday(day)')} GROUP BY site, post, week`,
  },
  {
    table: 'facet_visitors',
    touched: 'day IN {days:Array(Date)}',
    select: `SELECT site, pair.1 AS facet, pair.2 AS value, day, uniqCombined64State(16)(visitor) AS visitors
      FROM events ARRAY JOIN ${FACETS} AS pair
      WHERE ${OTHERS} AND action = 'pageview' GROUP BY site, facet, value, day`,
  },
  {
    table: 'video_visitors',
    touched: 'day IN {days:Array(Date)}',
    select: `SELECT site, video_post AS post, day, uniqCombined64State(16)(visitor) AS visitors
      FROM events WHERE ${OTHERS} AND action = 'videostart' AND video_post != 0 GROUP BY site, video_post, day`,
  },
] as const;

export function createVisitorStore(engine: Engine): VisitorStore {
  /** Events that come in meanwhile do no harm: a visitor who is in a sketch twice counts once. */
  async function remakeSketches(site: SiteId, visitor: string, days: readonly string[]): Promise<void> {
    for (const { table, touched, select } of SKETCHES) {
      await engine.command(`ALTER TABLE ${table} DELETE WHERE site = {site:String} AND ${touched}`, { site, days });
      // Without deduplication: run twice, after an interruption, the insert would be dropped as a repeated one.
      await engine.command(`INSERT INTO ${table} ${select} SETTINGS insert_deduplicate = 0`, { site, visitor, days });
    }
  }

  return {
    async forget(site, { visitor, uuid }) {
      const days = await engine.rows<{ date: string; count: number }>(
        `SELECT toString(day) AS date, count() AS count FROM events WHERE ${THEIRS} GROUP BY date ORDER BY date`,
        { site, visitor },
      );
      const [profile] = await engine.rows<{ count: number }>(
        'SELECT uniqExact(url) AS count FROM profile_visits WHERE site = {site:String} AND uuid = {uuid:String}',
        { site, uuid },
      );
      // The events last: by them an interrupted erasure finds again what is left to do.
      if (days.length > 0)
        await remakeSketches(
          site,
          visitor,
          days.map(({ date }) => date),
        );
      await engine.command(`ALTER TABLE visitors DELETE WHERE ${THEIRS}`, { site, visitor });
      await engine.command('ALTER TABLE profile_visits DELETE WHERE site = {site:String} AND uuid = {uuid:String}', {
        site,
        uuid,
      });
      await engine.command(`ALTER TABLE events UPDATE visitor = 0, key = 0 WHERE ${THEIRS}`, { site, visitor });
      return { events: days.reduce((sum, { count }) => sum + count, 0), visits: profile?.count ?? 0 };
    },
  };
}
