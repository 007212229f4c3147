// A database from a backup: the engine's own RESTORE, then every checksum, definition and count. A restore that is
// broken off leaves nothing that opens: the embedded engine's files are made beside their place, and servers carry a
// marker until all is checked.
import {
  type BackupCounted,
  type BackupCounts,
  type BackupPlace,
  BackupPlaceError,
  countAll,
  countLocal,
  databaseOf,
  definitionsOf,
  placeOf,
  quotedName,
  refuseWrongPlace,
} from './backup.ts';
import { describeParts, findDamagedParts } from './checkTables.ts';
import { connect, type EngineOptions } from './connect.ts';
import { type Engine, serversOf } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import { MOVED_TO, UNFINISHED_MOVE, UNFINISHED_RESTORE } from './schema/serverTables.ts';
import { createTable } from './schema/statements.ts';

/** What came out of a backup is not what went in. */
export class RestoreMismatchError extends Error {
  override name = 'RestoreMismatchError';
}

/**
 * Makes a database from a backup and checks all that is in it. The next program that opens it brings its schema up to
 * date.
 * @param options Of an empty database, or of one that an earlier restore left unfinished; for a cluster, with its
 * servers in the order
 *  they had. What a failure leaves on servers is removed again; files of the embedded engine are the caller's to
 * remove.
 * @throws {BackupPlaceError | RestoreMismatchError}
 */
export async function restoreBackup(options: EngineOptions, from: BackupPlace, expected: BackupCounted): Promise<void> {
  const engine = await connect(options);
  try {
    await refuseWrongPlace(engine, from);
    const servers = serversOf(engine);
    if (servers.length !== expected.servers) {
      throw new BackupPlaceError(`${expected.servers} servers made the backup, and ${servers.length} are named here.`);
    }
    if (engine.folders) await fill(engine, { from, expected });
    else await fillMarked(engine, { from, expected });
  } finally {
    await engine.close();
  }
}

interface Filling {
  from: BackupPlace;
  expected: BackupCounted;
}

async function fillMarked(engine: Engine, filling: Filling): Promise<void> {
  const servers = serversOf(engine);
  for (const server of servers) await requireEmpty(server);
  for (const server of servers) {
    await dropTables(server, (table) => table !== UNFINISHED_RESTORE.name);
    await server.command(createTable(UNFINISHED_RESTORE));
  }
  try {
    await fill(engine, filling);
  } catch (error) {
    // A server that cannot be reached now keeps its marker, and stays closed.
    await Promise.allSettled(servers.map((server) => dropTables(server, () => true)));
    throw error;
  }
  for (const server of servers) await dropTables(server, (table) => table === UNFINISHED_RESTORE.name);
}

async function fill(engine: Engine, { from, expected }: Filling): Promise<void> {
  for (const [at, server] of serversOf(engine).entries()) {
    const own = await databaseOf(server);
    const source = expected.source === undefined ? own : `${quotedName(expected.source)} AS ${own}`;
    await server.command(
      `RESTORE DATABASE ${source} FROM ${placeOf(from, at)} SETTINGS create_database = 'if-not-exists'`,
    );
  }
  const damaged = await findDamagedParts(engine);
  if (damaged.length > 0) throw new RestoreMismatchError(`${describeParts(damaged)}.`);
  await compareDefinitions(engine, expected);
  compareCounts(await (expected.source === undefined ? countAll : countLocal)(engine), expected);
}

/**
 * @throws {EngineOpenError} for a database whose restore, or the move into it, was broken off, and for one that was
 * moved away.
 */
export async function refuseUnfinishedRestore(server: Engine): Promise<void> {
  const tables = await tablesOf(server);
  if (tables.includes(UNFINISHED_MOVE.name))
    throw new EngineOpenError(
      `An unfinished move lies in the database ${await databaseOf(server)}: run the same afterword move again, which continues.`,
    );
  if (tables.includes(MOVED_TO.name)) {
    const [row] = await server.rows<{ to: string }>(`SELECT to FROM ${MOVED_TO.name} ORDER BY at DESC LIMIT 1`);
    throw new EngineOpenError(
      `The database ${await databaseOf(server)} was moved to ${row?.to}, and what came since is there: set AFTERWORD_CLICKHOUSE_URL ` +
        `(or --clickhouse-url) to it. To use the old one again all the same, drop its table ${MOVED_TO.name}.`,
    );
  }
  if (!tables.includes(UNFINISHED_RESTORE.name)) return;
  throw new EngineOpenError(
    `An unfinished restore lies in the database ${await databaseOf(server)}: run afterword restore again, which begins anew.`,
  );
}

async function requireEmpty(server: Engine): Promise<void> {
  const tables = await tablesOf(server);
  if (tables.length === 0 || tables.includes(UNFINISHED_RESTORE.name)) return;
  throw new BackupPlaceError(
    `The database ${await databaseOf(server)} is not empty (it has ${tables.length} tables): name an empty one.`,
  );
}

/** The marker comes last: a database without it is whole, or empty. Views come before what they read. */
async function tablesOf(server: Engine): Promise<string[]> {
  const rows = await server.rows<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase()
     ORDER BY name = '${UNFINISHED_RESTORE.name}', engine != 'MaterializedView', engine != 'Distributed', name`,
  );
  return rows.map(({ name }) => name);
}

async function dropTables(server: Engine, isDropped: (table: string) => boolean): Promise<void> {
  for (const table of (await tablesOf(server)).filter(isDropped))
    await server.command(`DROP TABLE IF EXISTS ${table} SYNC`);
}

/** @throws {RestoreMismatchError} */
async function compareDefinitions(engine: Engine, { definitions, source }: BackupCounted): Promise<void> {
  if (definitions === undefined) return;
  for (const [at, server] of serversOf(engine).entries()) {
    const [expected, found] = [definitions[at] ?? {}, await definitionsOf(server, source)];
    const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
    names.delete(UNFINISHED_RESTORE.name);
    const wrong = [...names].filter((name) => expected[name] !== found[name]);
    if (wrong.length > 0) throw new RestoreMismatchError(`the definition of ${wrong.join(', ')} is not what it was.`);
  }
}

/** @throws {RestoreMismatchError} */
function compareCounts(found: BackupCounts, { counts, after = counts }: BackupCounted): void {
  const wrong = (Object.keys(found) as (keyof BackupCounts)[]).filter(
    (name) => found[name] < Math.min(counts[name], after[name]) || found[name] > Math.max(counts[name], after[name]),
  );
  if (wrong.length === 0) return;
  const sentences = wrong.map((name) => `${counts[name]} ${name} were backed up, ${found[name]} came out`);
  throw new RestoreMismatchError(`${sentences.join('; ')}.`);
}
