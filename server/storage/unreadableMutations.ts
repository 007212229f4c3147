// Repairs the tables of the embedded engine after a full disk. The engine writes a statement that removes or changes
// rows to a file of the table, and continues where there is no room for it: the rows are removed once there is, and the
// file stays empty, or ends in the middle. With such a file it would not open the table, nor the database, ever again.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tableFolders } from './tableFolders.ts';

const FILE = /^mutation_\d+\.txt$/;
/** As the engine reads it. */
const WHOLE = /^format version: 1\n.*\ncommands: .*\n$/s;

/**
 * Removes the files of statements that were not written whole. What they have changed by then stays changed; one that
 * had not ended was not acknowledged.
 * @param path Folder of an engine that is not open.
 * @returns The files, as they were below `path`.
 */
export function dropUnreadableMutations(path: string): string[] {
  return tableFolders(path).flatMap((table) =>
    readdirSync(table).flatMap((name) => {
      const file = join(table, name);
      if (!FILE.test(name) || WHOLE.test(readFileSync(file, 'utf8'))) return [];
      rmSync(file);
      return [file.slice(path.length + 1)];
    }),
  );
}
