// Folders of the tables of an embedded engine that is not open, and the parts in them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Name of a part: partition (without `_`), first and last block, level, and the mutation it was rewritten by. */
export const PART = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/;

/** @param path Folder of the engine. */
export const tableFolders = (path: string): string[] => folders(join(path, 'store')).flatMap(folders);

/** Whether rows of a table were ever stored. */
export const hasParts = (table: string): boolean => readdirSync(table).some((folder) => PART.test(folder));

function folders(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
}
