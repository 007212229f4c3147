// Removal of whole months that are older than a table keeps its rows. The tables have no TTL for it: the database would
// apply one as it opens, by whatever its clock shows then, and a clock that is a year ahead would cost a year.
import { addDays } from '../traffic/zone.ts';
import { type Engine, serversOf } from './engine.ts';
import { removeRows } from './retention.ts';
import { SCHEMA } from './schema/schema.ts';
import { keepOf, LOCAL, partitionOf, type Table } from './schema/table.ts';

export interface ExpiryStore {
  /** Whether rows are older than their table keeps them. @param today `YYYY-MM-DD`, a day that has ended everywhere. */
  isAnyExpired(today: string): Promise<boolean>;
  /** Days on which a site had views, in order, `YYYY-MM-DD`. */
  daysWithTraffic(): Promise<string[]>;
  /**
   * Removes whole months, of all sites.
   * @param today As above.
   * @param stop Once it is aborted, nothing more is begun, and what is under way is not waited for.
   * @returns Tables that had some.
   */
  removeExpired(today: string, stop?: AbortSignal): Promise<string[]>;
}

interface Kept {
  table: Table;
  days: number;
  /** Column with the day, or the Monday, since which they pass. */
  since: string;
}

const KEPT: readonly Kept[] = SCHEMA.tables.flatMap((table) => {
  const keep = keepOf(table);
  return keep === undefined ? [] : [{ table, ...keep }];
});

/** Months are dropped as partitions, without reading a row. */
const PARTITIONED = KEPT.filter(({ table }) => partitionOf(table) !== undefined);
/** Rewritten without those rows. */
const WHOLE = KEPT.filter(({ table }) => partitionOf(table) === undefined);

/** The first day whose month has one that is kept. */
const firstKept = ({ days }: Pick<Kept, 'days'>, today: string): string => `${addDays(today, 1 - days).slice(0, 7)}-01`;

export function createExpiryStore(engine: Engine): ExpiryStore {
  /** The expired partitions of a table on any server, as the engine names them: `202610`. */
  async function partitionsBefore({ table: { name } }: Kept, day: string): Promise<string[]> {
    const sql = `SELECT DISTINCT partition FROM system.parts
      WHERE database = currentDatabase() AND table IN ('${name}', '${name}${LOCAL}') AND active
        AND toUInt32OrZero(partition) < toYYYYMM({day:Date})`;
    const found = await Promise.all(
      serversOf(engine).map((server) => server.rows<{ partition: string }>(sql, { day })),
    );
    return [...new Set(found.flat().map(({ partition }) => partition))].sort();
  }

  async function hasRowsBefore({ table: { name }, since }: Kept, day: string): Promise<boolean> {
    const sql = `SELECT 1 FROM ${name} WHERE ${since} < {day:Date} LIMIT 1`;
    return (await engine.rows(sql, { day })).length > 0;
  }

  return {
    async isAnyExpired(today) {
      for (const kept of PARTITIONED)
        if ((await partitionsBefore(kept, firstKept(kept, today))).length > 0) return true;
      for (const kept of WHOLE) if (await hasRowsBefore(kept, firstKept(kept, today))) return true;
      return false;
    },

    async daysWithTraffic() {
      const rows = await engine.rows<{ date: string }>(
        'SELECT DISTINCT toString(day) AS date FROM site_days ORDER BY date',
      );
      return rows.map(({ date }) => date);
    },

    async removeExpired(today, stop) {
      const tables: string[] = [];
      for (const kept of PARTITIONED) {
        const { name } = kept.table;
        const months = await partitionsBefore(kept, firstKept(kept, today));
        if (stop?.aborted) return tables;
        for (const month of months) await engine.command(`ALTER TABLE ${name} DROP PARTITION ${month}`);
        if (months.length > 0) tables.push(name);
      }
      for (const kept of WHOLE) {
        const { name } = kept.table;
        const day = firstKept(kept, today);
        if (stop?.aborted) return tables;
        if (!(await hasRowsBefore(kept, day))) continue;
        await removeRows(engine, { table: name, where: `${kept.since} < {day:Date}`, params: { day } }, stop);
        tables.push(name);
      }
      return tables;
    },
  };
}
