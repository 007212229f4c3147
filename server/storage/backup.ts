// A copy of the whole database, in a folder or on a disk of each ClickHouse server, and a database from such a copy: the engine's own
// BACKUP and RESTORE.
import { connect, type EngineOptions } from './connect.ts';
import type { Engine } from './engine.ts';
import { engineCode } from './errors.ts';
import type { Gate } from './gate.ts';
import { migrations } from './migrations/index.ts';
import type { BackupStore } from './store.ts';

/** What is counted of a database. */
export type BackupCounts = Record<keyof typeof COUNTED, number>;

/** What was counted when a backup was made, and must be counted again when it is restored. */
export interface BackupCounted {
  counts: BackupCounts;
  /** Counted again at its end, where others may write meanwhile: what is restored lies between the two. */
  after?: BackupCounts | undefined;
  /** Servers that each made a part. */
  servers: number;
}

/** `folder`: of this machine, for the engine inside. `disk`: of each ClickHouse server, where it makes `path`/server-1 and so on. */
export type BackupPlace = { folder: string } | { disk: string; path: string };

/** Backups go to a folder of this machine where the data is in it, else to a disk of the ClickHouse servers. */
export class BackupPlaceError extends Error {
  override name = 'BackupPlaceError';
}

/** What came out of a backup is not what went in. */
export class RestoreMismatchError extends Error {
  override name = 'RestoreMismatchError';
}

/** Numbers that merges in the background do not change; the roll-ups among them, so that they are known to agree. */
const COUNTED = {
  sites: 'SELECT count() AS n FROM sites FINAL',
  posts: 'SELECT count() AS n FROM posts FINAL',
  aliases: 'SELECT count() AS n FROM aliases FINAL',
  events: 'SELECT count() AS n FROM events',
  views: 'SELECT sum(views) AS n FROM post_days',
  visitors: 'SELECT count() AS n FROM visitors FINAL',
} as const;

/** A year of a large site is counted in seconds, but not always in the few of a list. */
const MAX_COUNT_SECONDS = 600;

export function createBackupStore({ alone }: Pick<Gate, 'alone'>): BackupStore {
  return {
    write: (to) =>
      alone(async (engine) => {
        await refuseWrongPlace(engine, to);
        const servers = serversOf(engine);
        const counts = await countAll(engine);
        const parts = await Promise.all(
          servers.map(async (server, at) => `BACKUP DATABASE ${await databaseOf(server)} TO ${placeOf(to, at)}`),
        );
        await Promise.all(servers.map((server, at) => server.command(parts[at]!))).catch((error: unknown) => {
          throw 'disk' in to && engineCode(error) !== undefined ? refusedPlace(error, to.disk) : error;
        });
        return { counts, after: engine.folders ? undefined : await countAll(engine), servers: servers.length };
      }),
  };
}

/**
 * Makes a database from a backup and counts what is in it. The next program that opens it brings its schema up to date.
 * @param options Of an empty database; for a cluster, with its servers in the order they had.
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
    for (const [at, server] of servers.entries()) {
      const database = await databaseOf(server);
      await server.command(
        `RESTORE DATABASE ${database} FROM ${placeOf(from, at)} SETTINGS create_database = 'if-not-exists'`,
      );
    }
    compare(await countAll(engine), expected);
  } finally {
    await engine.close();
  }
}

const serversOf = (engine: Engine): readonly Engine[] => engine.servers ?? [engine];

async function refuseWrongPlace(engine: Engine, place: BackupPlace): Promise<void> {
  if (engine.folders && 'disk' in place) {
    throw new BackupPlaceError(
      'The data is in a folder of this machine, which has no disks by name: leave --disk out.',
    );
  }
  if (!engine.folders && 'folder' in place) {
    throw new BackupPlaceError(
      'The data is on ClickHouse servers, where a folder of this machine means nothing: name a disk of theirs with --disk. ' +
        'Their configuration must have it, on the machine or on S3, and allow it for backups: <backups><allowed_disk>…</allowed_disk></backups>.',
    );
  }
  const copies = `SELECT count() AS n FROM system.replicas WHERE database = currentDatabase()`;
  for (const server of engine.servers ?? []) {
    const [row] = await server.rows<{ n: number }>(copies);
    if (row!.n > 0) {
      throw new BackupPlaceError(
        "The servers keep copies of each other's tables, which they must back up together: BACKUP DATABASE … ON CLUSTER, in ClickHouse itself.",
      );
    }
  }
}

async function databaseOf(server: Engine): Promise<string> {
  const [row] = await server.rows<{ name: string }>('SELECT currentDatabase() AS name');
  return `\`${row!.name.replaceAll(/[\\`]/g, '\\$&')}\``;
}

/** A disk that is not there, or may not be used: what the server says is for the operator. */
function refusedPlace(error: unknown, disk: string): BackupPlaceError {
  const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
  return new BackupPlaceError(`The ClickHouse servers cannot back up to the disk ${disk}: ${why}`, { cause: error });
}

const placeOf = (place: BackupPlace, server: number): string =>
  'folder' in place
    ? `File(${quoted(place.folder)})`
    : `Disk(${quoted(place.disk)}, ${quoted(`${place.path}/server-${server + 1}`)})`;

/** @throws {RestoreMismatchError} */
function compare(found: BackupCounts, { counts, after = counts }: BackupCounted): void {
  const wrong = (Object.keys(COUNTED) as (keyof BackupCounts)[]).filter(
    (name) => found[name] < Math.min(counts[name], after[name]) || found[name] > Math.max(counts[name], after[name]),
  );
  if (wrong.length === 0) return;
  const sentences = wrong.map((name) => `${counts[name]} ${name} were backed up, ${found[name]} came out`);
  throw new RestoreMismatchError(`${sentences.join('; ')}.`);
}

/** Version of the schema this program writes. */
export const schemaVersion = migrations.at(-1)?.version ?? 0;

async function countAll(engine: Engine): Promise<BackupCounts> {
  const counts: Record<string, number> = {};
  for (const [name, sql] of Object.entries(COUNTED)) {
    const [row] = await engine.rows<{ n: number }>(sql, {}, MAX_COUNT_SECONDS);
    counts[name] = Number(row?.n ?? 0);
  }
  return counts as BackupCounts;
}

/** A text in SQL. The name of a backup is no place for a bound parameter. */
const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
