// A copy of the whole database, in a folder or on a disk of each ClickHouse server: the engine's own BACKUP.
import { createHash } from 'node:crypto';
import { messageOf } from '../errors.ts';
import { describeParts, findDamagedParts } from './checkTables.ts';
import { type Engine, serversOf } from './engine.ts';
import { DiskFullError, engineCode } from './errors.ts';
import { changesEnded, isChanging } from './openMutations.ts';
import type { ReadWriteLock } from './readWriteLock.ts';
import { SALTS } from './schema/records.ts';
import { SCHEMA } from './schema/schema.ts';
import { COUNTS, LOCAL, type Table } from './schema/table.ts';

export interface BackupStore {
  /**
   * Copies the whole database but for the salts of days, as it is at one moment: writes wait meanwhile, questions do
   * not. Other copies of this server continue writing to ClickHouse servers: then two counts may differ, before and
   * after.
   * @param to A folder, made by this, an absolute path; for ClickHouse servers, a place on a disk of each.
   * @param beside Copies what belongs to the database and is not in it, at the same moment. Default: nothing.
   * @throws {BackupPlaceError} when that is the wrong one of the two.
   * @throws {DamagedDatabaseError} when a checksum of a table does not match: a copy of it could not be restored.
   */
  write(to: BackupPlace, beside?: () => Promise<void>): Promise<BackupCounted>;
}

/** What is counted of a database. */
export type BackupCounts = Record<(typeof COUNTS)[number], number>;

/** SHA-256 of the definition of each table and view, by name. */
export type Definitions = Record<string, string>;

/** What was found when a backup was made, and must be found again when it is restored. */
export interface BackupCounted {
  counts: BackupCounts;
  /** Counted again at its end, where others may write meanwhile: what is restored lies between the two. */
  after?: BackupCounts | undefined;
  /** Servers that each made a part. */
  servers: number;
  /** Of each server, in their order; unknown of backups of earlier versions. */
  definitions?: Definitions[] | undefined;
  /** Name of the database in the backup, where it is restored under another one. Default: the same. */
  source?: string | undefined;
}

/**
 * `folder`: of this machine, for the engine inside. `disk`: of each ClickHouse server, where it makes `path`/server-1
 * and so on.
 */
export type BackupPlace = { folder: string } | { disk: string; path: string };

/** Backups go to a folder of this machine where the data is in it, else to a disk of the ClickHouse servers. */
export class BackupPlaceError extends Error {
  override name = 'BackupPlaceError';
}

/** A backup of damaged tables could not be restored. */
export class DamagedDatabaseError extends Error {
  override name = 'DamagedDatabaseError';
}

/** Numbers that merges in the background do not change; the roll-ups among them, so that they are known to agree. */
const COUNTED = SCHEMA.tables.flatMap(({ counted, ...table }) =>
  counted === undefined ? [] : [{ ...counted, table }],
);

const countSql = ({ sql = 'count()', table }: (typeof COUNTED)[number], suffix = '') =>
  `SELECT ${sql} AS n FROM ${table.name}${suffix}${sql === 'count()' && isMerged(table) ? ' FINAL' : ''}`;

/** Of several rows of one key, one counts. */
const isMerged = ({ engine }: Pick<Table, 'engine'>) => engine !== 'MergeTree';

/**
 * Old events are removed beside what is written, and would be counted before and copied after. Minutes of a large
 * table; on a full disk it waits for room, and nothing changes.
 */
const PATIENCE_MS = 600_000;

/** A year of a large site is counted in seconds, but not always in the few of a list. */
const MAX_COUNT_SECONDS = 600;

export function createBackupStore({ engine, exclusive }: Pick<ReadWriteLock, 'engine' | 'exclusive'>): BackupStore {
  return {
    async write(to, beside = () => Promise.resolve()) {
      await refuseWrongPlace(engine, to);
      // Writers need not wait for this: files of a part never change.
      const damaged = await findDamagedParts(engine);
      if (damaged.length > 0) throw new DamagedDatabaseError(`The database is damaged: ${describeParts(damaged)}.`);
      let patience = PATIENCE_MS;
      for (;;) {
        patience = await changesEnded(engine, patience);
        const counted = await exclusive(async (inner) =>
          // Old events began to be removed meanwhile.
          patience > 0 && (await isChanging(inner)) ? undefined : await copy(inner, to, beside),
        );
        if (counted !== undefined) return counted;
      }
    },
  };
}

/** Nothing is written meanwhile. */
async function copy(inner: Engine, to: BackupPlace, beside: () => Promise<void>): Promise<BackupCounted> {
  const servers = serversOf(inner);
  const counts = await countAll(inner);
  await beside();
  const parts = await Promise.all(
    servers.map(async (server, at) => `BACKUP ${contentsOf(await databaseOf(server), inner)} TO ${placeOf(to, at)}`),
  );
  await Promise.all(servers.map((server, at) => server.command(parts[at]!))).catch((failure: unknown) => {
    // The disk that is full may be that of the backup.
    const error = failure instanceof DiskFullError ? failure.cause : failure;
    throw 'disk' in to && engineCode(error) !== undefined ? refusedPlace(error, to.disk) : error;
  });
  const definitions = await Promise.all(servers.map((server) => definitionsOf(server)));
  const after = inner.folders ? undefined : await countAll(inner);
  return { counts, after, servers: servers.length, definitions };
}

/**
 * The whole database except the rows of its salts. A backup outlives the salts, and with them readers without an id
 * could be identified, in it and in later backups. No partition has this id.
 * @param database Quoted.
 */
function contentsOf(database: string, { cluster }: Pick<Engine, 'cluster'>): string {
  const salts = `${database}.${SALTS.name}${cluster === undefined ? '' : LOCAL}`;
  return `TABLE ${salts} PARTITION ID 'none', DATABASE ${database} EXCEPT TABLES ${salts}`;
}

/** @throws {BackupPlaceError} */
export async function refuseWrongPlace(engine: Engine, place: BackupPlace): Promise<void> {
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

export async function databaseNameOf(server: Engine): Promise<string> {
  const [row] = await server.rows<{ name: string }>('SELECT currentDatabase() AS name');
  return row!.name;
}

/** As SQL names it. */
export const quotedName = (name: string) => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;

/** Quoted, as SQL names it. */
export const databaseOf = async (server: Engine): Promise<string> => quotedName(await databaseNameOf(server));

/** A disk that is not there, or may not be used: what the server says is for the operator. */
function refusedPlace(error: unknown, disk: string): BackupPlaceError {
  const [why] = messageOf(error).split('\n');
  return new BackupPlaceError(`The ClickHouse servers cannot back up to the disk ${disk}: ${why}`, { cause: error });
}

export const placeOf = (place: BackupPlace, server: number): string =>
  'folder' in place
    ? `File(${quoted(place.folder)})`
    : `Disk(${quoted(place.disk)}, ${quoted(`${place.path}/server-${server + 1}`)})`;

/**
 * What the tables of a server are; a backup's own files of it have no checksum of their own.
 * @param source Name of the database as the definitions shall have it. Default: its own.
 */
export async function definitionsOf(server: Engine, source?: string): Promise<Definitions> {
  const own = await databaseNameOf(server);
  const rows = await server.rows<{ name: string; sql: string }>(
    'SELECT name, create_table_query AS sql FROM system.tables WHERE database = currentDatabase() ORDER BY name',
  );
  const inSource = (sql: string) => (source === undefined ? sql : withAliases(sql.replaceAll(own, source)));
  return Object.fromEntries(
    rows.map(({ name, sql }) => [name, createHash('sha256').update(inSource(sql)).digest('hex')]),
  );
}

/** A restore under another name leaves out the name that a view of a cluster gives to the table it reads. */
const withAliases = (sql: string) => sql.replace(WITHOUT_ALIAS, (found, table: string) => `${found} AS ${table}`);
const WITHOUT_ALIAS = new RegExp(`\\bFROM (?:\\w+|\`[^\`]+\`)\\.(\\w+)${LOCAL}\\b(?! AS )`, 'g');

export async function countAll(engine: Engine): Promise<BackupCounts> {
  return await sumCounts([engine], '');
}

/**
 * The same of the local tables of each server: in a database restored under another name, the distributed tables
 * still read those of the first one.
 */
export async function countLocal(engine: Engine): Promise<BackupCounts> {
  return await sumCounts(serversOf(engine), engine.cluster === undefined ? '' : LOCAL);
}

async function sumCounts(engines: readonly Engine[], suffix: string): Promise<BackupCounts> {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as BackupCounts;
  for (const engine of engines) {
    for (const counted of COUNTED) {
      const sql = countSql(counted, suffix);
      const [row] = await engine.rows<{ n: number }>(sql, {}, { maxSeconds: MAX_COUNT_SECONDS });
      counts[counted.as] += Number(row?.n ?? 0);
    }
  }
  return counts;
}

/** A text in SQL. The name of a backup is no place for a bound parameter. */
const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
