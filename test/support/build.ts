// The tests run what is shipped: dist/ is built again when a source is newer than it, once, by the first that needs it.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onceAmongProcesses } from './onceAmongProcesses.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The `afterword` command, as the package names it. */
export const command = join(root, 'dist/server/main.js');
export const demoCommand = join(root, 'dist/server/demo.js');

const SOURCES = ['server', 'widget', 'demo', 'vite.config.ts', 'package.json'];
const LOCK = join(root, 'node_modules/.afterword-test-build');

/** Looked at once in a process: hundreds of commands start, and each look reads the times of all sources. */
let built: Promise<void> | undefined;

/** Resolves when dist/ is as new as the sources. */
export function ensureBuilt(): Promise<void> {
  built ??= onceAmongProcesses(LOCK, () => !isStale(), build);
  return built;
}

function build(): void {
  // As it is shipped: under the test runner's own NODE_ENV the build would be one for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  const args = ['vite', 'build', '--app', '--logLevel', 'error'];
  execFileSync('npx', args, { cwd: root, stdio: 'pipe', env });
}

function isStale(): boolean {
  const built = newest(command);
  return built === 0 || SOURCES.some((source) => newest(join(root, source)) > built);
}

/** Time of the newest file of a tree, 0 when there is none. */
function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
