// Databases as earlier releases made them: the statements of each released schema, and rows of a site in it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../server/storage/engine.ts';
import { SCHEMA_VERSION } from '../../server/storage/schema/serverTables.ts';
import { createTable } from '../../server/storage/schema/statements.ts';

/** Between two statements of a file. */
export const SEPARATOR = ';\n\n';

/** @param name In `schemas/`. */
export function readStatements(name: string): string[] {
  const text = readFileSync(fileURLToPath(new URL(`schemas/${name}`, import.meta.url)), 'utf8');
  return text.trimEnd().replace(/;$/, '').split(SEPARATOR);
}

/** Creates the tables of a release, and fills them. */
export async function createRecorded(engine: Engine, version: number): Promise<void> {
  for (const sql of readStatements(`${version}.sql`)) await engine.command(sql);
  await engine.command(createTable(SCHEMA_VERSION));
  await engine.insert(SCHEMA_VERSION.name, [{ version, applied_at: 0 }]);
  for (const sql of readStatements(`${version}.rows.sql`)) await engine.command(sql);
}

/** What every table is, in the engine's own words, by name. */
export async function definitionsOf(engine: Engine): Promise<Record<string, string>> {
  const rows = await engine.rows<{ name: string; sql: string }>(
    'SELECT name, create_table_query AS sql FROM system.tables WHERE database = currentDatabase() ORDER BY name',
  );
  return Object.fromEntries(rows.map(({ name, sql }) => [name, withSortedSettings(sql)]));
}

/** Settings that were altered later stand behind the others. */
const withSortedSettings = (sql: string) =>
  sql.replace(/ SETTINGS (.*)$/s, (_, settings: string) => ` SETTINGS ${settings.split(', ').sort().join(', ')}`);
