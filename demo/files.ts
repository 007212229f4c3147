// Finds the demo's own files, whether the code runs from source or from the build in dist/.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Path of a file in the package's demo/ folder.
 * @throws when no folder above this code holds it: the package is not complete.
 */
export function demoFile(name: string): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, 'demo', name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) throw new Error(`The demo's file demo/${name} is missing from this installation.`);
  }
}
