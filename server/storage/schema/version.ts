// Which schema a database has: its version is kept in a table of each server.
import type { Engine } from '../engine.ts';
import { EngineOpenError, NewerSchemaError } from '../errors.ts';
import { SCHEMA, versionOf } from './schema.ts';
import { SCHEMA_VERSION } from './serverTables.ts';

/**
 * Before the first release the schema was a list of steps, recorded in this table. A database that has seen all of them
 * has the tables of version 1; backups of it say the number of the last step.
 */
const STEPS = { table: 'migrations', last: 18 };

/** Whether a server has a schema, or the beginning of one. @param tables Names of its tables. */
export const hasSchema = (tables: ReadonlySet<string>): boolean =>
  tables.has(SCHEMA_VERSION.name) || tables.has(STEPS.table);

/** The version that a backup was made of. @param recorded In the backup. */
export const versionOfBackup = (recorded: number): number => (recorded === STEPS.last ? 1 : recorded);

/**
 * @returns 0 for a server without a schema, or with an unfinished one.
 * @throws {EngineOpenError} for one that was made before the first release, and not with its last step.
 */
export async function readVersion(server: Engine): Promise<number> {
  const tables = await server.rows<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN ('${SCHEMA_VERSION.name}', '${STEPS.table}')`,
  );
  const newest = async (table: string) => {
    if (!tables.some(({ name }) => name === table)) return undefined;
    const [row] = await server.rows<{ version: number }>(`SELECT max(version) AS version FROM ${table}`);
    return Number(row?.version ?? 0);
  };
  const version = await newest(SCHEMA_VERSION.name);
  if (version !== undefined && version > 0) return version;
  const step = await newest(STEPS.table);
  if (step === undefined || step === STEPS.last) return step === undefined ? 0 : 1;
  throw new EngineOpenError(
    `The database was made by a development version of Afterword, before the first release (step ${step} of ${STEPS.last}): ` +
      'start it once with the last development version, or name an empty data folder with --data or an empty database with --clickhouse-url.',
  );
}

/**
 * Of each server of a database, in order, as `readVersion`.
 * @throws {NewerSchemaError} when one of them is newer than this program.
 */
export async function readVersions(engine: Engine, schema = SCHEMA): Promise<number[]> {
  const versions = await Promise.all((engine.servers ?? [engine]).map(readVersion));
  const [newest, known] = [Math.max(...versions), versionOf(schema)];
  if (newest > known) {
    throw new NewerSchemaError(
      `The database has schema version ${newest}; this program knows versions up to ${known}. ` +
        'Install the version of Afterword that wrote it, or a later one.',
    );
  }
  return versions;
}
