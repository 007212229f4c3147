// Names of recent events, as the cardinality limits count them: what is stored is no new name after a start.
import type { NameKind } from '../ingest/cardinality/nameCardinality.ts';
import { EVENTS } from './schema/events.ts';
import { LEDGER_TOTALS, LIST_COLUMNS } from './schema/ledger.ts';
import { FACET_QUARTERS } from './schema/quarters.ts';

/** Days are counted in zones that differ by up to a day. */
const RECENT_DAYS = `day >= toDate(fromUnixTimestamp64Milli({since:Int64}, 'UTC')) - 1`;
/** Rows of events since a time. `time` alone would read every part. */
export const RECENT = `${RECENT_DAYS} AND time >= {since:Int64}`;

interface Source {
  table: string;
  /** SQL of the names of a row. */
  names: string;
  where: string;
  /** Column by which those seen last come first. */
  by: string;
}

const SOURCES: Readonly<Record<NameKind, Source>> = {
  pages: { table: EVENTS.name, names: '[url]', where: RECENT, by: 'time' },
  videos: {
    table: EVENTS.name,
    names: '[video]',
    where: `${RECENT} AND action IN ('videostart', 'vheartbeat')`,
    by: 'time',
  },
  labels: { table: FACET_QUARTERS.name, names: '[value, host]', where: RECENT_DAYS, by: 'quarter' },
  conversionLabels: {
    table: EVENTS.name,
    names: '[conversion_label]',
    where: `${RECENT} AND action = 'conversion'`,
    by: 'time',
  },
  listNames: {
    table: LEDGER_TOTALS.name,
    names: `[${Object.keys(LIST_COLUMNS).join(', ')}]`,
    where: RECENT_DAYS,
    by: 'day',
  },
};

/** @returns The table that has the names of a kind, and the SQL that reads them, at most `{limit}`. */
export function compileRecentNames(kind: NameKind): { table: string; sql: string } {
  const { table, names, where, by } = SOURCES[kind];
  const sql = `SELECT toString(site) AS site, toString(found) AS name FROM ${table} ARRAY JOIN ${names} AS found
    WHERE ${where} AND found != ''
    GROUP BY site, name ORDER BY max(${by}) DESC LIMIT {limit:UInt32}`;
  return { table, sql };
}
