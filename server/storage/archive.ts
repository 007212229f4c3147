// Reads raw events and reports of lists for an export: oldest first, in pieces small enough for memory.
import type { ItemSource } from '../contract/wire.ts';
import { blankRow, type EventRow } from '../ingest/eventRow.ts';
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';
import { SHIFT_UNITS, UNMEASURED } from './listLines.ts';
import type { EventArchive } from './store.ts';

/** Rows of one piece, about. */
const PIECE_ROWS = 5_000;

const OF_EVENTS = `site, toString(day) AS day, time, action, url, toString(visitor) AS visitor, seconds, video,
  referrer_type AS referrerType, referrer, referrer_host AS referrerHost, referrer_url AS referrerUrl, campaign_id AS campaignId,
  campaign_medium AS campaignMedium, campaign_source AS campaignSource, campaign_content AS campaignContent,
  campaign_term AS campaignTerm, channel, device, segments, network, conversion_type AS conversionType,
  conversion_label AS conversionLabel`;

const OF_LEDGER = `site, toString(day) AS day, time, 'list' AS action, url, toString(visitor) AS visitor,
  campaign_id AS campaignId, campaign_medium AS campaignMedium, campaign_source AS campaignSource,
  campaign_content AS campaignContent, campaign_term AS campaignTerm, channel, device, segments,
  (list, slot, layout, experiment, variant, shown) AS named, (shift, errors) AS measures, arrayZip(positions, urls, sources, seen, clicks, alternatives) AS items`;

const COLUMNS = { events: OF_EVENTS, ledger: OF_LEDGER };

/** A row of the ledger: of the fields of an event, those it has. */
interface LedgerRow extends Partial<EventRow> {
  site: SiteId;
  named: [list: string, slot: string, layout: string, experiment: string, variant: string, shown: number];
  measures: [shift: number, errors: number];
  items: [position: number, post: string, source: ItemSource, seen: number, clicks: number, alternative: number][];
}

function toEventRow({ named, measures, items, ...row }: LedgerRow): EventRow {
  const [list, slot, layout, experiment, variant, shown] = named;
  const [shift, errors] = measures;
  const found = items.map(([position, post, source, seen, clicks, alternative]) => ({
    ...{ position, post, source, clicks, alternative },
    seen: seen > 0,
  }));
  const measured = {
    ...(shift !== UNMEASURED && { shift: shift / SHIFT_UNITS }),
    ...(errors !== UNMEASURED && { errors }),
  };
  const lists = [{ list, slot, layout, experiment, variant, shown: shown > 0, ...measured, items: found }];
  return { ...blankRow(row.site), ...row, lists };
}

interface Day {
  table: keyof typeof COLUMNS;
  date: string;
  first: number;
  last: number;
  count: number;
}

export function createArchive(engine: Engine): EventArchive {
  const days = (site: SiteId, { from, to }: { from: number; to: number }) =>
    engine.rows<Day>(
      (['events', 'ledger'] as const)
        .map(
          (
            table,
          ) => `SELECT '${table}' AS table, toString(day) AS date, min(time) AS first, max(time) AS last, count() AS count
           FROM ${table} WHERE site = {site:String} AND time >= {from:UInt64} AND time < {to:UInt64} GROUP BY day`,
        )
        .join(' UNION ALL '),
      { site, from, to },
    );

  const piece = async (
    site: SiteId,
    { table, ...of }: { table: Day['table']; date: string; from: number; to: number },
  ) => {
    const rows = await engine.rows(
      `SELECT ${COLUMNS[table]} FROM ${table}
       WHERE site = {site:String} AND ${table}.day = {date:Date} AND time >= {from:UInt64} AND time < {to:UInt64} ORDER BY time, url`,
      { site, ...of },
    );
    return table === 'events' ? (rows as unknown as EventRow[]) : (rows as unknown as LedgerRow[]).map(toEventRow);
  };

  return {
    async *read(site, period) {
      const found = await days(site, period);
      found.sort((one, other) => compareTexts(one.date, other.date) || compareTexts(one.table, other.table));
      for (const { table, date, first, last, count } of found) {
        const pieces = Math.ceil(count / PIECE_ROWS);
        const width = Math.max(1, Math.ceil((last + 1 - first) / pieces));
        for (let from = first; from <= last; from += width) {
          const rows = await piece(site, { table, date, from, to: Math.min(from + width, last + 1) });
          if (rows.length > 0) yield rows;
        }
      }
    },
  };
}

const compareTexts = (one: string, other: string): number => Number(one > other) - Number(one < other);
