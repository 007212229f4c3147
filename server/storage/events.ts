// Raw events going in. Reading them is traffic's part.
import type { EventRow } from '../ingest/eventRow.ts';
import type { Engine } from './engine.ts';
import type { EventStore } from './store.ts';

const DAY_MS = 24 * 3600 * 1000;

export function createEventStore(engine: Engine): EventStore {
  return {
    append: (rows, token) => engine.insert('events', rows.map(toColumns), token),

    async recentKeys({ now, limit }) {
      // Days are counted in zones that differ by up to a day; `time` alone would read every part.
      const rows = await engine.rows<{ key: string }>(
        `SELECT toString(key) AS key FROM events
         WHERE day >= toDate(fromUnixTimestamp64Milli({since:Int64}, 'UTC')) - 1 AND time >= {since:Int64} AND events.key != 0
         ORDER BY time DESC LIMIT {limit:UInt32}`,
        { since: now - 2 * DAY_MS, limit },
      );
      return rows.map((row) => row.key).reverse();
    },
  };
}

function toColumns(row: EventRow) {
  return {
    site: row.site,
    day: row.day,
    time: row.time,
    action: row.action,
    url: row.url,
    visitor: row.visitor,
    seconds: row.seconds,
    video: row.video,
    referrer_type: row.referrerType,
    referrer: row.referrer,
    referrer_url: row.referrerUrl,
    campaign_id: row.campaignId,
    campaign_medium: row.campaignMedium,
    campaign_source: row.campaignSource,
    campaign_content: row.campaignContent,
    campaign_term: row.campaignTerm,
    channel: row.channel,
    device: row.device,
    segments: row.segments,
    network: row.network,
    conversion_type: row.conversionType,
    conversion_label: row.conversionLabel,
    key: row.key ?? '0',
  };
}
