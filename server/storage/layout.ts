// What becomes of a statement on a cluster. Everything else in storage/ is written for one server; a statement that
// changes a table is turned here into one that changes the local table of each shard.
import { SERVER_TABLES } from './schema/serverTables.ts';
import { LOCAL } from './schema/table.ts';

const OF_EACH_SERVER: ReadonlySet<string> = new Set(SERVER_TABLES.map(({ name }) => name));

/**
 * The statements one server of a cluster needs for what is one statement elsewhere.
 * @throws {Error} for a kind of statement that storage/ does not use: better than one that changes half of a cluster.
 */
export function toClusterStatements(sql: string): string[] {
  const table = /^\s*(?:CREATE TABLE IF NOT EXISTS|ALTER TABLE|INSERT INTO) (\w+)/.exec(sql)?.[1];
  if (table !== undefined && OF_EACH_SERVER.has(table)) return [sql];
  if (/^\s*ALTER TABLE/.test(sql) && table !== undefined) {
    const local = sql.replace(table, table + LOCAL);
    // The distributed table has columns and their types, too, but no rows, parts, order or indexes.
    const ofColumns = /^\s*ALTER TABLE \w+ (?:ADD COLUMN|MODIFY COLUMN \w+\s+Enum8)/.test(sql);
    return ofColumns ? [local, sql.replace(/, MODIFY ORDER BY .*$/s, '')] : [local];
  }
  // Of a database as it stands on one server, with all that is laid out there.
  if (/^\s*(?:DROP VIEW|BACKUP TABLE|RESTORE DATABASE)/.test(sql)) return [sql];
  const dropped = /^\s*DROP TABLE IF EXISTS (\w+)/.exec(sql)?.[1];
  if (dropped !== undefined) return [sql, sql.replace(dropped, dropped + LOCAL)];
  if (/^\s*INSERT INTO \w+\s+SELECT/.test(sql) && table !== undefined) {
    return [readingLocal(sql.replace(table, table + LOCAL))];
  }
  throw new Error(`Not a statement for a cluster: ${sql.trim().slice(0, 60)} …`);
}

/** A shard reads its local tables; columns may still be qualified with the name of the distributed table. */
const readingLocal = (sql: string) =>
  sql.replace(/\bFROM (\w+)/g, (_, table: string) => `FROM ${table}${LOCAL} AS ${table}`);
