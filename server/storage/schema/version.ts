// Which schema a database has: its version is kept in a table of each server.
import { type Engine, serversOf } from '../engine.ts';
import { EngineOpenError, NewerSchemaError } from '../errors.ts';
import { SCHEMA, type Schema, versionOf } from './schema.ts';
import { SCHEMA_VERSION } from './serverTables.ts';
import { columnsOf } from './table.ts';

/** Whether a server has a schema, or the beginning of one. @param tables Names of its tables. */
export const hasSchema = (tables: ReadonlySet<string>): boolean => tables.has(SCHEMA_VERSION.name);

/** @returns 0 for a server without a schema, or with an unfinished one. */
export async function readVersion(server: Engine): Promise<number> {
  const [table] = await server.rows(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = '${SCHEMA_VERSION.name}'`,
  );
  if (table === undefined) return 0;
  const [row] = await server.rows<{ version: number }>(`SELECT max(version) AS version FROM ${SCHEMA_VERSION.name}`);
  return Number(row?.version ?? 0);
}

/**
 * Of each server of a database, in order, as `readVersion`.
 * @throws {NewerSchemaError} when one of them is newer than this program.
 * @throws {EngineOpenError} when one of them is not what the schema of its version declares.
 */
export async function readVersions(engine: Engine, schema = SCHEMA): Promise<number[]> {
  const servers = serversOf(engine);
  const versions = await Promise.all(servers.map(readVersion));
  const [newest, known] = [Math.max(...versions), versionOf(schema)];
  if (newest > known) {
    throw new NewerSchemaError(
      `The database has schema version ${newest}; this program knows versions up to ${known}. ` +
        'Install the version of Afterword that wrote it, or a later one.',
    );
  }
  for (const [at, server] of servers.entries()) await requireDeclared(server, schema, versions[at]!);
  return versions;
}

/**
 * Until the first release, version 1 was declared anew again and again: a database of a development version may say the
 * version of this program and lack columns that questions name.
 */
async function requireDeclared(server: Engine, schema: Schema, version: number): Promise<void> {
  if (version !== 0 && version !== versionOf(schema)) return;
  const found = await server.rows<{ table: string; column: string }>(
    'SELECT table, name AS column FROM system.columns WHERE database = currentDatabase()',
  );
  const columns = new Map<string, Set<string>>();
  for (const { table, column } of found) columns.set(table, (columns.get(table) ?? new Set()).add(column));
  const missing = schema.tables.flatMap((table) => {
    const has = columns.get(table.name);
    // The creation of the tables may have been interrupted: those that are missing then are created.
    if (has === undefined) return version === 0 ? [] : [table.name];
    return columnsOf(table).flatMap(({ name }) => (has.has(name) ? [] : [`${table.name}.${name}`]));
  });
  if (missing.length === 0) return;
  throw new EngineOpenError(
    `The database was made by a development version of Afterword, before the first release (it has no ${missing.join(', ')}): ` +
      'name an empty data folder with --data, or an empty database with --clickhouse-url.',
  );
}
