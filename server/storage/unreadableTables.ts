// Repairs the catalogue of the embedded engine after a full disk. The engine makes a table where there is no room for
// its definition: the table works until the process ends, its file stays empty, or ends in the middle, and with such a
// file no table of the database would be opened ever again.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CUT_TABLE, STAGE } from './stage.ts';
import { hasParts, tableFolders } from './tableFolders.ts';

const FILE = /\.sql$/;
/** The engine ends each with a line. */
const isWhole = (file: string) => readFileSync(file, 'utf8').endsWith('\n');

/**
 * Removes definitions that were not written whole, where no row depends on them: of tables of a move, which begins anew
 * then, and of a database that has stored nothing yet, whose tables are made by the start.
 * @param path Folder of an engine that is not open.
 * @returns The files, as they were below `path`.
 */
export function dropUnreadableTables(path: string): string[] {
  const folders = tableFolders(path);
  const files = folders.flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (FILE.test(name) ? [join(folder, name)] : [])),
  );
  const broken = files.filter((file) => !isWhole(file));
  if (broken.length === 0) return [];
  // Without one of its tables a move must not continue, and no view may write to a table that is not there.
  const cut = broken.some(isOfMove) ? files.filter(isOfCut) : [];
  const isNew = !folders.some(hasParts);
  const dropped = [...new Set([...broken.filter((file) => isNew || isOfMove(file)), ...cut])];
  for (const file of dropped) rmSync(file);
  return dropped.map((file) => file.slice(path.length + 1));
}

const isOfMove = (file: string): boolean => basename(file).startsWith(STAGE);

/** What a move continues by, and the views that collect rows for it. */
const isOfCut = (file: string): boolean =>
  basename(file) === `${CUT_TABLE}.sql` || basename(file).startsWith(`${STAGE}view_`);
