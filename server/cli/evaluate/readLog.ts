// A log of page views from a file: CSV with a heading, or one JSON object a line; gzipped too.
import { createReadStream } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { inOrder, toReading } from '../../evaluation/readingLog.ts';
import { parseJson } from '../../posts/parseJson.ts';
import type { Reading } from '../../readers/behaviour/behaviour.ts';

const CSV = { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true } as const;

/** In order of time; lines that are no page view are left out. Rejects when the file cannot be read. */
export async function readLog(file: string): Promise<Reading[]> {
  const bytes = createReadStream(file);
  const text = file.endsWith('.gz') ? into(bytes, createGunzip()) : bytes;
  const log: Reading[] = [];
  for await (const value of /\.csv(?:\.gz)?$/.test(file) ? into(text, parse(CSV)) : objects(text)) {
    const reading = toReading(value);
    if (reading) log.push(reading);
  }
  return inOrder(log);
}

/** As `pipe`, which does not forward errors. */
function into<T extends Duplex>(from: Readable, to: T): T {
  from.once('error', (error) => to.destroy(error));
  return from.pipe(to);
}

async function* objects(text: Readable): AsyncIterable<unknown> {
  let rest = '';
  for await (const chunk of text.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield parseJson(line);
  }
  yield parseJson(rest);
}
