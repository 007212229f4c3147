// Rows of one database into the tables of another one, partition by partition, through this process. Each piece is
// compared before it is put in place, and the whole afterwards.
import { randomUUID } from 'node:crypto';
import { onShard } from './clusterLayout.ts';
import type { Engine } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import { keeperOf, type Place, record, type Side, stepsOf } from './moveTarget.ts';
import { UNFINISHED_MOVE } from './schema/serverTables.ts';
import {
  createStage,
  type Digest,
  inPiece,
  nameOf,
  type Piece,
  piecesOf,
  putInPlace,
  type RowTable,
  readDigest,
} from './stage.ts';

/** Rows by table, those of one key counted once. */
export type MoveReport = Record<string, number>;

/** A slice of a part is in memory while it travels. */
const SLICE_BYTES = 32_000_000;
const SLICE_ROWS = 200_000;
/** The source merges its parts now and then, and a slice of one that is gone is missing. */
const ATTEMPTS = 3;

export interface Copying {
  source: Side;
  target: Side;
  now: () => number;
  /** Called with rows that were copied, of all there are. */
  progress: (rows: number, total: number, note: string) => void;
  /** Sentence for the operator, where something is not the same. */
  remedy: string;
  /** Aborted: nothing more is begun. Default: it continues to the end. */
  signal?: AbortSignal | undefined;
}

/**
 * Copies what an earlier run has not.
 * @throws {EngineOpenError} when something is not the same in both.
 */
export async function copyAll(moving: Copying): Promise<MoveReport> {
  const { source, target, now, progress, signal } = moving;
  const keeper = keeperOf(target);
  const copied = await stepsOf(keeper, 'copied');
  const pieces = await piecesOf(
    source.places.map(({ server }) => server),
    source.tables,
  );
  const total = pieces.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const piece of pieces) {
    signal?.throwIfAborted();
    progress(done, total, nameOf(piece));
    if (!copied.has(nameOf(piece))) {
      await copyPiece(moving, piece);
      await record(keeper, { step: 'copied', of: nameOf(piece), at: now() });
    }
    done += piece.rows;
  }
  progress(total, total, 'comparing');
  const report: MoveReport = {};
  for (const table of source.tables) report[table.name] = await compareWhole(moving, table);
  return report;
}

async function copyPiece({ source, target, remedy }: Copying, piece: Piece): Promise<void> {
  const table = target.tables.find(({ name }) => name === piece.table.name)!;
  for (let attempt = 1; ; attempt++) {
    for (const { server } of target.places) {
      await createStage(server, table);
      await server.command(`TRUNCATE TABLE ${table.stage}`);
    }
    for (const { server } of source.places) await copyFrom(server, { piece, table, to: target.places });
    const before = await digestOver(source, piece.table, piece.table.local, piece);
    const after = await digestOver(target, table, table.stage, piece);
    if (isSame(before, after)) break;
    if (attempt === ATTEMPTS) throw changed(table.name, { before, after, remedy });
  }
  for (const { server } of target.places) await putInPlace(server, table, piece.ids);
}

interface Slicing {
  piece: Piece;
  /** Of the target. */
  table: RowTable;
  to: readonly Place[];
}

async function copyFrom(server: Engine, { piece, table, to }: Slicing): Promise<void> {
  const columns = piece.table.columns.filter((column) => table.columns.includes(column));
  for (const slice of slicesOf(piece, await partsOf(server, piece))) {
    for (const place of to) {
      const own = place.at === undefined ? '1' : onShard(table.spread, place.at);
      const text = await server.lines(
        `SELECT ${columns.join(', ')} FROM ${piece.table.local} WHERE ${slice} AND ${own}`,
        {},
        { format: 'TabSeparated' },
      );
      const rows = { columns, text: Buffer.from(text.buffer, text.byteOffset, text.length) };
      await place.server.insert(table.stage, rows, randomUUID());
    }
  }
}

interface Part {
  name: string;
  rows: number;
  bytes: number;
}

async function partsOf(server: Engine, { table, ids }: Piece): Promise<Part[]> {
  const parts = await server.rows<Part>(
    `SELECT name, rows, data_uncompressed_bytes AS bytes FROM system.parts
     WHERE database = currentDatabase() AND table = {table:String} AND partition_id IN {ids:Array(String)} AND active AND rows > 0`,
    { table: table.local, ids },
  );
  return parts.map(({ name, rows, bytes }) => ({ name, rows: Number(rows), bytes: Number(bytes) }));
}

/** Conditions, each for so many rows as fit into memory: all of a small piece, else runs of rows of each part. */
function slicesOf(piece: Piece, parts: readonly Part[]): string[] {
  const sum = (field: 'rows' | 'bytes') => parts.reduce((total, part) => total + part[field], 0);
  if (sum('rows') === 0) return [];
  if (sum('rows') <= SLICE_ROWS && sum('bytes') <= SLICE_BYTES) return [inPiece(piece)];
  return parts.flatMap(({ name, rows, bytes }) => {
    const step = Math.max(1, Math.min(SLICE_ROWS, Math.floor(SLICE_BYTES / Math.max(1, bytes / rows))));
    const starts = Array.from({ length: Math.ceil(rows / step) }, (_, at) => at * step);
    return starts.map((from) => `_part = '${name}' AND _part_offset >= ${from} AND _part_offset < ${from + step}`);
  });
}

/** @returns Its rows. */
async function compareWhole({ source, target, remedy }: Copying, table: RowTable): Promise<number> {
  const { before, after } = await digestBoth({ source, target }, table);
  if (isSame(before, after)) return before.rows;
  await keeperOf(target).command(
    `ALTER TABLE ${UNFINISHED_MOVE.name} DELETE WHERE step = 'copied' AND startsWith(of, '${table.name}/')`,
  );
  throw changed(table.name, { before, after, remedy });
}

/**
 * Compares a table, or some partitions of it.
 * @returns Its rows.
 * @throws {EngineOpenError} when they are not the same.
 */
export async function compare(
  { source, target, remedy }: Pick<Copying, 'source' | 'target' | 'remedy'>,
  table: RowTable,
  ids?: readonly string[],
): Promise<number> {
  const { before, after } = await digestBoth({ source, target }, table, ids);
  if (!isSame(before, after)) throw changed(table.name, { before, after, remedy });
  return before.rows;
}

async function digestBoth(
  { source, target }: Pick<Copying, 'source' | 'target'>,
  table: RowTable,
  ids?: readonly string[],
): Promise<{ before: Digest; after: Digest }> {
  const counterpart = target.tables.find(({ name }) => name === table.name)!;
  const piece = (side: RowTable) => (ids === undefined ? undefined : { table: side, ids: [...ids], rows: 0 });
  const [before, after] = await Promise.all([
    digestOver(source, table, table.local, piece(table)),
    digestOver(target, counterpart, counterpart.local, piece(counterpart)),
  ]);
  return { before, after };
}

/**
 * Over all shards: roll-ups of one key may be on several, where they were made before rows were spread anew and after.
 */
function digestOver({ engine }: Side, table: RowTable, local: string, piece?: Piece): Promise<Digest> {
  const { cluster } = engine;
  const from = cluster === undefined ? local : `cluster('${cluster.cluster}', currentDatabase(), '${local}')`;
  return readDigest(engine, table, from, piece);
}

const isSame = (before: Digest, after: Digest) => before.rows === after.rows && before.hash === after.hash;

interface Difference {
  before: Digest;
  after: Digest;
  remedy: string;
}

const changed = (table: string, { before, after, remedy }: Difference) =>
  new EngineOpenError(
    `The table ${table} has ${before.rows} rows, and ${after.rows} came out, or not the same: something writes to it. ${remedy}`,
  );
