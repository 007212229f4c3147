// Tables that each server has for itself, also in a cluster: what it says of its schema and its place, and the markers
// of work that was begun on its database. Markers are created when that work begins, and dropped when it ends.
import type { Table } from './table.ts';

const OWN = { engine: 'MergeTree', ofEachServer: true } as const satisfies Partial<Table>;

/** The versions that the schema had: one row each, from the one it was created with. */
export const SCHEMA_VERSION: Table = {
  name: 'schema_version',
  columns: { version: 'UInt32', applied_at: 'UInt64' },
  ...OWN,
  orderBy: ['version'],
  inserts: 'durable',
};

/** Position of the server in the cluster, as its rows were spread. */
export const CLUSTER_LAYOUT: Table = {
  name: 'cluster_layout',
  columns: { shard: 'UInt32', weights: 'Array(UInt32)', changed_at: 'UInt64' },
  ...OWN,
  orderBy: ['changed_at'],
  inserts: 'durable',
};

/** It is there while the database is being restored. */
export const UNFINISHED_RESTORE: Table = {
  name: 'unfinished_restore',
  columns: { started: 'UInt64' },
  ...OWN,
  orderBy: ['started'],
  inserts: 'volatile',
};

const STEPS = { columns: { step: 'String', of: 'String', at: 'UInt64' }, orderBy: ['step', 'of'] } as const;

/** It is there while rows are spread anew over the shards. */
export const UNFINISHED_REBALANCE: Table = { name: 'unfinished_rebalance', ...STEPS, ...OWN, inserts: 'durable' };

/** It is there while the database is being filled from another one. */
export const UNFINISHED_MOVE: Table = { name: 'unfinished_move', ...STEPS, ...OWN, inserts: 'durable' };

/** It is there when the database was left for another one: its row says which. */
export const MOVED_TO: Table = {
  name: 'moved_to',
  columns: { to: 'String', at: 'UInt64' },
  ...OWN,
  orderBy: ['at'],
  inserts: 'durable',
};

export const SERVER_TABLES: readonly Table[] = [
  SCHEMA_VERSION,
  CLUSTER_LAYOUT,
  UNFINISHED_RESTORE,
  UNFINISHED_REBALANCE,
  UNFINISHED_MOVE,
  MOVED_TO,
];
