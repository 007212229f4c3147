// An empty database with the current schema, copied into place: to create all tables takes processor time and dozens of
// fsyncs, to copy what they left takes a tenth of that. Made once in a run of the tests, by the first that needs it.
// Tests of the schema, and of a server's first start, begin with an empty folder instead.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './build.ts';
import { onceAmongProcesses } from './onceAmongProcesses.ts';

/** Set by globalSetup.ts: a folder of this run of the tests. Unset, as in benchmarks, every server creates its own. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER';

/**
 * Fills an engine's folder, so that opening it creates nothing.
 * @param engine Made if it is not there.
 */
export async function copyEmptyDatabase(engine: string): Promise<void> {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) return;
  const database = join(folder, 'database');
  await onceAmongProcesses(
    `${database}.lock`,
    () => existsSync(database),
    () => makeDatabase(database),
  );
  copyTree(database, engine);
}

/** By the command line from its source: no build is needed, and a failure says what an operator would read. */
function makeDatabase(database: string): void {
  const data = `${database}.data`;
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  execFileSync(process.execPath, ['--import', loader, join(root, 'server/main.ts'), 'migrate', '--data', data], {
    stdio: 'pipe',
  });
  renameSync(join(data, 'engine'), database);
}

/** The engine's links are relative, and lead into the copy. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, copy);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), copy);
    else copyFileSync(source, copy);
  }
}
