// Verifies a backup on a disk of ClickHouse servers, which no file of this machine shows: each server restores its part
// into a database beside its own, where everything is compared that a restore compares, and which is removed then.
import { type BackupCounted, BackupPlaceError, databaseNameOf, quotedName, refuseWrongPlace } from './backup.ts';
import { connect, type EngineOptions } from './connect.ts';
import { type Engine, membersOf, serversOf } from './engine.ts';
import { restoreBackup } from './restore.ts';
import { UNFINISHED_RESTORE } from './schema/serverTables.ts';

type ServerOptions = Extract<EngineOptions, { kind: 'remote' }>;

/** Behind the name of the database that was backed up. */
const SUFFIX = '_verify';

/**
 * @param options Of the servers, in the order they had when the backup was made; their own database is not touched.
 * @throws {BackupPlaceError | RestoreMismatchError}
 */
export async function verifyBackup(
  options: ServerOptions,
  from: { disk: string; path: string },
  expected: BackupCounted,
): Promise<void> {
  const engine = await connect(options);
  try {
    await refuseWrongPlace(engine, from);
    const source = await databaseNameOf(serversOf(engine)[0]!);
    const beside = `${source}${SUFFIX}`;
    // Their statements run as they are written: a database is nothing that is laid out over shards.
    const members = membersOf(engine);
    for (const member of members) await refuseOther(member, beside);
    const urls = options.urls.map((url) => inDatabase(url, beside));
    const remove = (member: Engine) => member.command(`DROP DATABASE IF EXISTS ${quotedName(beside)} SYNC`);
    try {
      for (const member of members) await member.command(`CREATE DATABASE IF NOT EXISTS ${quotedName(beside)}`);
      await restoreBackup({ ...options, urls }, from, { ...expected, source });
    } catch (error) {
      // What cannot be removed now has the marker of a restore, or no table: the next verification takes it over.
      await Promise.allSettled(members.map(remove));
      throw error;
    }
    for (const member of members) await remove(member);
  } finally {
    await engine.close();
  }
}

/** What a verification left that was broken off has the marker of a restore. */
async function refuseOther(member: Engine, database: string): Promise<void> {
  const tables = await member.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = {database:String}',
    {
      database,
    },
  );
  if (tables.length === 0 || tables.some(({ name }) => name === UNFINISHED_RESTORE.name)) return;
  throw new BackupPlaceError(
    `The backup would be restored into the database ${database} to be verified, which has ${tables.length} tables: remove them, or the database.`,
  );
}

function inDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}
