// Inserts raw events. traffic/ compiles the queries that read them.
import type { Logger } from 'pino';
import { MAX_APP_EVENT_AGE_MS } from '../contract/limits.ts';
import { DAY } from '../durations.ts';
import { areReports, byTable } from '../ingest/queue/byTable.ts';
import { UnwritableRowsError } from '../ingest/queue/unwritable.ts';
import { withoutDamagedParts } from './damage.ts';
import type { Engine } from './engine.ts';
import { engineCode } from './errors.ts';
import { createLineWriter, EVENT_COLUMNS, toEventLines } from './eventLine.ts';
import { toListRows } from './listLines.ts';
import { compileRecentNames, RECENT } from './recentNames.ts';
import type { EventStore } from './store.ts';

/**
 * Codes that concern the rows and not the engine: text, number, date, enum or JSON that cannot be read. Every other
 * failure (memory, disk, connection, too many parts) passes; so does data that ends in the middle (33), as it does
 * where a server of a cluster dies while it is spoken to.
 */
const REFUSALS_OF_DATA = new Set([6, 25, 26, 27, 38, 41, 53, 69, 70, 72, 117, 130, 131, 321, 349, 467, 691]);

const RECENTLY_MS = 2 * DAY;

/** @param log Given where a start continues without the parts it cannot read. Default: it fails. */
export function createEventStore(engine: Engine, log?: Logger): EventStore {
  const atStart = <T>(question: () => Promise<T>, table: string) =>
    log === undefined ? question() : withoutDamagedParts(question, { engine, table, log });

  const store: EventStore = {
    columns: EVENT_COLUMNS,
    writeLine: createLineWriter(),

    async append(rows, token) {
      for (const { lines, suffix } of byTable({ columns: EVENT_COLUMNS, text: toEventLines(rows) }))
        await store.appendLines(lines, token + suffix);
    },

    async appendLines(lines, token) {
      try {
        // Each view groups by the key of its roll-up. Looking for more to merge would be a tenth of the insert.
        if (areReports(lines)) await engine.insert('ledger', await toListRows(lines), token, { grouped: true });
        else await engine.insert('events', lines, token, { grouped: true });
      } catch (error) {
        if (!REFUSALS_OF_DATA.has(engineCode(error) ?? 0)) throw error;
        throw new UnwritableRowsError('The engine refuses these events for what is in them.', { cause: error });
      }
    },

    async recentKeys({ now, limit }) {
      const since = (start: number, table: 'events' | 'ledger') =>
        atStart(
          () =>
            engine.rows<{ key: string; time: number }>(
              `SELECT toString(${table}.key) AS key, time FROM ${table} WHERE ${RECENT} AND ${table}.key != 0
               ORDER BY time DESC LIMIT {limit:UInt32}`,
              { since: start, limit },
            ),
          table,
        );
      const both = async (start: number) => {
        const rows = await Promise.all([since(start, 'events'), since(start, 'ledger')]);
        return rows.flat().sort((one, other) => other.time - one.time);
      };
      const newest = await both(now - RECENTLY_MS);
      // Where there is room, those of apps too, which came later than they happened.
      const rows = newest.length < limit ? await both(now - MAX_APP_EVENT_AGE_MS - DAY) : newest;
      const keys = rows.slice(0, limit).map((row) => row.key);
      return keys.reverse();
    },

    recentNames({ kind, now, limit }) {
      const { table, sql } = compileRecentNames(kind);
      return atStart(() => engine.rows(sql, { since: now - RECENTLY_MS, limit }), table);
    },
  };
  return store;
}
