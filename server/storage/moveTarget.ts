// The database that another one is moved into. A marker keeps it closed until the end, and says what is done.
import type { Logger } from 'pino';
import { checkLayout, readPresentLayout, type StoredPlace } from './clusterLayout.ts';
import { type Engine, membersOf, serversOf } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import { requireInstallation } from './keys.ts';
import { UNFINISHED_MOVE } from './schema/serverTables.ts';
import { createTable } from './schema/statements.ts';
import { upgrade } from './schema/upgrade.ts';
import { dropStages, type RowTable, rowTables } from './stage.ts';

/**
 * What a marker says is done. `source`: which installation comes in. `live`: the cut of a source that is in use.
 * `copied`: a piece. `base`: all pieces of that cut. `touched`: a month that later rows are of. `applied`: a group of
 * later rows. `complete`: all of it.
 */
export type Step = 'source' | 'live' | 'copied' | 'base' | 'touched' | 'applied' | 'complete';

/** One server of a database. */
export interface Place {
  server: Engine;
  /** Undefined for one server, which has all rows. */
  at: StoredPlace | undefined;
}

export interface Side {
  engine: Engine;
  /** One server of each shard. */
  places: Place[];
  tables: RowTable[];
}

export interface Preparing {
  log: Logger;
  now: () => number;
  /** What `identityOf` says of the source. */
  source: string;
}

/** The keys of an installation are made once. */
export async function identityOf(engine: Engine): Promise<string> {
  const [row] = await engine.rows<{ id: string }>(
    `SELECT hex(SHA256(arrayStringConcat(arraySort(groupArray(secret))))) AS id FROM installation_keys FINAL`,
  );
  return row!.id;
}

export async function placesOf(engine: Engine): Promise<Place[]> {
  if (engine.cluster === undefined) return [{ server: engine, at: undefined }];
  const { places, weights } = await readPresentLayout(engine.cluster);
  return weights.map((_, at) => ({
    server: places.find(({ shard }) => shard === at + 1)!.member,
    at: { shard: at + 1, weights },
  }));
}

/**
 * Lays out the tables.
 * @throws {EngineOpenError} when the database is not empty, or another installation is being moved into it.
 */
export async function prepareTarget(engine: Engine, { log, now, source }: Preparing): Promise<Side> {
  for (const member of membersOf(engine)) await requireEmptyOrBegun(member, source);
  for (const member of membersOf(engine)) {
    await member.command(createTable(UNFINISHED_MOVE));
    await record(member, { step: 'source', of: source, at: now() });
  }
  const recordLayout = await checkLayout(engine);
  await recordLayout(now());
  await upgrade(engine, { log, now });
  const places = await placesOf(engine);
  return { engine, places, tables: rowTables(engine) };
}

async function requireEmptyOrBegun(member: Engine, source: string): Promise<void> {
  const names = await member.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  );
  if (names.length === 0) return;
  if (!names.some(({ name }) => name === UNFINISHED_MOVE.name))
    throw new EngineOpenError(
      `The database to move to is not empty (it has ${names.length} tables): name an empty one.`,
    );
  if ([...(await stepsOf(member, 'source'))].some((step) => step !== source))
    throw new EngineOpenError(
      'Another installation is being moved into this database: finish that, or name an empty one.',
    );
}

/** Of the server that keeps the record of the others. */
export const keeperOf = ({ places }: Side): Engine => places[0]!.server;

export async function stepsOf(member: Engine, step: Step): Promise<Set<string>> {
  const sql = `SELECT of FROM ${UNFINISHED_MOVE.name} WHERE step = {step:String}`;
  return new Set((await member.rows<{ of: string }>(sql, { step })).map(({ of }) => of));
}

export const record = (member: Engine, row: { step: Step; of: string; at: number }): Promise<void> =>
  member.insert(UNFINISHED_MOVE.name, [row]);

/** Empties what an earlier move of the same source left. */
export async function emptyTarget({ engine, places, tables }: Side): Promise<void> {
  for (const member of membersOf(engine)) {
    await member.command(`ALTER TABLE ${UNFINISHED_MOVE.name} DELETE WHERE step != 'source'`);
    await dropStages(member);
  }
  for (const { server } of places) for (const { local } of tables) await server.command(`TRUNCATE TABLE ${local}`);
}

/** From now on the database may be opened by its new users: only `openTarget` is left to do. */
export async function completeTarget({ engine }: Side, now: number): Promise<void> {
  for (const member of membersOf(engine)) await record(member, { step: 'complete', of: '', at: now });
}

/** It continues being filled. */
export async function reopenTarget({ engine }: Side): Promise<void> {
  for (const member of membersOf(engine))
    if ((await stepsOf(member, 'complete')).size > 0)
      await member.command(`ALTER TABLE ${UNFINISHED_MOVE.name} DELETE WHERE step = 'complete'`);
}

/** The marker goes last: without it, the database opens. */
export async function openTarget(engine: Engine): Promise<void> {
  for (const member of membersOf(engine)) await dropStages(member);
  for (const member of membersOf(engine)) await member.command(`DROP TABLE IF EXISTS ${UNFINISHED_MOVE.name} SYNC`);
}

/**
 * Opens a database that a move has filled and whose marker is still there: the move ended between its last two steps.
 * @param installation Id of the database that the data folder belongs to.
 */
export async function openCompleted(engine: Engine, installation: string): Promise<void> {
  let isCompleted = false;
  for (const member of membersOf(engine)) {
    const found = await member.rows(
      `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = '${UNFINISHED_MOVE.name}'`,
    );
    if (found.length === 0) continue;
    if ((await stepsOf(member, 'complete')).size === 0) return;
    isCompleted = true;
  }
  if (!isCompleted) return;
  await requireInstallation(serversOf(engine)[0]!, installation);
  await openTarget(engine);
}
