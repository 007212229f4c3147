// Rows on their way to another server or shard: written into a table beside their own, compared with what they were
// copied from, and put in place as whole partitions. So no materialised view counts them again, an interruption leaves
// nothing half, and a step that is repeated replaces what it did.
import type { Engine } from './engine.ts';
import { COPIES } from './schema/records.ts';
import { SCHEMA } from './schema/schema.ts';
import { createTable, hashOf } from './schema/statements.ts';
import { type Column, columnsOf, isInserted, LOCAL, partitionOf, shardingOf, type Table } from './schema/table.ts';

/** A table with rows, as it is on one server. */
export interface RowTable {
  /** The name that queries use. */
  name: string;
  /** The name of the table that has the rows of a server. */
  local: string;
  stage: string;
  /** Columns that are written; those computed are not. */
  columns: string[];
  /** `toYYYYMM(day)`; undefined for a table in one piece. */
  partition: string | undefined;
  inserts: Table['inserts'];
  /** Creates the stage: rows wait there until all are; they neither expire nor copy themselves to other servers. */
  create(stage: string): string;
  digest: string;
  /** A hash of what stands in a row. */
  hash: string;
  /** Hash that says on which shard of a cluster a row is. */
  spread: string;
}

type NamedColumn = { name: string } & Column;

export const STAGE = 'stage_';
/**
 * Of a database that is being moved while it is in use; it is dropped first: without it, the other tables are ignored.
 */
export const CUT_TABLE = `${STAGE}cut`;
/** Rows that the database itself removes within these hours may be gone on one side before they are compared. */
const GRACE_HOURS = 2;

/** Every table whose rows are data. */
export function rowTables({ cluster }: Pick<Engine, 'cluster'>): RowTable[] {
  const ending = cluster === undefined ? '' : LOCAL;
  return SCHEMA.tables.filter((table) => table !== COPIES).map((table) => toRowTable(table, table.name + ending));
}

function toRowTable(table: Table, local: string): RowTable {
  const { name, inserts, orderBy } = table;
  const columns = columnsOf(table).filter(isInserted);
  return {
    name,
    local,
    stage: STAGE + name,
    columns: columns.map((column) => column.name),
    partition: partitionOf(table),
    inserts,
    create: (stage) => createTable(table, { name: stage, forever: true }),
    digest: digestOf(
      table,
      // A value that the engine erases does so at a time of its choice.
      columns.filter(({ ttl }) => ttl === undefined),
    ),
    hash: `sipHash64(${hashed(columns)})`,
    spread: hashOf(shardingOf(table) ?? ('post' in table.columns ? ['site', 'post'] : orderBy)),
  };
}

/**
 * A number of rows and a sum of hashes, the same however rows of one key have been merged, and in whichever order they
 * lie. `{from}` stands for the table.
 */
function digestOf(table: Table, columns: readonly NamedColumn[]): string {
  const where = `WHERE ${livingRows(table)}`;
  if (table.engine === 'MergeTree') {
    return `SELECT count() AS rows, toString(sum(sipHash64(${hashed(columns)}))) AS hash FROM {from} ${where}`;
  }
  const keys = table.orderBy;
  const values = columns.filter(({ name }) => !keys.includes(name));
  const merged = table.engine === 'ReplacingMergeTree' ? [newestOf(table, values)] : values.map(mergedOf);
  return `SELECT count() AS rows, toString(sum(sipHash64(${[...keys, ...merged.map((_, at) => `v${at}`)].join(', ')}))) AS hash
    FROM (SELECT ${[...keys, ...merged.map((sql, at) => `${sql} AS v${at}`)].join(', ')} FROM {from} ${where} GROUP BY ${keys.join(', ')})`;
}

/** A hash of NULL is NULL, and a sum leaves it out. */
const hashed = (columns: readonly NamedColumn[]) =>
  columns
    .map(({ name, type }) => (type.startsWith('Nullable') ? `ifNull(toString(${name}), 'NULL')` : name))
    .join(', ');

/** The row of the highest version, as a hash. */
function newestOf({ versions: [version] = [] }: Table, values: readonly NamedColumn[]): string {
  const hash = values.length === 0 ? '0' : `sipHash64(${hashed(values)})`;
  return version === undefined ? `max(${hash})` : `max((${version}, ${hash})).2`;
}

function mergedOf({ name, type }: NamedColumn): string {
  const state = /^AggregateFunction\((\w+)(\([^)]*\))?,/.exec(type);
  if (state !== null) return `${state[1]}Merge${state[2] ?? ''}(${name})`;
  const simple = /^SimpleAggregateFunction\((\w+),/.exec(type)?.[1];
  return `${simple ?? 'sum'}(${name})`;
}

const livingRows = ({ ttl }: Table): string =>
  ttl === undefined ? '1' : `toDateTime(${ttl}) > now() + INTERVAL ${GRACE_HOURS} HOUR`;

export interface Digest {
  rows: number;
  hash: string;
}

/** A year of a large site is read in minutes. */
const MAX_DIGEST_SECONDS = 3_600;

/** Partitions of a table that travel together. */
export interface Piece {
  table: RowTable;
  /** As the engine names them. */
  ids: string[];
  rows: number;
}

/** Rows of a piece, about: a step costs the same for few rows as for many. */
const PIECE_ROWS = 1_000_000;

/** What there is to copy, the same pieces each time. @param servers One of each shard. */
export async function piecesOf(servers: readonly Engine[], tables: readonly RowTable[]): Promise<Piece[]> {
  const found = await Promise.all(
    servers.map((server) =>
      server.rows<{ table: string; id: string; number: number }>(
        `SELECT table, partition_id AS id, sum(rows) AS number FROM system.parts
         WHERE database = currentDatabase() AND active AND rows > 0 GROUP BY table, id`,
      ),
    ),
  );
  const pieces: Piece[] = [];
  for (const table of tables) {
    const rows = new Map<string, number>();
    for (const one of found.flat().filter((each) => each.table === table.local))
      rows.set(one.id, (rows.get(one.id) ?? 0) + Number(one.number));
    for (const id of [...rows.keys()].sort()) {
      const last = pieces.at(-1);
      if (last?.table === table && last.rows < PIECE_ROWS) {
        last.ids.push(id);
        last.rows += rows.get(id)!;
      } else pieces.push({ table, ids: [id], rows: rows.get(id)! });
    }
  }
  return pieces;
}

export const nameOf = ({ table, ids }: Piece): string => `${table.name}/${ids[0]}-${ids.at(-1)}`;

/** A condition that holds for rows of a piece. */
export const inPiece = ({ table, ids }: Piece): string =>
  table.partition === undefined ? '1' : `toString(${table.partition}) IN (${ids.map((id) => `'${id}'`).join(', ')})`;

/** @param from A table, or a table function. @param piece A part of it. Default: all. */
export async function readDigest(engine: Engine, table: RowTable, from: string, piece?: Piece): Promise<Digest> {
  const within = piece === undefined ? '1' : inPiece(piece);
  const sql = table.digest.replace('{from}', from).replace('WHERE ', `WHERE ${within} AND `);
  const [row] = await engine.rows<{ rows: number; hash: string }>(sql, {}, { maxSeconds: MAX_DIGEST_SECONDS });
  return { rows: Number(row!.rows), hash: row!.hash };
}

/** Partitions of a table on one server, by the id the engine gives them. */
export async function partitionsOf(server: Engine, table: string): Promise<string[]> {
  const rows = await server.rows<{ id: string }>(
    `SELECT DISTINCT partition_id AS id FROM system.parts
     WHERE database = currentDatabase() AND table = {table:String} AND active AND rows > 0 ORDER BY id`,
    { table },
  );
  return rows.map(({ id }) => id);
}

export const createStage = (server: Engine, { create, stage }: RowTable): Promise<void> =>
  server.command(create(stage));

/** @throws {Error} Without them, everything would be taken for empty. */
export async function requireStages(server: Engine, tables: readonly RowTable[]): Promise<void> {
  const rows = await server.rows<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, '${STAGE}')`,
  );
  const missing = tables.filter(({ stage }) => !rows.some(({ name }) => name === stage));
  if (missing.length > 0) throw new Error(`There is no table ${missing[0]!.stage}.`);
}

/** Puts what is staged in place of what is there, partition by partition. */
export async function putInPlace(server: Engine, table: RowTable, partitions: readonly string[]): Promise<void> {
  const staged = new Set(await partitionsOf(server, table.stage));
  for (const id of partitions) {
    await server.command(
      staged.has(id)
        ? `ALTER TABLE ${table.local} REPLACE PARTITION ID '${id}' FROM ${table.stage}`
        : `ALTER TABLE ${table.local} DROP PARTITION ID '${id}'`,
    );
  }
}

/** Views go before the tables they write to: without those, inserts into what the views read would fail. */
export async function dropStages(server: Engine, prefix: string = STAGE): Promise<void> {
  const rows = await server.rows<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, '${prefix}')
     ORDER BY name != '${CUT_TABLE}', engine != 'MaterializedView'`,
  );
  for (const { name } of rows) await server.command(`DROP TABLE IF EXISTS ${name} SYNC`);
}
