// Everything of one database into another, empty one: the engine inside, a server, or a cluster, in either direction. Roll-ups are copied as
// they are, so that answers are the same to the last digit. Partition by partition, through this process; each is compared before it is
// put in place. A marker keeps the target closed until the end, and says what is done: broken off anywhere, the same command goes on.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { checkLayout, onShard, readPresentLayout, type StoredPlace } from './clusterLayout.ts';
import { connect, type EngineOptions } from './connect.ts';
import { refuseLiveCopies } from './copies.ts';
import type { Engine } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import { MOVE_MARKER } from './layout.ts';
import { DURABLE } from './migrations/0001-tables.ts';
import { migrations } from './migrations/index.ts';
import { migrate, pendingSteps } from './migrations/migrate.ts';
import { refuseUnfinishedRestore } from './restore.ts';
import {
  createStage,
  type Digest,
  dropStages,
  inPiece,
  nameOf,
  type Piece,
  piecesOf,
  putInPlace,
  type RowTable,
  readDigest,
  rowTables,
} from './stage.ts';

export interface MoveOptions {
  from: EngineOptions;
  /** Empty, or what an earlier run from the same source left. */
  to: EngineOptions;
  log: Logger;
  now: () => number;
  /** Called with rows that were copied, of all there are. */
  progress?: (rows: number, total: number, note: string) => void;
}

/** Rows by table, those of one key counted once. */
export type MoveReport = Record<string, number>;

/** A slice of a part is in memory while it travels. */
const SLICE_BYTES = 32_000_000;
const SLICE_ROWS = 200_000;
/** The source merges its parts now and then, and a slice of one that is gone is missing. */
const ATTEMPTS = 3;

interface Place {
  server: Engine;
  /** Undefined for one server, which has all rows. */
  at: StoredPlace | undefined;
}

interface Side {
  engine: Engine;
  /** One server of each shard. */
  places: Place[];
  tables: RowTable[];
}

interface Moving {
  source: Side;
  target: Side;
  now: () => number;
  progress: NonNullable<MoveOptions['progress']>;
}

/** @throws {EngineOpenError} when one of them cannot be used, the target is not empty, or the source is in use or changes meanwhile. */
export async function move({ from, to, log, now, progress = () => undefined }: MoveOptions): Promise<MoveReport> {
  const origin = await connect(from);
  try {
    const source = await openSource(origin);
    const destination = await connect(to);
    try {
      const target = await prepareTarget(destination, { log, now, source: await identityOf(origin) });
      const report = await copyAll({ source, target, now, progress });
      await finish(target);
      return report;
    } finally {
      await destination.close();
    }
  } finally {
    await origin.close();
  }
}

async function openSource(engine: Engine): Promise<Side> {
  for (const server of engine.servers ?? [engine]) await refuseUnfinishedRestore(server);
  await checkLayout(engine);
  for (const server of engine.servers ?? [engine]) {
    const pending = await pendingSteps(server, migrations);
    if (pending.length === migrations.length) throw new EngineOpenError('There is no database to move.');
    if (pending.length > 0)
      throw new EngineOpenError('The database to move is of an earlier version: run afterword migrate on it first.');
  }
  const places = await placesOf(engine);
  await refuseLiveCopies(places.map(({ server }) => server));
  return { engine, places, tables: await rowTables(places[0]!.server) };
}

async function placesOf(engine: Engine): Promise<Place[]> {
  if (engine.cluster === undefined) return [{ server: engine, at: undefined }];
  const { places, weights } = await readPresentLayout(engine.cluster);
  return weights.map((_, at) => ({
    server: places.find(({ shard }) => shard === at + 1)!.member,
    at: { shard: at + 1, weights },
  }));
}

/** The keys of an installation are made once. */
async function identityOf(engine: Engine): Promise<string> {
  const [row] = await engine.rows<{ id: string }>(
    `SELECT hex(SHA256(arrayStringConcat(arraySort(groupArray(secret))))) AS id FROM installation_keys`,
  );
  return row!.id;
}

interface Preparing {
  log: Logger;
  now: () => number;
  /** Of the source. */
  source: string;
}

async function prepareTarget(engine: Engine, { log, now, source }: Preparing): Promise<Side> {
  const members = engine.cluster?.members ?? [engine];
  for (const member of members) await requireEmptyOrBegun(member, source);
  for (const member of members) {
    await member.command(MARKER);
    await member.insert(MOVE_MARKER, [{ step: 'source', of: source, at: now() }]);
  }
  const record = await checkLayout(engine);
  await record(now());
  for (const server of engine.servers ?? [engine]) await migrate(server, migrations, { log, now });
  const places = await placesOf(engine);
  return { engine, places, tables: await rowTables(places[0]!.server) };
}

const MARKER = `CREATE TABLE IF NOT EXISTS ${MOVE_MARKER} (step String, of String, at UInt64)
  ENGINE = MergeTree ORDER BY (step, of) SETTINGS ${DURABLE}`;

async function requireEmptyOrBegun(member: Engine, source: string): Promise<void> {
  const names = await member.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  );
  if (names.length === 0) return;
  if (!names.some(({ name }) => name === MOVE_MARKER))
    throw new EngineOpenError(
      `The database to move to is not empty (it has ${names.length} tables): name an empty one.`,
    );
  if ([...(await stepsOf(member, 'source'))].some((of) => of !== source))
    throw new EngineOpenError(
      'Another installation is being moved into this database: finish that, or name an empty one.',
    );
}

async function stepsOf(member: Engine, step: string): Promise<Set<string>> {
  const sql = `SELECT of FROM ${MOVE_MARKER} WHERE step = {step:String}`;
  return new Set((await member.rows<{ of: string }>(sql, { step })).map(({ of }) => of));
}

async function copyAll(moving: Moving): Promise<MoveReport> {
  const { source, target, now, progress } = moving;
  const keeper = target.places[0]!.server;
  const copied = await stepsOf(keeper, 'copied');
  const pieces = await piecesOf(
    source.places.map(({ server }) => server),
    source.tables,
  );
  const total = pieces.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const piece of pieces) {
    progress(done, total, nameOf(piece));
    if (!copied.has(nameOf(piece))) {
      await copyPiece(moving, piece);
      await keeper.insert(MOVE_MARKER, [{ step: 'copied', of: nameOf(piece), at: now() }]);
    }
    done += piece.rows;
  }
  progress(total, total, 'comparing');
  const report: MoveReport = {};
  for (const table of source.tables) report[table.name] = await compareWhole(moving, table);
  return report;
}

async function copyPiece(moving: Moving, piece: Piece): Promise<void> {
  const { source, target } = moving;
  const table = target.tables.find(({ name }) => name === piece.table.name)!;
  for (let attempt = 1; ; attempt++) {
    for (const { server } of target.places) {
      await createStage(server, table);
      await server.command(`TRUNCATE TABLE ${table.stage}`);
    }
    for (const { server } of source.places) await copyFrom(server, { piece, table, to: target.places });
    const before = await readDigest(source.engine, piece.table, piece.table.name, piece);
    const staged = await Promise.all(target.places.map(({ server }) => readDigest(server, table, table.stage, piece)));
    if (isSame(before, staged)) break;
    if (attempt === ATTEMPTS) throw changed(table.name, before, staged);
  }
  for (const { server } of target.places) await putInPlace(server, table, piece.ids);
}

interface Copying {
  piece: Piece;
  /** Of the target. */
  table: RowTable;
  to: readonly Place[];
}

async function copyFrom(server: Engine, { piece, table, to }: Copying): Promise<void> {
  const columns = piece.table.columns.filter((column) => table.columns.includes(column));
  for (const slice of slicesOf(piece, await partsOf(server, piece))) {
    for (const place of to) {
      const own = place.at === undefined ? '1' : onShard(table.spread, place.at);
      const text = await server.lines(
        `SELECT ${columns.join(', ')} FROM ${piece.table.kept} WHERE ${slice} AND ${own}`,
        {},
        'TabSeparated',
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
    { table: table.kept, ids },
  );
  return parts.map(({ name, rows, bytes }) => ({ name, rows: Number(rows), bytes: Number(bytes) }));
}

/** Conditions, each for so many rows as fit into memory: all of a small piece, else runs of rows of each part. */
function slicesOf(piece: Piece, parts: readonly Part[]): string[] {
  const sum = (of: 'rows' | 'bytes') => parts.reduce((total, part) => total + part[of], 0);
  if (sum('rows') === 0) return [];
  if (sum('rows') <= SLICE_ROWS && sum('bytes') <= SLICE_BYTES) return [inPiece(piece)];
  return parts.flatMap(({ name, rows, bytes }) => {
    const step = Math.max(1, Math.min(SLICE_ROWS, Math.floor(SLICE_BYTES / Math.max(1, bytes / rows))));
    const starts = Array.from({ length: Math.ceil(rows / step) }, (_, at) => at * step);
    return starts.map((from) => `_part = '${name}' AND _part_offset >= ${from} AND _part_offset < ${from + step}`);
  });
}

/** @returns Its rows. */
async function compareWhole({ source, target }: Moving, table: RowTable): Promise<number> {
  const kept = target.tables.find(({ name }) => name === table.name)!;
  const before = await readDigest(source.engine, table, table.name);
  const after = await Promise.all(target.places.map(({ server }) => readDigest(server, kept, kept.kept)));
  if (isSame(before, after)) return before.rows;
  const [{ server }] = target.places as [Place];
  await server.command(`ALTER TABLE ${MOVE_MARKER} DELETE WHERE step = 'copied' AND startsWith(of, '${table.name}/')`);
  throw changed(table.name, before, after);
}

/** Rows of one key are on one shard, so numbers and sums of the shards add up. */
function isSame(whole: Digest, parts: readonly Digest[]): boolean {
  const sum = parts.reduce((total, { hash }) => (total + BigInt(hash)) % 2n ** 64n, 0n);
  return whole.rows === countOf(parts) && BigInt(whole.hash) === sum;
}

const countOf = (parts: readonly Digest[]) => parts.reduce((sum, { rows }) => sum + rows, 0);

const changed = (table: string, before: Digest, after: readonly Digest[]) =>
  new EngineOpenError(
    `The table ${table} has ${before.rows} rows, and ${countOf(after)} came out, or not the same: something writes to it. ` +
      'Stop every copy of the server, and run the same command again, which goes on.',
  );

/** The marker goes last: without it, the database opens. */
async function finish({ engine }: Side): Promise<void> {
  const members = engine.cluster?.members ?? [engine];
  for (const member of members) await dropStages(member);
  for (const member of members) await member.command(`DROP TABLE IF EXISTS ${MOVE_MARKER} SYNC`);
}
