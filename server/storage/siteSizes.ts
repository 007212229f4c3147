// What each site has in the tables: rows, bytes, first and last day; and its rows' end, whatever stored them and when.
import type { SiteId } from '../sites/site.ts';
import { type Engine, serversOf } from './engine.ts';
import { LOCAL } from './schema/table.ts';
import { TABLES_WITH_SITES } from './sites.ts';
import type { PurgedTable, SiteSize, SiteSizeStore } from './store.ts';

/** Reads one short column of every table. */
const PATIENCE_SECONDS = 120;
/** Days in which the time of the last event is exact to the millisecond: the table is ordered by site and day. */
const RECENT = 'day >= yesterday() - 1';

export function createSiteSizeStore(engine: Engine): SiteSizeStore {
  return {
    async read(site) {
      const [counts, days, bytes] = await Promise.all([
        countRows(engine, site),
        readDays(engine, site),
        bytesPerRow(engine),
      ]);
      const sizes = new Map<string, SiteSize>();
      for (const { name, site: id, rows } of counts) {
        const size = sizes.get(id) ?? {
          site: id,
          tables: [],
          rows: 0,
          bytes: 0,
          first: null,
          last: null,
          ...days.get(id),
        };
        const table = { table: name, rows, bytes: Math.round(rows * (bytes.get(name) ?? 0)) };
        size.tables.push(table);
        size.rows += table.rows;
        size.bytes += table.bytes;
        sizes.set(id, size);
      }
      for (const { tables } of sizes.values()) tables.sort((a, b) => b.bytes - a.bytes || (a.table < b.table ? -1 : 1));
      return [...sizes.values()].sort((a, b) => b.bytes - a.bytes || (a.site < b.site ? -1 : 1));
    },

    async lastEvents() {
      const [days, times] = await Promise.all([
        engine.rows<{ name: string; last: string }>(
          'SELECT toString(site) AS name, toString(max(day)) AS last FROM post_days GROUP BY name',
        ),
        engine.rows<{ name: string; last: number }>(
          `SELECT toString(site) AS name, max(time) AS last FROM events WHERE ${RECENT} GROUP BY name`,
        ),
      ]);
      const exact = times.map(({ name, last }) => [name, new Date(Number(last)).toISOString()] as const);
      return new Map([...days.map(({ name, last }) => [name, last] as const), ...exact]);
    },

    async purge(site: SiteId) {
      const purged: PurgedTable[] = [];
      // The site's own row last: an interrupted removal can be seen and repeated.
      const counts = (await countRows(engine, site)).sort(
        (a, b) => Number(a.name === 'sites') - Number(b.name === 'sites'),
      );
      for (const { name, rows } of counts) {
        await engine.command(`ALTER TABLE ${name} DELETE WHERE site = {site:String}`, { site });
        purged.push({ table: name, rows });
      }
      return purged;
    },
  };
}

/** Average of a table on the servers that are there: copies of a shard change nothing about it. */
async function bytesPerRow(engine: Engine): Promise<Map<string, number>> {
  const found = await Promise.all(
    serversOf(engine).map((server) =>
      server.rows<{ name: string; rows: number; bytes: number }>(
        `SELECT replaceRegexpOne(table, '${LOCAL}$', '') AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes
         FROM system.parts WHERE active AND database = currentDatabase() GROUP BY name`,
      ),
    ),
  );
  const sums = new Map<string, { rows: number; bytes: number }>();
  for (const { name, rows, bytes } of found.flat()) {
    const sum = sums.get(name) ?? { rows: 0, bytes: 0 };
    sums.set(name, { rows: sum.rows + Number(rows), bytes: sum.bytes + Number(bytes) });
  }
  return new Map([...sums].map(([name, { rows, bytes }]) => [name, rows === 0 ? 0 : bytes / rows]));
}

async function countRows(engine: Engine, site?: string): Promise<{ name: string; site: string; rows: number }[]> {
  const only = site === undefined ? '' : 'WHERE site = {site:String}';
  const counts = TABLES_WITH_SITES.map(
    (table) => `SELECT '${table}' AS name, toString(site) AS site, count() AS rows FROM ${table} ${only} GROUP BY site`,
  );
  return engine.rows(counts.join('\nUNION ALL\n'), { site: site ?? '' }, { maxSeconds: PATIENCE_SECONDS });
}

async function readDays(engine: Engine, site?: string) {
  const only = site === undefined ? '' : 'WHERE site = {site:String}';
  const sql = `SELECT toString(site) AS name, toString(min(day)) AS first, toString(max(day)) AS last FROM events ${only} GROUP BY name`;
  const rows = await engine.rows<{ name: string; first: string; last: string }>(
    sql,
    { site: site ?? '' },
    { maxSeconds: PATIENCE_SECONDS },
  );
  return new Map(rows.map(({ name, first, last }) => [name, { first, last }]));
}
