// Lines of a file an operator brings: CSV or TSV with a heading, or one JSON object a line; gzipped too.
import { CsvError, parse } from 'csv-parse';
import { parseJson } from '../../posts/parseJson.ts';
import { CommandError } from '../commandError.ts';
import type { Format } from './format.ts';
import { openText } from './openText.ts';
import { delimiterOf, readHead } from './sniff.ts';

export interface Line {
  /** From 1, as an editor counts them. */
  number: number;
  /** undefined where the line cannot be read. */
  value: unknown;
  /** How much of the file lies behind. */
  bytes: number;
}

export interface FileOfLines {
  file: string;
  format: Format;
  /** Columns without which nothing can be made of a CSV; of a list, one of its names. */
  columns: readonly (string | readonly string[])[];
}

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** @throws {CommandError} when the file is not what its name says, or a CSV's quotes do not match, with the line. */
export async function* readLines(source: FileOfLines): AsyncIterable<Line> {
  const head = await readHead(source.file);
  yield* source.format === 'csv' ? readCsv(source, delimiterOf(head)) : readNdjson(source, head);
}

async function* readCsv({ file, columns }: FileOfLines, delimiter: string): AsyncIterable<Line> {
  const options = {
    columns: (heading: string[]) => checked(heading, columns, file),
    delimiter,
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_LINE_BYTES,
  };
  const input = await openText(file);
  const parser = parse(options);
  input.bytes.on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of input.bytes.pipe(parser))
      yield { number: info.lines, value: record, bytes: input.packed?.() ?? info.bytes };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // It quotes the file, which may hold anything a terminal would obey.
    throw new CommandError(`${file} is no CSV: ${error.message.replace(/[^\x20-\x7e]/g, '?')}.`);
  }
}

/** Names as they are written here, whatever their capitals in the file. */
function checked(heading: string[], columns: FileOfLines['columns'], file: string): string[] {
  const names = heading.map((name) => name.trim().toLowerCase());
  const missing = columns.map((any) => [any].flat()).filter((any) => !any.some((column) => names.includes(column)));
  if (missing.length === 0) return names;
  const found = names.map((name) => name.replace(/[^\x20-\x7e]/g, '?')).join(', ');
  throw new CommandError(
    `${file} has no column ${missing.map((any) => any[0]).join(', ')}: its first line names ${found.slice(0, 200)}.`,
  );
}

async function* readNdjson({ file }: FileOfLines, head: string): AsyncIterable<Line> {
  if (head.trimStart().startsWith('[')) {
    throw new CommandError(
      `${file} is one JSON array; NDJSON has one object a line: jq -c '.[]' ${file} > lines.ndjson`,
    );
  }
  let number = 0;
  for await (const { text, bytes } of splitLines(file)) {
    number++;
    if (text === undefined) yield { number, value: undefined, bytes };
    else if (text.trim() !== '') yield { number, value: parseJson(text.replace(/^\uFEFF/, '')), bytes };
  }
}

/** Lines without their end; `text` is undefined where one is too long to be kept. */
async function* splitLines(file: string): AsyncIterable<{ text: string | undefined; bytes: number }> {
  const input = await openText(file);
  let parts: Buffer[] = [];
  let size = 0;
  let bytes = 0;
  const end = (last: Buffer) => {
    const text = size + last.length > MAX_LINE_BYTES ? undefined : Buffer.concat([...parts, last]).toString('utf8');
    parts = [];
    size = 0;
    return { text, bytes: input.packed?.() ?? bytes };
  };
  for await (const chunk of input.bytes as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      bytes += at + 1 - from;
      yield end(chunk.subarray(from, at));
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    bytes += rest.length;
    size += rest.length;
    if (size <= MAX_LINE_BYTES) parts.push(rest);
    else parts = [];
  }
  if (size > 0) yield end(Buffer.alloc(0));
}
