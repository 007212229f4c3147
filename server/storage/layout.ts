// Where rows are kept when several servers form a cluster. Everything else in storage/ is written for one server; this
// file says what becomes of each statement there: a table is kept under a name of its own on every shard, and the name
// everybody uses is a view over all of them (ClickHouse's Distributed engine), for reading and for writing.

/** Ends the name of a table that one shard keeps. */
export const KEPT = '_local';

/**
 * By what rows are spread. What belongs together is on one shard: a page's events, its roll-ups and its metadata, one
 * reader's profile, and all versions of one row, so that FINAL finds them: where nothing is said here, a table of
 * versions is spread by its order. No table is kept whole on one server, and none is copied to all.
 */
const SPREAD_BY: Record<string, string> = { events: '(site, url)', profile_visits: '(site, uuid)' };
const ORDER_OF_VERSIONS = /ENGINE = ReplacingMergeTree\b[\s\S]*?ORDER BY (\([^)]*\)|\w+)/;

/** A table that is there while a server's database is being restored. */
export const RESTORE_MARKER = 'unfinished_restore';

/** Position of each server in the cluster, as its rows were spread. */
export const LAYOUT_TABLE = 'cluster_layout';

/** A table that is there while rows are spread anew over the shards. */
export const REBALANCE_MARKER = 'unfinished_rebalance';

/** A table that is there while a database is being filled from another one. */
export const MOVE_MARKER = 'unfinished_move';

/** A table that is there when a database was left for another one: its row says which. */
export const MOVED_MARKER = 'moved_to';

/** Heartbeats: not worth keeping, and never copied. */
export const COPIES_TABLE = 'copies';

/** What a server says of itself, not of the data. */
export const OF_EACH_SERVER: ReadonlySet<string> = new Set([
  'migrations',
  LAYOUT_TABLE,
  RESTORE_MARKER,
  REBALANCE_MARKER,
  MOVE_MARKER,
  MOVED_MARKER,
]);

export interface ClusterLayout {
  /** As the servers' configuration has it. */
  cluster: string;
  /**
   * Tables copy themselves between the servers of a shard, which takes ClickHouse Keeper and the macros shard and
   * replica.
   */
  replicated: boolean;
}

/**
 * The statements one server of a cluster needs for what is one statement elsewhere.
 * @throws {Error} for a kind of statement that storage/ does not use: better than one that changes half of a cluster.
 */
export function toClusterStatements(sql: string, layout: ClusterLayout): string[] {
  const table = /^\s*(?:CREATE TABLE IF NOT EXISTS|ALTER TABLE|INSERT INTO) (\w+)/.exec(sql)?.[1];
  if (table !== undefined && OF_EACH_SERVER.has(table)) return [sql];
  if (/^\s*CREATE TABLE/.test(sql) && table !== undefined) {
    return [toKeptTable(sql, table, layout), overAllShards(sql, table, layout)];
  }
  if (/^\s*CREATE MATERIALIZED VIEW/.test(sql)) {
    return [readingKept(sql.replace(/ TO (\w+) AS/, (_, target: string) => ` TO ${target}${KEPT} AS`))];
  }
  if (/^\s*ALTER TABLE/.test(sql) && table !== undefined) {
    const kept = sql.replace(table, table + KEPT);
    // The view over the shards has columns and their types, too, but no rows, parts, order or indexes.
    const ofColumns = /^\s*ALTER TABLE \w+ (?:ADD COLUMN|MODIFY COLUMN \w+\s+Enum8)/.test(sql);
    return ofColumns ? [kept, sql.replace(/, MODIFY ORDER BY .*$/s, '')] : [kept];
  }
  // Of a database as it stands on one server, with all that is laid out there.
  if (/^\s*(?:DROP VIEW|BACKUP DATABASE|RESTORE DATABASE)/.test(sql)) return [sql];
  const dropped = /^\s*DROP TABLE IF EXISTS (\w+)/.exec(sql)?.[1];
  if (dropped !== undefined) return [sql, sql.replace(dropped, dropped + KEPT)];
  if (/^\s*INSERT INTO \w+\s+SELECT/.test(sql) && table !== undefined) {
    return [readingKept(sql.replace(table, table + KEPT))];
  }
  throw new Error(`Not a statement for a cluster: ${sql.trim().slice(0, 60)} …`);
}

/**
 * The same for a server that joins a shard whose tables have changed since that statement: it takes their columns as
 * they are by now. Later steps of the schema, which change them, then find nothing to do.
 * @returns undefined for what does not make a table that copies itself.
 */
export function toJoiningStatement(sql: string): string | undefined {
  const [, table, engine] =
    /^(\s*CREATE TABLE IF NOT EXISTS \w+) \([\s\S]*?\)(\s*ENGINE = Replicated[\s\S]*)$/.exec(sql) ?? [];
  return table === undefined || engine === undefined ? undefined : table + engine;
}

/** A shard reads what it keeps itself; columns may still be qualified with the name everybody uses. */
const readingKept = (sql: string) =>
  sql.replace(/\bFROM (\w+)/g, (_, table: string) => `FROM ${table}${KEPT} AS ${table}`);

function toKeptTable(sql: string, table: string, { replicated }: ClusterLayout): string {
  const kept = sql.replace(table, table + KEPT);
  if (!replicated) return kept;
  // Copies know each other by this path; a table that compares no contents here must not do so there.
  const window = kept.includes('non_replicated_deduplication_window') ? 10_000 : 0;
  return kept
    .replace(/\bENGINE = (\w*MergeTree)(?:\(([^)]*)\))?/, (_, engine: string, options: string | undefined) => {
      const path = [`'/clickhouse/tables/{shard}/{database}/{table}'`, `'{replica}'`, ...(options ? [options] : [])];
      return `ENGINE = Replicated${engine}(${path.join(', ')})`;
    })
    .replace(
      /\bSETTINGS /,
      `SETTINGS replicated_deduplication_window = ${window}, replicated_deduplication_window_seconds = 604800, `,
    );
}

function overAllShards(sql: string, table: string, { cluster }: ClusterLayout): string {
  const kept = table + KEPT;
  const by = SPREAD_BY[table] ?? ORDER_OF_VERSIONS.exec(sql)?.[1];
  // Roll-ups need none: each shard makes its own.
  const key = by === undefined ? '' : `, sipHash64(${by})`;
  return `CREATE TABLE IF NOT EXISTS ${table} AS ${kept} ENGINE = Distributed('${cluster}', currentDatabase(), '${kept}'${key})`;
}
