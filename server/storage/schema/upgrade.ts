// Brings a database to the schema of this program: creates what is not there, and upgrades what an earlier release
// made. Forward only.
import type { Logger } from 'pino';
import { type Engine, membersOf, serversOf } from '../engine.ts';
import { SCHEMA, type Schema, type Upgrade, versionOf } from './schema.ts';
import { SCHEMA_VERSION } from './serverTables.ts';
import { createStatements, createTable } from './statements.ts';
import type { ClusterLayout, Table } from './table.ts';
import { readVersions } from './version.ts';

/** What opening a database would do to its schema. */
export interface PlannedStep {
  /** The schema's afterwards. */
  version: number;
  name: string;
  /** SQL statements it runs, on each server of a cluster. */
  statements: number;
}

interface Upgrading {
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
}

/** A server of a database. */
interface Target {
  /** As the rest of the program uses it. */
  server: Engine;
  /** Its statements run as they are written. */
  member: Engine;
  layout: ClusterLayout | undefined;
  /** 0: none yet. */
  version: number;
}

/** Changes nothing. @throws {EngineOpenError | NewerSchemaError} */
export async function planUpgrade(engine: Engine, schema: Schema = SCHEMA): Promise<PlannedStep[]> {
  const versions = await readVersions(engine, schema);
  const create: PlannedStep = {
    version: versionOf(schema),
    name: 'all tables and views',
    statements: statementsOf(schema.tables, engine.cluster).length,
  };
  const pending = schema.upgrades.filter(({ to }) => versions.some((version) => version > 0 && version < to));
  return [
    ...pending.map(({ to, name, statements }) => ({
      version: to,
      name,
      statements: statementsOf(statements, engine.cluster).length,
    })),
    ...(versions.includes(0) ? [create] : []),
  ];
}

/**
 * Runs what `planUpgrade` says, on every server, and records it there: what was interrupted continues with the next
 * call.
 * @throws {EngineOpenError | NewerSchemaError}
 */
export async function upgrade(engine: Engine, { log, now }: Upgrading, schema: Schema = SCHEMA): Promise<void> {
  const versions = await readVersions(engine, schema);
  const members = membersOf(engine);
  const targets = serversOf(engine).map(
    (server, at): Target => ({
      server,
      member: members[at]!,
      layout: engine.cluster,
      version: versions[at]!,
    }),
  );
  const behind = targets.filter(({ version }) => version < versionOf(schema));
  if (behind.length === 0) log.debug({ version: versionOf(schema) }, 'schema is current');
  for (const { member } of behind) await member.command(createTable(SCHEMA_VERSION));
  // A server that joins a shard comes last: it takes its tables as the other servers of the shard have them by then.
  for (const target of behind)
    if (target.version > 0) for (const step of schema.upgrades) await take(step, target, { log, now });
  for (const target of behind) if (target.version === 0) await create(target, schema, { log, now });
}

async function take(
  step: Upgrade,
  { server, member, layout, version }: Target,
  { log, now }: Upgrading,
): Promise<void> {
  if (step.to <= version) return;
  for (const statement of step.statements) {
    if (typeof statement === 'string') await server.command(statement);
    else for (const sql of createStatements([statement], layout)) await member.command(sql);
  }
  await record(member, step.to, now());
  log.info({ version: step.to, name: step.name }, 'schema upgraded');
}

async function create({ member, layout }: Target, schema: Schema, { log, now }: Upgrading): Promise<void> {
  for (const sql of createStatements(schema.tables, layout)) await member.command(sql);
  await record(member, versionOf(schema), now());
  log.info({ version: versionOf(schema) }, 'schema created');
}

const record = (member: Engine, version: number, appliedAt: number) =>
  member.insert(SCHEMA_VERSION.name, [{ version, applied_at: appliedAt }]);

const statementsOf = (statements: readonly (string | Table)[], layout: ClusterLayout | undefined): string[] =>
  statements.flatMap((one) => (typeof one === 'string' ? [one] : createStatements([one], layout)));
