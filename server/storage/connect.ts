// The only file that names an engine: ClickHouse inside this process (chdb) or a ClickHouse server.
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import type { Logger } from 'pino';
import { availableBytes } from '../availableMemory.ts';
import { messageOf, StoreUnavailableError } from '../errors.ts';
import {
  createClickHouseEngine,
  createClientWriter,
  MAX_COMMAND_SECONDS,
  MAX_READ_BYTES,
  MAX_READ_SECONDS,
  MAX_WRITE_SECONDS,
  type Writer,
} from './clickhouseEngine.ts';
import { createClusterEngine, readLayout } from './cluster.ts';
import { dropTokensWithoutPart } from './deduplicationLog.ts';
import type { Engine } from './engine.ts';
import { holderOf, lockerOf } from './engineLock.ts';
import { EngineBusyError, EngineMissingError, EngineOpenError } from './errors.ts';
import { type Connection, withOneSet } from './oneSet.ts';
import { dropUnreadableMutations } from './unreadableMutations.ts';
import { dropUnreadableTables } from './unreadableTables.ts';
import { withWatchdog } from './watchdog.ts';

export type EngineOptions =
  | {
      kind: 'embedded';
      /** Directory of the engine's files, made when it is not there (owner only). One process at a time. */
      path: string;
    }
  | {
      kind: 'remote';
      /**
       * `http(s)://user:password@host:8123/database`; the database must exist. Several are all servers of one cluster.
       */
      urls: readonly string[];
      /** Name of the ClickHouse cluster they form, as the servers' own configuration has it. */
      cluster?: string;
    };

/** Readers of the embedded engine: more would take the file system's threads (libuv has four). */
const EMBEDDED_READERS = 2;
/**
 * Share of the memory of the process that a question of the embedded engine may take: the readers together take half,
 * the indexes a quarter. The operating system kills a process that takes more than there is.
 */
const READ_SHARE = 0.25;

const EMBEDDED_ARGUMENTS = [
  // Backups go wherever an operator says: this process may write there, or the operating system refuses.
  '--backups.allowed_path=/',
  // The engine inside mutates and merges four parts at a time. A statement that changes rows goes through all parts of
  // a table, some thirty in a year; while there is no room the table looks again after this long, not after a second.
  '--background_processing_pool_thread_sleep_seconds_if_nothing_to_do=0.02',
  '--background_processing_pool_task_sleep_seconds_when_no_work_random_part=0.01',
  // Each table looks for work of streaming queries, of which there are none here, once a second: together more than a
  // percent of a core while nothing happens.
  '--background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do=600',
  // How often the engine looks at the memory of the process. Every 50 ms, its default, took a third of a percent of a
  // core while nothing happened.
  '--memory_worker_period_ms=500',
];

/** The server's own limit applies first; this one is for a server that stopped answering. */
const GRACE_SECONDS = 5;

/** Questions a ClickHouse server is asked at once; the others take turns. */
const REMOTE_LANES = 10;

/** A server that does not answer a ping within this is away. */
const PING_MS = 2_000;

/**
 * An insert is answered when every shard has its rows; what a subquery finds is sent to all shards. A server that works
 * reports the others of its progress ten times a second: one that says nothing for seconds is away.
 */
const IN_CLUSTER: ClickHouseSettings = {
  distributed_foreground_insert: 1,
  distributed_product_mode: 'global',
  handshake_timeout_ms: 2000,
  receive_timeout: 8,
};

/**
 * The embedded engine shares the cores with the requests that send events. An insert that one thread parses also takes
 * a hundred megabytes less.
 */
const ONE_THREAD: ClickHouseSettings = { max_threads: 1, input_format_parallel_parsing: 0 };

/** The client would write lines of its own between those of our log; what it has to say comes with its errors. */
const QUIET = { level: ClickHouseLogLevel.OFF };

/**
 * Opens the engine.
 * @param log Gets what was repaired in the files of the embedded engine. Default: none.
 * @throws {EngineBusyError} when another process has the directory.
 * @throws {EngineMissingError} when the embedded engine is not installed.
 * @throws {EngineOpenError} when it cannot be opened or reached.
 */
export async function connect(options: EngineOptions, log?: Logger): Promise<Engine> {
  const engine =
    options.kind === 'embedded' ? await openEmbedded(resolve(options.path), log) : await openRemote(options);
  try {
    // Asked of the database itself: a ping is answered where there is no such database, too.
    await engine.rows('SELECT 1');
  } catch (error) {
    await engine.close();
    throw new EngineOpenError(`The engine does not answer: ${describe(error)}`, { cause: error });
  }
  return engine;
}

async function openEmbedded(path: string, log: Logger | undefined): Promise<Engine> {
  const chdb = await import('chdb/connection').catch((error: unknown) => {
    throw new EngineMissingError(error);
  });
  const { drainPending, Session } = await import('chdb');
  const open = () => {
    // The two packages bring two copies of the same types.
    const connection = chdb.createChdbConnection({ path }) as unknown as Connection;
    return createClient({ connection: withOneSet(connection), log: QUIET });
  };
  // The engine may still hold a directory that was just closed in this process.
  await drainPending();
  if (!existsSync(path) && existsSync(restoringPath(path))) {
    throw new EngineOpenError(
      `An unfinished restore lies in ${restoringPath(path)}, and no database beside it: run afterword restore again, which begins anew.`,
    );
  }
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // Asked before: the engine prints a failure of its own, and no word of it reaches the caller.
  const locker = lockerOf(path);
  if (locker !== undefined) throw new EngineBusyError(path, locker);
  const before = holderOf(path);
  if (before === undefined) repair(path, log);
  try {
    // The first to open a directory says how the engine is configured; those below join it.
    const first = new Session(path, { connectionArgs: EMBEDDED_ARGUMENTS });
    const readers = Array.from({ length: EMBEDDED_READERS }, open);
    const engine = createClickHouseEngine({
      readers,
      writer: openWriter(path, Session),
      commander: open(),
      readBytes: Math.floor(Math.min(availableBytes() * READ_SHARE, MAX_READ_BYTES)),
    });
    return {
      ...engine,
      away: async () => [],
      folders: true,
      async close() {
        await engine.close();
        first.close();
        await drainPending();
      },
    };
  } catch (error) {
    // One that had it may have ended since, and one that took it just now may not have written its id yet.
    const holder = holderOf(path) ?? lockerOf(path) ?? before;
    if (holder !== undefined) throw new EngineBusyError(path, holder);
    const damaged = 'If it is damaged, make a new one from a backup: afterword restore.';
    throw new EngineOpenError(`The data directory ${path} cannot be opened: ${describe(error)}. ${damaged}`, {
      cause: error,
    });
  }
}

function repair(path: string, log: Logger | undefined): void {
  const parts = dropTokensWithoutPart(path);
  if (parts.length > 0)
    log?.warn(
      { tokens: parts.length, parts },
      'the process was killed during an insert: tokens without a part were removed from the deduplication logs of the engine, and the same rows can be inserted again',
    );
  const files = dropUnreadableMutations(path);
  if (files.length > 0)
    log?.warn(
      { files },
      'the disk was full when rows were to be removed: files that the engine could not write whole were removed; run again what had not ended then, such as site remove or forget',
    );
  const definitions = dropUnreadableTables(path);
  if (definitions.length > 0)
    log?.warn(
      { files: definitions },
      'the disk was full when tables were made: definitions that the engine could not write whole were removed; a move that was begun begins anew with the next afterword move',
    );
}

/**
 * Hands the bytes to the engine as they are: as a string they would be copied three times by the thread that answers
 * requests.
 */
function openWriter(path: string, Session: typeof import('chdb').Session): Writer {
  const session = new Session(path);
  return {
    async insert({ table, columns, text, settings }) {
      const known = Object.entries({ ...settings, ...ONE_THREAD }).filter(
        (entry): entry is [string, string | number] => entry[1] !== undefined,
      );
      await session.insert({
        table,
        columns,
        values: text,
        format: 'TabSeparated',
        settings: Object.fromEntries(known),
      });
    },
    close: async () => session.close(),
  };
}

async function openRemote({ urls, cluster }: { urls: readonly string[]; cluster?: string }): Promise<Engine> {
  const [url, ...more] = urls;
  if (url === undefined) throw new EngineOpenError('No ClickHouse URL was given.');
  if (cluster !== undefined) return await openCluster(urls, cluster);
  if (more.length > 0) {
    throw new EngineOpenError('Several ClickHouse URLs need the name of the cluster they form: --clickhouse-cluster.');
  }
  return openServer(url);
}

async function openCluster(urls: readonly string[], cluster: string): Promise<Engine> {
  if (new Set(urls.map((url) => new URL(url).pathname)).size > 1) {
    throw new EngineOpenError(
      'The database has the same name on every server of a cluster: the ClickHouse URLs differ.',
    );
  }
  const servers = urls.map((url) => openServer(url, IN_CLUSTER));
  try {
    return createClusterEngine(servers, await readLayout(servers, cluster));
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()));
    if (error instanceof EngineOpenError) throw error;
    throw new EngineOpenError(`The cluster ${cluster} cannot be used: ${describe(error)}`, { cause: error });
  }
}

function openServer(url: string, also?: ClickHouseSettings): Engine {
  const open = (maxSeconds: number, connections = REMOTE_LANES) =>
    createClient({
      url,
      application: 'afterword',
      request_timeout: (maxSeconds + GRACE_SECONDS) * 1000,
      max_open_connections: connections,
      log: QUIET,
    });
  const engine = createClickHouseEngine({
    readers: [open(MAX_READ_SECONDS)],
    writer: createClientWriter(open(MAX_WRITE_SECONDS)),
    commander: open(MAX_COMMAND_SECONDS),
    slotsEach: REMOTE_LANES,
    ...(also && { also }),
  });
  return withWatchdog(engine, {
    name: new URL(url).host,
    // On a connection of its own, so that it waits behind no query.
    client: createClient({ url, request_timeout: PING_MS, max_open_connections: 1, log: QUIET }),
  });
}

/** Where the files of the embedded engine are while they are being restored: renamed to `path` when all are there. */
export const restoringPath = (path: string): string => `${path}.restoring`;

/** For the operator, who may know which machine it was. */
function describe(error: unknown): string {
  if (error instanceof StoreUnavailableError && error.cause !== undefined) return describe(error.cause);
  return messageOf(error);
}
