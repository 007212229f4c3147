// The SQL that creates the declared tables: on one server as they are; on a cluster each table under a name of its own
// on every shard, and under its own name a view over all shards (ClickHouse's Distributed engine), for reading and for
// writing. No table is kept whole on one server of a cluster, and none is copied to all.
import {
  type ClusterLayout,
  type Column,
  columnsOf,
  isRollUp,
  LOCAL,
  partitionOf,
  shardingOf,
  type Table,
  type View,
} from './table.ts';

/** Tokens of inserts that a table remembers. */
const WINDOW = 10_000;
const WINDOW_SECONDS = 7 * 24 * 3600;

type Settings = Record<string, number>;

const SYNCED_INSERTS: Settings = { fsync_after_insert: 1, fsync_part_directory: 1 };

/**
 * Parts that are merged are on the disk before those they were made of are removed: without this, they wait up to half
 * a minute for the operating system, and a power cut would take acknowledged rows.
 */
const SYNCED_MERGES: Settings = { min_rows_to_fsync_after_merge: 1 };

/**
 * A month without writes is merged into one part, so that each page's sums are in one row; without this bound the
 * engine merges only what has grown.
 */
const WHOLE_MONTHS: Settings = {
  min_age_to_force_merge_seconds: 86_400,
  min_age_to_force_merge_on_partition_only: 1,
};

interface HowToCreate {
  /** Default: its own. */
  name?: string;
  /** It copies itself between the servers of a shard. Default: it does not. */
  replicated?: boolean;
  /** Its rows never expire. Default: they do. */
  forever?: boolean;
}

/** Statements that create tables, then the views that fill them. Each is safe to repeat. */
export function createStatements(tables: readonly Table[], layout?: ClusterLayout): string[] {
  return [
    ...tables.flatMap((table) => createEverywhere(table, layout)),
    ...tables.flatMap((table) => (table.views ?? []).map((view) => createView(view, { table, layout }))),
  ];
}

function createEverywhere(table: Table, layout: ClusterLayout | undefined): string[] {
  if (layout === undefined || table.ofEachServer) return [createTable(table)];
  const local = table.name + LOCAL;
  const by = shardingOf(table);
  const key = by === undefined ? '' : `, ${hashOf(by)}`;
  return [
    createTable(table, { name: local, replicated: layout.replicated }),
    `CREATE TABLE IF NOT EXISTS ${table.name} AS ${local}
ENGINE = Distributed('${layout.cluster}', currentDatabase(), '${local}'${key})`,
  ];
}

/** As ClickHouse computes the shard of a row. */
export const hashOf = (columns: readonly string[]): string => `sipHash64(${tuple(columns)})`;

export function createTable(table: Table, { name = table.name, replicated, forever }: HowToCreate = {}): string {
  const columns = columnsOf(table).map((column) => `  ${describeColumn(column)}`);
  const partition = partitionOf(table);
  const ttl = forever ? undefined : table.ttl;
  const settings = Object.entries(settingsOf(table, replicated === true)).map((entry) => entry.join(' = '));
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (\n${columns.join(',\n')}\n)`,
    `ENGINE = ${engineOf(table, replicated === true)}`,
    ...(partition === undefined ? [] : [`PARTITION BY ${partition}`]),
    ...(table.primaryKey === undefined ? [] : [`PRIMARY KEY ${tuple(table.primaryKey)}`]),
    `ORDER BY ${tuple(table.orderBy)}`,
    ...(ttl === undefined ? [] : [`TTL ${ttl}`]),
    ...(settings.length === 0 ? [] : [`SETTINGS ${settings.join(', ')}`]),
  ].join('\n');
}

function createView(view: View, { table, layout }: { table: Table; layout: ClusterLayout | undefined }): string {
  const { name, from, select, arrayJoin, where, groupBy } = view;
  const local = layout === undefined ? '' : LOCAL;
  // Columns may be qualified with the name of the table.
  const source = layout === undefined ? from : `${from}${LOCAL} AS ${from}`;
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name} TO ${table.name}${local} AS`,
    `SELECT ${select}`,
    `FROM ${source}${arrayJoin === undefined ? '' : ` ARRAY JOIN ${arrayJoin}`}`,
    ...(where === undefined ? [] : [`WHERE ${where}`]),
    `GROUP BY ${groupBy}`,
  ].join('\n');
}

/** Servers of a shard know each other's copies by this path. */
const COPY_OF = [`'/clickhouse/tables/{shard}/{database}/{table}'`, `'{replica}'`];

function engineOf({ engine, versions = [] }: Table, replicated: boolean): string {
  const options = [...(replicated ? COPY_OF : []), ...versions];
  return `${replicated ? 'Replicated' : ''}${engine}${options.length === 0 ? '' : `(${options.join(', ')})`}`;
}

function settingsOf(table: Table, replicated: boolean): Settings {
  return {
    ...(table.inserts !== 'volatile' && replicated && replicatedWindow(table)),
    ...durabilityOf(table.inserts),
    // A part is rewritten once, when all values of the column have expired, and not for each of its days.
    ...(columnsOf(table).some(({ ttl }) => ttl !== undefined) && { ttl_only_drop_parts: 1 }),
    ...table.settings,
    ...(isRollUp(table) && WHOLE_MONTHS),
    ...(table.inserts !== 'volatile' && SYNCED_MERGES),
  };
}

/** A replicated table has a window of its own, which compares contents too unless it is closed. */
const replicatedWindow = ({ inserts }: Table): Settings => ({
  replicated_deduplication_window: inserts === 'once' ? WINDOW : 0,
  replicated_deduplication_window_seconds: WINDOW_SECONDS,
});

function durabilityOf(inserts: Table['inserts']): Settings {
  if (inserts === 'volatile') return {};
  return inserts === 'once' ? { ...SYNCED_INSERTS, non_replicated_deduplication_window: WINDOW } : SYNCED_INSERTS;
}

/** Settings of a table of other columns whose inserts are kept as those of a declared one. */
export const durabilitySql = (inserts: Table['inserts']): string =>
  Object.entries({ ...durabilityOf(inserts), ...SYNCED_MERGES })
    .map((entry) => entry.join(' = '))
    .join(', ');

function describeColumn(column: { name: string } & Column): string {
  const { name, type, default: value, materialized, alias, codec, ttl } = column;
  return [
    `${name} ${type}`,
    ...(value === undefined ? [] : [`DEFAULT ${value}`]),
    ...(materialized === undefined ? [] : [`MATERIALIZED ${materialized}`]),
    ...(alias === undefined ? [] : [`ALIAS ${alias}`]),
    ...(codec === undefined ? [] : [`CODEC(${codec})`]),
    ...(ttl === undefined ? [] : [`TTL ${ttl}`]),
  ].join(' ');
}

const tuple = (columns: readonly string[]) => (columns.length === 1 ? columns[0]! : `(${columns.join(', ')})`);
