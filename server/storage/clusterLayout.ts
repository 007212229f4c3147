// The layout of a cluster: how many shards, in which order, of which weight. The hash of a row says on which shard it
// is, so rows that were spread over one layout are wrong in another. Each server keeps its own position in the layout
// that its rows fit; a cluster that has another one by now is refused.
import { SERVER, SHARD_MACRO } from './cluster.ts';
import type { Engine, EngineCluster } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import { POSTS } from './schema/records.ts';
import { CLUSTER_LAYOUT, UNFINISHED_REBALANCE } from './schema/serverTables.ts';
import { createTable } from './schema/statements.ts';
import { LOCAL } from './schema/table.ts';
import { hasSchema } from './schema/version.ts';

/** A server and its place in the cluster, as configured now. */
export interface MemberPlace {
  member: Engine;
  /** Host and port, for the operator. */
  name: string;
  /** Position of its shard, from 1. */
  shard: number;
}

export interface Layout {
  places: MemberPlace[];
  /** Of each shard, in order: how many slots of the hash it has. */
  weights: number[];
}

/** What a server keeps about itself. */
export interface StoredPlace {
  shard: number;
  weights: number[];
}

/** A server, with what it keeps. */
export interface MemberState extends MemberPlace {
  /** Tables of Afterword are on it. */
  hasTables: boolean;
  stored: StoredPlace | undefined;
  /** Rows are being spread anew. */
  isRebalancing: boolean;
}

/**
 * Asks the servers for the layout they are configured with.
 * @throws {EngineOpenError} when they do not agree.
 */
export async function readPresentLayout({ cluster, replicated, members }: EngineCluster): Promise<Layout> {
  const key = replicated ? SHARD_MACRO : SERVER;
  const views = await Promise.all(
    members.map(async (member) => ({
      own: (await member.rows<{ key: string; name: string }>(`SELECT ${key} AS key, ${SERVER} AS name`))[0]!,
      shards: await member.rows<{ shard: number; key: string }>(
        `SELECT _shard_num AS shard, ${key} AS key FROM cluster('${cluster}', system.one) ORDER BY shard`,
      ),
      weights: await member.rows<{ weight: number }>(
        `SELECT any(shard_weight) AS weight FROM system.clusters WHERE cluster = '${cluster}' GROUP BY shard_num ORDER BY shard_num`,
      ),
    })),
  );
  const [first] = views;
  const described = (view: (typeof views)[number]) => JSON.stringify([view.shards, view.weights]);
  const other = views.find((view) => described(view) !== described(first!));
  if (other !== undefined) {
    throw new EngineOpenError(
      `The servers of the cluster ${cluster} disagree about its shards (${first!.own.name} and ${other.own.name}): ` +
        'the configuration of each must have the same shards, in the same order, with the same weights.',
    );
  }
  return {
    places: views.map(({ own }, at) => ({
      member: members[at]!,
      name: own.name,
      shard: Number(first!.shards.find((shard) => shard.key === own.key)?.shard ?? 0),
    })),
    weights: first!.weights.map(({ weight }) => Number(weight)),
  };
}

/** What each server keeps. */
export function readStates({ places }: Layout): Promise<MemberState[]> {
  return Promise.all(places.map(async (place) => ({ ...place, ...(await readState(place.member)) })));
}

export async function readState(member: Engine): Promise<Pick<MemberState, 'hasTables' | 'stored' | 'isRebalancing'>> {
  const names = new Set((await member.rows<{ name: string }>(TABLES)).map(({ name }) => name));
  const [stored] = names.has(CLUSTER_LAYOUT.name)
    ? await member.rows<StoredPlace>(
        `SELECT shard, weights FROM ${CLUSTER_LAYOUT.name} ORDER BY changed_at DESC LIMIT 1`,
      )
    : [];
  return { hasTables: hasSchema(names), stored, isRebalancing: names.has(UNFINISHED_REBALANCE.name) };
}

const TABLES = `SELECT name FROM system.tables WHERE database = currentDatabase()`;

/** Whether a server has the place that its rows were spread for. */
export const fits = ({ stored, shard }: Pick<MemberState, 'stored' | 'shard'>, weights: readonly number[]): boolean =>
  stored !== undefined && stored.shard === shard && stored.weights.join() === weights.join();

/**
 * Compares the layout that is configured with the one that rows were spread for.
 * @returns Records the layout, where it is new or was not recorded yet: to be called before the schema is made.
 * @throws {EngineOpenError} when it does not fit.
 */
export async function checkLayout(engine: Engine): Promise<(now: number) => Promise<void>> {
  const { cluster } = engine;
  if (cluster === undefined) {
    await refuseClusterTables(engine);
    return async () => undefined;
  }
  const layout = await readPresentLayout(cluster);
  const states = await readStates(layout);
  if (states.some(({ isRebalancing }) => isRebalancing))
    throw new EngineOpenError(
      `Rows of the cluster ${cluster.cluster} are being spread over its shards, and that is not finished: run afterword cluster add again.`,
    );
  if (states.some(({ hasTables }) => hasTables)) await requireFit(states, { ...layout, ...cluster });
  const unrecorded = states.filter((state) => !fits(state, layout.weights));
  return async (now) => {
    for (const { member, shard } of unrecorded) await recordPlace(member, { shard, weights: layout.weights }, now);
  };
}

async function requireFit(states: readonly MemberState[], { cluster, replicated, weights }: Layout & EngineCluster) {
  const isUnknown = states.every(({ stored, hasTables }) => stored === undefined && hasTables);
  if (isUnknown) return await refuseSingleServer(states);
  for (const state of states) {
    const { name, stored } = state;
    if (fits(state, weights)) continue;
    const hasCopy = states.some((other) => other.shard === state.shard && fits(other, weights));
    if (stored === undefined && !state.hasTables && replicated && hasCopy) continue;
    const known = states.find((other) => other.stored !== undefined)?.stored;
    const before = known === undefined ? 'fewer shards' : describeWeights(known.weights);
    const what =
      stored === undefined
        ? `${name} has no rows of it`
        : `${name} was shard ${stored.shard} of ${stored.weights.length}, and is shard ${state.shard} of ${weights.length}`;
    throw new EngineOpenError(
      `The rows of the cluster ${cluster} were spread over ${before}, and its configuration has ${describeWeights(weights)} now: ${what}. ${REMEDY}`,
    );
  }
}

const REMEDY =
  'Give the cluster the shards it had, in their order, or stop every copy of the server and run afterword cluster add, which spreads the rows anew.';

export const describeWeights = (weights: readonly number[]): string => {
  const shards = `${weights.length} shard${weights.length === 1 ? '' : 's'}`;
  return weights.every((weight) => weight === 1) ? shards : `${shards} of weights ${weights.join(', ')}`;
};

/** @throws {EngineOpenError} for a database that recorded no layout because it is none of a cluster. */
async function refuseSingleServer(states: readonly MemberState[]): Promise<void> {
  for (const { member, name } of states) {
    const local = await member.rows(`${TABLES} AND name = '${POSTS.name}${LOCAL}'`);
    if (local.length === 0)
      throw new EngineOpenError(
        `The database on ${name} is that of a single server: leave --clickhouse-cluster out, or copy it into empty databases of the cluster with afterword move.`,
      );
  }
}

/** @throws {EngineOpenError} for a server of a cluster that is used without the others. */
async function refuseClusterTables(engine: Engine): Promise<void> {
  const found = await engine.rows(`${TABLES} AND name = '${CLUSTER_LAYOUT.name}'`);
  if (found.length === 0) return;
  throw new EngineOpenError(
    'This database is one of a cluster: give the URL of each server of it, and its name with --clickhouse-cluster.',
  );
}

/** A condition that holds for rows of one shard, as a distributed table has it. */
export function onShard(hash: string, { shard, weights }: StoredPlace): string {
  const before = weights.slice(0, shard - 1).reduce((sum, weight) => sum + weight, 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return `${hash} % ${total} >= ${before} AND ${hash} % ${total} < ${before + weights[shard - 1]!}`;
}

export async function recordPlace(member: Engine, { shard, weights }: StoredPlace, now: number): Promise<void> {
  await member.command(createTable(CLUSTER_LAYOUT));
  await member.insert(CLUSTER_LAYOUT.name, [{ shard, weights, changed_at: now }]);
}
