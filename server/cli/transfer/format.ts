// Formats of a file of lines, and which of them a file's name says.
import { extname } from 'node:path';
import { CommandError } from '../commandError.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** `.gz` behind it changes nothing. @throws {CommandError} when the name has neither ending. */
export function formatOf(file: string): Format {
  const extension = extname(file.replace(/\.gz$/i, '')).toLowerCase();
  if (['.csv', '.tsv'].includes(extension)) return 'csv';
  if (['.ndjson', '.jsonl', '.json'].includes(extension)) return 'ndjson';
  throw new CommandError(`The name of ${file} does not say whether it is CSV or NDJSON: use --format.`, 2);
}
