// Brings a database to the schema this program was written for, or refuses. Forward only.
import type { Logger } from 'pino';
import type { Engine } from '../engine.ts';
import { NewerSchemaError } from '../errors.ts';
import { DURABLE } from './0001-tables.ts';
import type { Migration } from './migration.ts';

const HISTORY = `
CREATE TABLE IF NOT EXISTS migrations (version UInt32, name String, applied_at UInt64)
ENGINE = MergeTree ORDER BY version SETTINGS ${DURABLE}, min_rows_to_fsync_after_merge = 1`;

export interface MigrationReport {
  from: number;
  to: number;
}

/** The steps a database has not seen, in order; changes nothing. */
export async function pendingSteps(engine: Engine, steps: readonly Migration[]): Promise<Migration[]> {
  const known = await engine.rows(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'migrations'`,
  );
  if (known.length === 0) return [...steps];
  const [row] = await engine.rows<{ version: number }>('SELECT max(version) AS version FROM migrations');
  return steps.filter(({ version }) => version > (row?.version ?? 0));
}

/**
 * Runs the steps the database has not seen, in order, recording each when it is complete.
 * @throws {NewerSchemaError} when the database has seen steps that this program does not know.
 */
export async function migrate(
  engine: Engine,
  steps: readonly Migration[],
  context: { log: Logger; now: () => number },
): Promise<MigrationReport> {
  await engine.command(HISTORY);
  const [row] = await engine.rows<{ version: number }>('SELECT max(version) AS version FROM migrations');
  const from = row?.version ?? 0;
  const to = steps.at(-1)?.version ?? 0;
  if (from > to) {
    throw new NewerSchemaError(
      `The database has schema version ${from}; this program knows versions up to ${to}. ` +
        'Install the version of Afterword that wrote it, or a later one.',
    );
  }
  for (const step of steps) {
    if (step.version <= from) continue;
    for (const statement of step.statements) await engine.command(statement);
    await engine.insert('migrations', [{ version: step.version, name: step.name, applied_at: context.now() }]);
    context.log.info({ version: step.version, name: step.name }, 'schema migrated');
  }
  return { from, to };
}
