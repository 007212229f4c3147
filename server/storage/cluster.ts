// Several ClickHouse servers as one engine: questions and rows go to any of them, schema changes to all. ClickHouse
// distributes them over the shards; this file only keeps which servers did not answer lately.

import { StoreUnavailableError } from '../errors.ts';
import type { Engine } from './engine.ts';
import { EngineOpenError, isUnreachable } from './errors.ts';
import { toClusterStatements } from './layout.ts';
import type { ClusterLayout } from './schema/table.ts';

/** A server that could not be reached is asked last for so long. */
const REST_MS = 5_000;

/** One engine for all servers. Reading may be repeated; so may writing: by token, or because rows are versions. */
export function createClusterEngine(members: readonly Engine[], layout: ClusterLayout): Engine {
  const servers = members.map(onCluster);
  const resting = new Set<Engine>();
  let turn = 0;

  /** Round robin; servers that did not answer lately come last. */
  function inOrder(): Engine[] {
    const first = turn++ % servers.length;
    const rotated = [...servers.slice(first), ...servers.slice(0, first)];
    return [...rotated.filter((server) => !resting.has(server)), ...rotated.filter((server) => resting.has(server))];
  }

  function rest(server: Engine): void {
    resting.add(server);
    setTimeout(() => resting.delete(server), REST_MS).unref();
  }

  async function atAny<T>(work: (server: Engine) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const server of inOrder()) {
      try {
        return await work(server);
      } catch (error) {
        failure = error;
        if (!isUnreachable(error)) break;
        rest(server);
      }
    }
    throw failure instanceof StoreUnavailableError ? await withServersAway(failure) : failure;
  }

  const away = async () => (await Promise.all(servers.map((server) => server.away()))).flat();

  /** The same failure, saying how much of the cluster is away. */
  async function withServersAway(failure: StoreUnavailableError): Promise<StoreUnavailableError> {
    const names = await away();
    if (names.length === 0) return failure;
    const verb = names.length === 1 ? 'does' : 'do';
    const message = `${names.length} of ${servers.length} database servers ${verb} not answer; lists need all of them.`;
    return new StoreUnavailableError(message, { away: names, cause: failure });
  }

  return {
    servers,
    cluster: { ...layout, members },
    rows: (...question) => atAny((server) => server.rows(...question)),
    lines: (...question) => atAny((server) => server.lines(...question)),
    insert: (...rows) => atAny((server) => server.insert(...rows)),
    async command(sql, params) {
      await Promise.all(servers.map((server) => server.command(sql, params)));
    },
    away,
    async ping() {
      // A server that answers is not enough: every list needs every shard.
      await atAny((server) => server.rows(`SELECT count() FROM cluster('${layout.cluster}', system.one)`));
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function onCluster(member: Engine): Engine {
  return {
    ...member,
    async command(sql, params) {
      for (const statement of toClusterStatements(sql)) await member.command(statement, params);
    },
  };
}

/**
 * Asks the servers what they form.
 * @throws {EngineOpenError} when the addresses do not lead to every server of the cluster: schema changes go to each.
 */
export async function readLayout(members: readonly Engine[], cluster: string): Promise<ClusterLayout> {
  const here = await Promise.all(
    members.map(async (member) => (await member.rows<Server>(`SELECT ${SERVER} AS server`))[0]!.server),
  );
  const [first] = members;
  const all = (
    await first!.rows<Server>(`SELECT ${SERVER} AS server FROM clusterAllReplicas('${cluster}', system.one)`)
  ).map(({ server }) => server);
  complain(
    cluster,
    'has servers that no URL leads to',
    all.filter((server) => !here.includes(server)),
  );
  complain(
    cluster,
    'does not have these servers',
    here.filter((server) => !all.includes(server)),
  );

  const macros = await Promise.all(
    members.map((member) =>
      member.rows<{ macro: string }>(
        `SELECT macro FROM system.macros WHERE macro IN ('shard', 'replica') AND substitution != ''`,
      ),
    ),
  );
  const replicated = macros.every((rows) => rows.length === 2);
  const [shape] = await first!.rows<{ replicas: number }>(
    `SELECT max(replica_num) AS replicas FROM system.clusters WHERE cluster = '${cluster}'`,
  );
  if (!replicated && (shape?.replicas ?? 1) > 1) {
    throw new EngineOpenError(
      `The cluster ${cluster} has several servers a shard: give each the macros "shard" and "replica", so that they can share their tables.`,
    );
  }
  return { cluster, replicated };
}

interface Server {
  server: string;
}

/** Host and port: distinguishes servers, also where several run on one machine. */
export const SERVER = `concat(hostName(), ':', toString(tcpPort()))`;
/** What copies of a shard share: only one of them answers for it. */
export const SHARD_MACRO = `getMacro('shard')`;

function complain(cluster: string, problem: string, servers: readonly string[]): void {
  if (servers.length > 0) throw new EngineOpenError(`The cluster ${cluster} ${problem}: ${servers.join(', ')}.`);
}
