// Repairs the deduplication logs of the embedded engine's tables after a kill. The engine writes the token of an insert
// to the log of a table before it renames the part into place. Killed in between, it would ignore the same insert ever
// after: the rows of an acknowledged group would be in no table, or in no roll-up.
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PART, tableFolders } from './tableFolders.ts';

const LOGS = 'deduplication_logs';
const LOG_FILE = /^deduplication_log_(\d+)\.txt$/;
/** Operation, part and token, as the engine writes them. */
const RECORD = /^([12])\t([^\t]+)\t([^\t]+)$/;
const ADDED = '1';
const DROPPED = '2';

/**
 * Takes the token of the last insert out of each log whose part is not there, as the engine does when a part is
 * dropped. One insert at a time is written to a table, so none but the last can be without its part.
 * @param path Folder of an engine that is not open.
 * @returns Names of the parts that are missing.
 */
export function dropTokensWithoutPart(path: string): string[] {
  return tableFolders(path).flatMap((table) => (existsSync(join(table, LOGS)) ? dropTokenWithoutPart(table) : []));
}

function dropTokenWithoutPart(table: string): string[] {
  const logs = readdirSync(join(table, LOGS))
    .filter((name) => LOG_FILE.test(name))
    .sort((one, other) => numberOf(one) - numberOf(other))
    .map((name) => join(table, LOGS, name));
  // A new log begins empty.
  const last = logs.map((log) => readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '').findLast(Boolean);
  const [, operation, part, token] = RECORD.exec(last ?? '') ?? [];
  if (operation !== ADDED || part === undefined || hasPart(table, part)) return [];
  appendFileSync(logs.at(-1)!, `${DROPPED}\t${part}\t${token}\n`);
  return [part];
}

/** Also where it was merged with others since. */
function hasPart(table: string, name: string): boolean {
  const [, partition, first] = PART.exec(name) ?? [];
  return readdirSync(table).some((folder) => {
    const [, of, from, to] = PART.exec(folder) ?? [];
    return of === partition && Number(from) <= Number(first) && Number(first) <= Number(to);
  });
}

const numberOf = (log: string) => Number(LOG_FILE.exec(log)![1]);
