// How a table is declared. Everything that concerns all tables reads the declarations: the statements that create them
// on one server and on a cluster, backups, moves, the removal of sites and visitors.
import { KEEP_DAYS } from '../../contract/limits.ts';

export interface Column {
  /** As ClickHouse names it. */
  type: string;
  /** SQL of the value where an inserted row has none. */
  default?: string;
  /** SQL of the value; inserted rows never have one. */
  materialized?: string;
  /** The same, computed when it is read, and not stored. */
  alias?: string;
  codec?: string;
  /** SQL of the time when the value is erased, before its row is. */
  ttl?: string;
}

/** A materialised view: fills a table from the rows that are inserted into another one. */
export interface View {
  name: string;
  /** Table whose inserts it reads. */
  from: string;
  arrayJoin?: string;
  /** In the order of the columns of the table it fills. */
  select: string;
  where?: string;
  groupBy: string;
}

/** What a backup counts, and a restore compares. */
export const COUNTS = ['sites', 'posts', 'aliases', 'events', 'views', 'visitors'] as const;

export interface Table {
  name: string;
  /** In order; a text is a type. */
  columns: Readonly<Record<string, string | Column>>;
  engine: 'MergeTree' | 'ReplacingMergeTree' | 'SummingMergeTree' | 'AggregatingMergeTree';
  /**
   * ReplacingMergeTree: the column of a row's version, and that of its removal. Default: the row inserted last is the
   * newest.
   */
  versions?: readonly string[];
  orderBy: readonly string[];
  /** Default: `orderBy`. */
  primaryKey?: readonly string[];
  /** Column with the day of a row, or the Monday of its week: its months are the partitions. Default: one partition. */
  period?: 'day' | 'week';
  /**
   * A row is removed when so many days have passed since the last one of the month that its column is in. Not by the
   * database, which removes by whatever its clock shows as it opens, but by the server, which doubts a clock that is
   * ahead. Default: 400 days since `period`; without one, `ttl`.
   */
  keep?: { days: number; since: string };
  /** SQL of the time when the database itself removes a row, of what can be missed. Default: never. */
  ttl?: string;
  /**
   * `durable`: an insert is answered when it is on the disk, and merged parts are synced. `once`: durable, and of
   * inserts with the same token only the first is stored; every target of a view needs its own window, or a repeated
   * batch counts twice there. Not for the small tables: without a token the engine compares contents, and "hide, show,
   * hide again" within a millisecond would lose the last one. `volatile`: nothing is synced.
   */
  inserts: 'once' | 'durable' | 'volatile';
  /** Further settings of the engine. */
  settings?: Readonly<Record<string, number>>;
  /**
   * Columns whose hash says on which shard of a cluster a row is. Default: those of the order, where rows have
   * versions, so that FINAL finds all of one row; else a shard keeps what its own views make.
   */
  shardBy?: readonly string[];
  /** Each server of a cluster has its own, with the rows that concern that server. Default: false. */
  ofEachServer?: true;
  /** The views that fill it. Default: none. */
  views?: readonly View[];
  /** What a backup counts of it. `sql`: default `count()`. */
  counted?: { as: (typeof COUNTS)[number]; sql?: string };
}

/** A cluster, as the tables are laid out for it. */
export interface ClusterLayout {
  /** As the servers' configuration has it. */
  cluster: string;
  /**
   * Tables copy themselves between the servers of a shard, which takes ClickHouse Keeper and the macros shard and
   * replica.
   */
  replicated: boolean;
}

/** Ends the name of a local table: the rows of one shard of a cluster. */
export const LOCAL = '_local';

/**
 * Type of a sketch of distinct visitors: error about 0.4 %; a set too small for a sketch is kept exactly. By 32 bits of
 * a hash, which of ten million visitors takes one in a thousand for another.
 */
export const VISITORS: Column = { type: 'AggregateFunction(uniqCombined(16), UInt64)', codec: 'ZSTD(1)' };

/** Of the visitors of an hour: error about 0.8 %, in a quarter of the bytes. */
export const HOUR_VISITORS: Column = { type: 'AggregateFunction(uniqCombined(14), UInt64)', codec: 'ZSTD(1)' };

export const columnsOf = ({ columns }: Table): ({ name: string } & Column)[] =>
  Object.entries(columns).map(([name, column]) => ({
    name,
    ...(typeof column === 'string' ? { type: column } : column),
  }));

/** Whether inserted rows have a value of the column. */
export const isInserted = ({ materialized, alias }: Column): boolean =>
  materialized === undefined && alias === undefined;

/** Several rows of one key become one by merging; sums and sketches of a day or a week. */
export const isRollUp = ({ engine, period }: Table): boolean => engine !== 'MergeTree' && period !== undefined;

/** Whether rows hold sketches of visitors, from which no single visitor can be removed. */
export const hasSketches = (table: Table): boolean =>
  columnsOf(table).some(({ type }) => type.startsWith('AggregateFunction(uniq'));

/** SQL of the partition of a row; undefined: the table has one. */
export const partitionOf = ({ period }: Table): string | undefined =>
  period === undefined ? undefined : `toYYYYMM(${period})`;

/** How long rows stay until the server removes them; undefined: it does not. */
export const keepOf = ({ period, keep }: Table): Table['keep'] =>
  keep ?? (period === undefined ? undefined : { days: KEEP_DAYS, since: period });

/** Columns whose hash says on which shard a row is; undefined: rows are inserted on the shard that made them. */
export const shardingOf = ({ shardBy, engine, orderBy }: Table): readonly string[] | undefined =>
  shardBy ?? (engine === 'ReplacingMergeTree' ? orderBy : undefined);
