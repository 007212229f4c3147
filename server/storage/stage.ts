// Rows on their way to another server or shard: written into a table beside their own, compared with what they were
// copied from, and put in place as whole partitions. So no materialised view counts them again, an interruption leaves
// nothing half, and a step that is repeated replaces what it did.
import type { Engine } from './engine.ts';
import { COPIES_TABLE, KEPT, OF_EACH_SERVER } from './layout.ts';

/** A table with rows, as it is on one server. */
export interface RowTable {
  /** The name everybody uses. */
  name: string;
  /** The name it has on a server of its own. */
  kept: string;
  stage: string;
  /** Columns that are written; those computed are not. */
  columns: string[];
  /** `toYYYYMM(day)`; empty for a table in one piece. */
  partition: string;
  create: string;
  digest: string;
  /** A hash of what stands in a row. */
  hash: string;
  /** Hash that says on which shard of a cluster a row is. */
  spread: string;
}

interface TableRow {
  name: string;
  engine: string;
  engine_full: string;
  partition_key: string;
  sorting_key: string;
  create_table_query: string;
}

interface Column {
  name: string;
  type: string;
  default_kind: string;
}

export const STAGE = 'stage_';
/** Of a database that is being moved while it is in use; it goes first, for without it the rest means nothing. */
export const CUT_TABLE = `${STAGE}cut`;
const NO_DATA: ReadonlySet<string> = new Set([...OF_EACH_SERVER, COPIES_TABLE, COPIES_TABLE + KEPT]);
/** Erased by the engine days after it was written, at a time of its choice. */
const PASSING: Record<string, string[]> = { events: ['key'] };
/** Rows that expire within these hours may be gone on one side before they are compared. */
const GRACE_HOURS = 2;

/** Every table whose rows are data, with what is known of it. */
export async function rowTables(server: Engine): Promise<RowTable[]> {
  const rows = await server.rows<TableRow>(
    `SELECT name, engine, engine_full, partition_key, sorting_key, create_table_query FROM system.tables
     WHERE database = currentDatabase() AND (engine LIKE '%MergeTree' OR engine = 'Distributed') ORDER BY name`,
  );
  const distributed = new Map(rows.filter(({ engine }) => engine === 'Distributed').map((row) => [row.name, row]));
  const kept = rows.filter(
    ({ name, engine }) => engine !== 'Distributed' && !NO_DATA.has(name) && !name.startsWith(STAGE),
  );
  return await Promise.all(
    kept.map(async (table) => {
      const columns = await server.rows<Column>(
        `SELECT name, type, default_kind FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position`,
        { table: table.name },
      );
      return toRowTable(table, columns, distributed);
    }),
  );
}

function toRowTable(table: TableRow, all: readonly Column[], distributed: ReadonlyMap<string, TableRow>): RowTable {
  const name = table.name.endsWith(KEPT) ? table.name.slice(0, -KEPT.length) : table.name;
  const columns = all.filter(({ default_kind: kind }) => kind !== 'MATERIALIZED' && kind !== 'ALIAS');
  const key = /_local', (.+)\)$/.exec(distributed.get(name)?.engine_full ?? '')?.[1];
  const byPost = all.some((column) => column.name === 'post') ? 'site, post' : table.sorting_key;
  return {
    name,
    kept: table.name,
    stage: STAGE + name,
    columns: columns.map((column) => column.name),
    partition: table.partition_key,
    create: table.create_table_query,
    digest: digestOf(
      table,
      columns.filter((column) => !PASSING[name]?.includes(column.name)),
    ),
    hash: `sipHash64(${hashed(columns)})`,
    spread: key ?? `sipHash64(${byPost})`,
  };
}

/**
 * A number of rows and a sum of hashes, the same however rows of one key have been merged, and in whichever order they
 * lie. `{from}` stands for the table.
 */
function digestOf(table: TableRow, columns: readonly Column[]): string {
  const where = `WHERE ${livingRows(table.create_table_query)}`;
  const kind = table.engine.replace('Replicated', '');
  if (kind === 'MergeTree') {
    return `SELECT count() AS rows, toString(sum(sipHash64(${hashed(columns)}))) AS hash FROM {from} ${where}`;
  }
  const keys = table.sorting_key.split(', ');
  const values = columns.filter(({ name }) => !keys.includes(name));
  const merged =
    kind === 'ReplacingMergeTree'
      ? [newestOf(table, values)]
      : values.map((column) => mergedOf(column)).filter(Boolean);
  return `SELECT count() AS rows, toString(sum(sipHash64(${[...keys, ...merged.map((_, at) => `v${at}`)].join(', ')}))) AS hash
    FROM (SELECT ${[...keys, ...merged.map((sql, at) => `${sql} AS v${at}`)].join(', ')} FROM {from} ${where} GROUP BY ${keys.join(', ')})`;
}

/** A hash of NULL is NULL, and a sum leaves it out. */
const hashed = (columns: readonly Column[]) =>
  columns
    .map(({ name, type }) => (type.startsWith('Nullable') ? `ifNull(toString(${name}), 'NULL')` : name))
    .join(', ');

/** The row of the highest version, as a hash. */
function newestOf({ engine_full: full }: TableRow, values: readonly Column[]): string {
  const hash = values.length === 0 ? '0' : `sipHash64(${hashed(values)})`;
  const [version] = (/^\w+\(([^)]*)\)/.exec(full)?.[1] ?? '').split(', ').filter((word) => /^\w+$/.test(word));
  return version === undefined ? `max(${hash})` : `max((${version}, ${hash})).2`;
}

function mergedOf({ name, type }: Column): string {
  const state = /^AggregateFunction\((\w+)(\([^)]*\))?,/.exec(type);
  if (state !== null) return `${state[1]}Merge${state[2] ?? ''}(${name})`;
  const simple = /^SimpleAggregateFunction\((\w+),/.exec(type)?.[1];
  return `${simple ?? 'sum'}(${name})`;
}

function livingRows(create: string): string {
  const expires = / TTL (.+?)(?: SETTINGS |$)/s.exec(create.slice(create.indexOf('ENGINE = ')))?.[1];
  return expires === undefined ? '1' : `toDateTime(${expires}) > now() + INTERVAL ${GRACE_HOURS} HOUR`;
}

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
    for (const one of found.flat().filter((each) => each.table === table.kept))
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
  table.partition === '' ? '1' : `toString(${table.partition}) IN (${ids.map((id) => `'${id}'`).join(', ')})`;

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

/** Rows wait there until all are; they neither expire nor copy themselves to other servers of the shard. */
export async function createStage(server: Engine, { create, stage }: RowTable): Promise<void> {
  const plain = create
    .replace(/^CREATE TABLE \S+/, `CREATE TABLE IF NOT EXISTS ${stage}`)
    .replace(/ENGINE = Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/, 'ENGINE = $1(');
  const engineAt = plain.indexOf('ENGINE = ');
  const kept = plain.slice(engineAt).replace(/ TTL .+?( SETTINGS |$)/s, '$1');
  await server.command(plain.slice(0, engineAt) + kept);
}

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
        ? `ALTER TABLE ${table.kept} REPLACE PARTITION ID '${id}' FROM ${table.stage}`
        : `ALTER TABLE ${table.kept} DROP PARTITION ID '${id}'`,
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
