// Raw events going out again, for an export: oldest first, in pieces small enough for memory.
import type { EventRow } from '../ingest/eventRow.ts';
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import type { EventArchive } from './store.ts';

/** Rows of one piece, about. */
const PIECE_ROWS = 5_000;

const COLUMNS = `site, toString(day) AS day, time, action, url, toString(visitor) AS visitor, seconds, video,
  referrer_type AS referrerType, referrer, referrer_host AS referrerHost, referrer_url AS referrerUrl, campaign_id AS campaignId,
  campaign_medium AS campaignMedium, campaign_source AS campaignSource, campaign_content AS campaignContent,
  campaign_term AS campaignTerm, channel, device, segments, network, conversion_type AS conversionType,
  conversion_label AS conversionLabel`;

interface Day {
  date: string;
  first: number;
  last: number;
  count: number;
}

export function createArchive(engine: Engine): EventArchive {
  const days = (site: SiteId, { from, to }: { from: number; to: number }) =>
    engine.rows<Day>(
      `SELECT toString(day) AS date, min(time) AS first, max(time) AS last, count() AS count FROM events
       WHERE site = {site:String} AND time >= {from:UInt64} AND time < {to:UInt64} GROUP BY day ORDER BY day`,
      { site, from, to },
    );

  const piece = (site: SiteId, of: { date: string; from: number; to: number }) =>
    engine.rows<EventRow>(
      `SELECT ${COLUMNS} FROM events
       WHERE site = {site:String} AND events.day = {date:Date} AND time >= {from:UInt64} AND time < {to:UInt64} ORDER BY time, post`,
      { site, ...of },
    );

  return {
    async *read(site, period) {
      for (const { date, first, last, count } of await days(site, period)) {
        const pieces = Math.ceil(count / PIECE_ROWS);
        const width = Math.max(1, Math.ceil((last + 1 - first) / pieces));
        for (let from = first; from <= last; from += width) {
          const rows = await piece(site, { date, from, to: Math.min(from + width, last + 1) });
          if (rows.length > 0) yield rows;
        }
      }
    },
  };
}
