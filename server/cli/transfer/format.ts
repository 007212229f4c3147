// Formats of a file of lines, and which of them a file's name says.
import { extname } from 'node:path';
import { CommandError } from '../commandError.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** @throws {CommandError} when the name does not tell. */
export function formatOf(file: string): Format {
  const extension = extname(file).toLowerCase();
  if (['.csv', '.tsv'].includes(extension)) return 'csv';
  if (['.ndjson', '.jsonl', '.json'].includes(extension)) return 'ndjson';
  throw new CommandError(`Whether ${file} is CSV or NDJSON its name does not tell; say it with --format.`, 2);
}
