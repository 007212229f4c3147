// What is known of each server of a cluster, also while some are away or the layout does not fit.
import { SERVER, SHARD_MACRO } from './cluster.ts';
import { describeWeights, fits, readState } from './clusterLayout.ts';
import { connect } from './connect.ts';
import type { Engine } from './engine.ts';
import { EngineOpenError } from './errors.ts';
import { EVENTS } from './schema/events.ts';
import { LOCAL } from './schema/table.ts';
import { readVersion } from './schema/version.ts';

export interface ServerState {
  name: string;
  /** Position of its shard as configured, from 1; undefined where it is not in the cluster, or away. */
  shard?: number | undefined;
  /** Position its rows were spread for. */
  stored?: number | undefined;
  state: 'ready' | 'away' | 'no tables' | 'rows of another layout' | 'being filled' | 'not in the cluster';
  schema?: number;
  events?: number;
  /** Of all tables, on the disk. */
  bytes?: number;
  /** Why it is away, as far as that is known: it may refuse the password. */
  why?: string;
}

export interface ClusterStatus {
  cluster: string;
  configured: string;
  /** Undefined where nothing is recorded. */
  stored?: string;
  servers: ServerState[];
  remedy?: string;
}

export async function readClusterStatus(urls: readonly string[], cluster: string): Promise<ClusterStatus> {
  const opened = await Promise.all(urls.map(open));
  try {
    const present = opened.flatMap(({ engine }) => engine ?? []);
    const shards = present[0] === undefined ? [] : await shardsSeenBy(present[0], cluster);
    const weights = present[0] === undefined ? [] : await weightsSeenBy(present[0], cluster);
    const stored = (await Promise.all(present.map(readState))).find((state) => state.stored !== undefined)?.stored;
    const servers = await Promise.all(
      opened.map(
        async ({ engine, why }, at): Promise<ServerState> =>
          engine === undefined
            ? { name: new URL(urls[at]!).host, state: 'away', why }
            : await stateOf(engine, { shards, weights }),
      ),
    );
    const remedy = remedyFor(servers);
    return {
      cluster,
      configured: weights.length === 0 ? 'unknown: no server answers' : describeWeights(weights),
      ...(stored && { stored: describeWeights(stored.weights) }),
      servers,
      ...(remedy === undefined ? {} : { remedy }),
    };
  } finally {
    await Promise.all(opened.map(({ engine }) => engine?.close()));
  }
}

async function open(url: string): Promise<{ engine?: Engine; why: string }> {
  try {
    return { engine: await connect({ kind: 'remote', urls: [url] }), why: '' };
  } catch (error) {
    if (!(error instanceof EngineOpenError)) throw error;
    return { why: error.message };
  }
}

interface Seen {
  shards: { shard: number; key: string }[];
  weights: number[];
}

async function stateOf(engine: Engine, { shards, weights }: Seen): Promise<ServerState> {
  const [own] = await engine.rows<{ server: string; key: string }>(
    `SELECT ${SERVER} AS server, ${await shardKey(engine)} AS key`,
  );
  const { hasTables, stored, isRebalancing } = await readState(engine);
  const seen = shards.find(({ key }) => key === own!.key);
  const base = { name: own!.server, shard: seen?.shard, stored: stored?.shard };
  if (seen === undefined) return { ...base, state: 'not in the cluster' };
  if (!hasTables) return { ...base, state: 'no tables' };
  const isFitting = stored === undefined || fits({ stored, shard: seen.shard }, weights);
  const [sizes] = await engine.rows<{ bytes: number; events: number }>(
    `SELECT sum(bytes_on_disk) AS bytes, sumIf(rows, table = '${EVENTS.name}${LOCAL}') AS events FROM system.parts WHERE active AND database = currentDatabase()`,
  );
  return {
    ...base,
    state: isRebalancing ? 'being filled' : isFitting ? 'ready' : 'rows of another layout',
    schema: await readVersion(engine),
    events: Number(sizes!.events),
    bytes: Number(sizes!.bytes),
  };
}

/** What identifies a shard: its macro, which copies of a shard share, else the server. */
async function shardKey(engine: Engine): Promise<string> {
  const macros = await engine.rows(`SELECT macro FROM system.macros WHERE macro = 'shard' AND substitution != ''`);
  return macros.length > 0 ? SHARD_MACRO : SERVER;
}

const shardsSeenBy = async (engine: Engine, cluster: string) =>
  await engine.rows<Seen['shards'][number]>(
    `SELECT _shard_num AS shard, ${await shardKey(engine)} AS key FROM cluster('${cluster}', system.one)
     ORDER BY shard SETTINGS skip_unavailable_shards = 1`,
  );

async function weightsSeenBy(engine: Engine, cluster: string): Promise<number[]> {
  const rows = await engine.rows<{ weight: number }>(
    `SELECT any(shard_weight) AS weight FROM system.clusters WHERE cluster = {cluster:String} GROUP BY shard_num ORDER BY shard_num`,
    { cluster },
  );
  return rows.map(({ weight }) => Number(weight));
}

function remedyFor(servers: readonly ServerState[]): string | undefined {
  const some = (state: ServerState['state']) => servers.some((server) => server.state === state);
  if (some('being filled')) return 'Rows are being spread anew: run afterword cluster add again, which continues.';
  if (some('away')) return 'Start what is away: lists need every shard.';
  const isPartlyEmpty = some('no tables') && servers.some(({ state }) => state !== 'no tables');
  if (isPartlyEmpty || some('rows of another layout'))
    return 'Stop every copy of the server, and run afterword cluster add: it spreads the rows over the shards that are configured.';
  return undefined;
}
