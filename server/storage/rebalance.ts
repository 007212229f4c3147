// Spreads the rows of a cluster over the shards it has now. Every shard first collects its rows in tables beside its
// own; when all of them together are what all shards had, they are put in place. Nothing else may write meanwhile. A
// marker keeps the database closed until the end, and says what is done: broken off anywhere, the same command
// continues.
import type { Logger } from 'pino';
import {
  checkLayout,
  fits,
  type Layout,
  type MemberState,
  onShard,
  readPresentLayout,
  readStates,
  recordPlace,
} from './clusterLayout.ts';
import { connect, type EngineOptions } from './connect.ts';
import { refuseLiveCopies } from './copies.ts';
import type { Engine, EngineCluster } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import { refuseUnfinishedRestore } from './restore.ts';
import { UNFINISHED_REBALANCE } from './schema/serverTables.ts';
import { createTable } from './schema/statements.ts';
import { upgrade } from './schema/upgrade.ts';
import {
  createStage,
  dropStages,
  inPiece,
  nameOf,
  partitionsOf,
  piecesOf,
  putInPlace,
  type RowTable,
  readDigest,
  requireStages,
  rowTables,
} from './stage.ts';

export interface RebalanceOptions {
  engine: EngineOptions;
  log: Logger;
  now: () => number;
  /** Called when a part of a table is copied or put in place. */
  progress?: (done: number, total: number, note: string) => void;
}

export interface RebalanceReport {
  shards: number;
  /** Rows by table, those of one key counted once. Undefined where the rows were spread over these shards already. */
  rows?: Record<string, number>;
}

interface Work extends Layout {
  cluster: EngineCluster;
  /** One server of each shard, in order. */
  shards: MemberState[];
  states: MemberState[];
  progress: NonNullable<RebalanceOptions['progress']>;
  now: () => number;
}

/**
 * @throws {EngineOpenError} when the cluster cannot be used, copies of the server use it, or the rows do not come out
 * as they were; nothing
 *   is lost then.
 */
export async function rebalance({
  engine: options,
  log,
  now,
  progress = () => undefined,
}: RebalanceOptions): Promise<RebalanceReport> {
  const engine = await connect(options);
  try {
    const { cluster } = engine;
    if (cluster === undefined)
      throw new EngineOpenError(
        'Only a cluster has shards: name it with --clickhouse-cluster, and the URL of each server.',
      );
    for (const member of cluster.members) await refuseUnfinishedRestore(member);
    const layout = await readPresentLayout(cluster);
    const states = await readStates(layout);
    const shards = layout.weights.map((_, at) => states.find(({ shard }) => shard === at + 1)!);
    const work: Work = { ...layout, cluster, shards, states, progress, now };
    if (!states.some(({ hasTables }) => hasTables))
      throw new EngineOpenError(
        `There is nothing in the cluster ${cluster.cluster} yet: start the server, which lays out its tables.`,
      );
    await refuseLiveCopies(cluster.members);
    if (!(await hasStep(states, 'placed'))) {
      const isVerified = await hasStep(states, 'verified');
      if (!isVerified && (await isInPlace(engine, work))) {
        await removeTraces(work);
        return { shards: shards.length };
      }
      await begin(work, isVerified);
      await upgrade(engine, { log, now });
      const tables = rowTables(engine);
      if (!isVerified) await collect(work, tables);
      await put(work, tables);
      for (const { member, shard } of states) await recordPlace(member, { shard, weights: layout.weights }, now());
      for (const { member } of states) await record(member, { step: 'placed', at: now() });
    }
    const rows = await countRows(work);
    await removeTraces(work);
    return { shards: shards.length, rows };
  } finally {
    await engine.close();
  }
}

/** Closes the database. What an earlier run collected for other shards is of no use. */
async function begin({ states, weights, now }: Work, isVerified: boolean): Promise<void> {
  for (const { member, name, shard, isRebalancing } of states) {
    const wanted = `${shard}/${weights}`;
    const begun = isRebalancing ? [...(await stepsOf(member, 'layout'))] : [];
    if (begun.some((step) => step !== wanted)) {
      if (isVerified)
        throw new EngineOpenError(
          `The rows of ${name} were being put in place for the position and weights ${begun[0]}: give the cluster that layout, and finish it first.`,
        );
      await dropStages(member);
      await member.command(`DROP TABLE IF EXISTS ${UNFINISHED_REBALANCE.name} SYNC`);
    }
    await member.command(createTable(UNFINISHED_REBALANCE));
    await record(member, { step: 'layout', of: wanted, at: now() });
  }
}

/** Whether the rows were spread over these very shards: then what an earlier run began is not wanted any more. */
async function isInPlace(engine: Engine, { states, weights }: Work): Promise<boolean> {
  if (states.some(({ isRebalancing }) => isRebalancing)) return states.every((state) => fits(state, weights));
  return await checkLayout(engine).then(
    () => true,
    (error: unknown) => {
      if (error instanceof EngineOpenError) return false;
      throw error;
    },
  );
}

async function hasStep(states: readonly MemberState[], step: string): Promise<boolean> {
  for (const { member, isRebalancing } of states) {
    if (isRebalancing && (await stepsOf(member, step)).size > 0) return true;
  }
  return false;
}

async function stepsOf(member: Engine, step: string): Promise<Set<string>> {
  const sql = `SELECT of FROM ${UNFINISHED_REBALANCE.name} WHERE step = {step:String}`;
  return new Set((await member.rows<{ of: string }>(sql, { step })).map(({ of }) => of));
}

const record = (member: Engine, row: { step: string; of?: string; at: number }) =>
  member.insert(UNFINISHED_REBALANCE.name, [{ of: '', ...row }]);

const overAll = ({ cluster }: Work, table: string) => `cluster('${cluster.cluster}', currentDatabase(), '${table}')`;

/** Each shard reads from all of them what is its own. */
async function collect(work: Work, tables: readonly RowTable[]): Promise<void> {
  const { shards, weights, progress, now } = work;
  const pieces = await piecesOf(
    shards.map(({ member }) => member),
    tables,
  );
  for (const [at, { member, shard, name }] of shards.entries()) {
    for (const table of tables) await createStage(member, table);
    const copied = await stepsOf(member, 'copied');
    for (const [done, piece] of pieces.entries()) {
      const { table, ids } = piece;
      progress(at * pieces.length + done, 2 * shards.length * pieces.length, `${table.name} for ${name}`);
      const of = nameOf(piece);
      if (copied.has(of)) continue;
      for (const id of ids) await member.command(`ALTER TABLE ${table.stage} DROP PARTITION ID '${id}'`);
      const columns = table.columns.join(', ');
      await member.command(
        `INSERT INTO ${table.stage} (${columns}) SELECT ${columns} FROM ${overAll(work, table.local)}
         WHERE ${onShard(table.spread, { shard, weights })} AND ${inPiece(piece)} SETTINGS insert_deduplicate = 0`,
      );
      await record(member, { step: 'copied', of, at: now() });
    }
  }
  await verify(work, tables);
}

/** What the shards collected is what they have, together. From here on it is put in place. */
async function verify(work: Work, tables: readonly RowTable[]): Promise<void> {
  for (const table of tables) {
    const difference = await compare(work, table);
    if (difference === undefined) continue;
    for (const { member } of work.shards)
      await member.command(
        `ALTER TABLE ${UNFINISHED_REBALANCE.name} DELETE WHERE step = 'copied' AND startsWith(of, '${table.name}/')`,
      );
    throw new EngineOpenError(
      `${difference}: something writes to the cluster. Stop every copy of the server, and run afterword cluster add again.`,
    );
  }
  for (const { member } of work.states) await record(member, { step: 'verified', at: work.now() });
}

/** @returns What is different between the rows of a table and those collected. */
async function compare(work: Work, table: RowTable): Promise<string | undefined> {
  const { member } = work.shards[0]!;
  const own = await readDigest(member, table, overAll(work, table.local));
  const collected = await readDigest(member, table, overAll(work, table.stage));
  if (own.hash === collected.hash && own.rows === collected.rows) return undefined;
  return `The table ${table.name} has ${own.rows} rows, and the ${collected.rows} rows collected of it are not the same`;
}

async function put(work: Work, tables: readonly RowTable[]): Promise<void> {
  const { shards, progress } = work;
  const total = 2 * shards.length * tables.length;
  for (const [at, { member, name }] of shards.entries()) {
    await requireStages(member, tables);
    for (const [done, table] of tables.entries()) {
      progress(shards.length * tables.length + at * tables.length + done, total, `into ${name}`);
      const ids = new Set([...(await partitionsOf(member, table.local)), ...(await partitionsOf(member, table.stage))]);
      await putInPlace(member, table, [...ids]);
    }
  }
  for (const table of tables) {
    const difference = await compare(work, table);
    if (difference !== undefined) throw new EngineOpenError(`${difference}. Run afterword cluster add again.`);
  }
}

async function countRows(work: Work): Promise<Record<string, number>> {
  const { member } = work.shards[0]!;
  const rows: Record<string, number> = {};
  for (const table of rowTables(work))
    rows[table.name] = (await readDigest(member, table, overAll(work, table.local))).rows;
  return rows;
}

/** The marker goes last: with it, the database opens. */
async function removeTraces({ states }: Work): Promise<void> {
  for (const { member } of states) await dropStages(member);
  for (const { member } of states) await member.command(`DROP TABLE IF EXISTS ${UNFINISHED_REBALANCE.name} SYNC`);
}
