// Lines of a file an operator brings: CSV with a heading, or one JSON object a line.
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { CsvError, parse } from 'csv-parse';
import { parseJson } from '../../posts/parseJson.ts';
import { CommandError } from '../commandError.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

export interface Line {
  /** From 1, as an editor counts them. */
  number: number;
  /** undefined where the line cannot be read. */
  value: unknown;
  /** How much of the file lies behind. */
  bytes: number;
}

const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** @throws {CommandError} when the name does not tell. */
export function formatOf(file: string): Format {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (['.ndjson', '.jsonl', '.json'].includes(extension)) return 'ndjson';
  throw new CommandError(`Whether ${file} is CSV or NDJSON its name does not tell; say it with --format.`, 2);
}

/** @throws {CommandError} when a CSV's quotes do not match, with the line. */
export function readLines(file: string, format: Format): AsyncIterable<Line> {
  return format === 'csv' ? readCsv(file) : readNdjson(file);
}

async function* readCsv(file: string): AsyncIterable<Line> {
  const options = {
    columns: true,
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_LINE_BYTES,
  };
  const input = createReadStream(file);
  const parser = parse(options);
  input.on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of input.pipe(parser))
      yield { number: info.lines, value: record, bytes: info.bytes };
  } catch (error) {
    if (error instanceof CsvError) throw new CommandError(`${file} is no CSV: ${error.message}.`);
    throw error;
  }
}

async function* readNdjson(file: string): AsyncIterable<Line> {
  let number = 0;
  let bytes = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    bytes += Buffer.byteLength(text) + 1;
    if (text.trim() !== '') yield { number, value: parseJson(text.replace(/^\uFEFF/, '')), bytes };
  }
}
