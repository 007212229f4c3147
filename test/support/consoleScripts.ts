// What the built console weighs, compressed as it travels.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.ts';

const FOLDER = join(root, 'dist/widget/console');

/** Bytes, of Brotli. */
export const CONSOLE_BUDGETS = { first: 45_000, all: 75_000 } as const;

const compressed = (name: string): number => readFileSync(join(FOLDER, `${name}.br`)).length;
const together = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + compressed(name), 0);

/** Texts of all scripts, by name. */
export const consoleScripts = (): Map<string, string> =>
  new Map(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
  );

/** Bytes, of Brotli: of what its first view needs, with the style sheet, and of all scripts. */
export function consoleSizes(): Record<keyof typeof CONSOLE_BUDGETS, number> {
  const scripts = consoleScripts();
  const view = [...scripts.keys()].find((name) => name.startsWith('overview-'));
  if (view === undefined) throw new Error('The console is not built: it has no overview.');
  const first = new Set(['app.js', view]);
  // Files that a file needs before it runs.
  for (const name of first)
    for (const [, other] of scripts.get(name)!.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) first.add(other!);
  return { first: together([...first, 'app.css']), all: together(scripts.keys()) };
}
