// A log of page views from a file, read as `import views` reads it, into a few bytes a view.
import { stat } from 'node:fs/promises';
import { inDigits } from '../../counted.ts';
import { ReadingLog, toReading } from '../../evaluation/readingLog.ts';
import { createViewReader, requiredColumns, type ViewColumns } from '../../readers/viewColumns.ts';
import { CommandError } from '../commandError.ts';
import { openProgress } from '../progress.ts';
import { type Format, formatOf } from '../transfer/format.ts';
import { readLines } from '../transfer/readLines.ts';

export interface LogFlags extends ViewColumns {
  format?: Format;
}

/** Views of a log: 20 bytes each, and the names of its pages. */
const MOST_VIEWS = 20_000_000;
const LINES_A_STEP = 10_000;

/**
 * In order of time; lines that are no page view are left out.
 * @throws {CommandError} when the file is no log, or too long a one. Rejects when it cannot be read.
 */
export async function readLog(file: string, flags: LogFlags = {}): Promise<ReadingLog> {
  const { size } = await stat(file);
  const read = createViewReader(flags);
  const log = new ReadingLog();
  const bar = openProgress({ title: 'Reading', total: size, elsewhere: 'now and then' });
  try {
    const lines = readLines({ file, format: flags.format ?? formatOf(file), columns: requiredColumns(flags) });
    for await (const { number, value, bytes } of lines) {
      const reading = toReading(read(value));
      if (reading) log.add(reading);
      if (log.length > MOST_VIEWS) throw tooLong(file);
      if (number % LINES_A_STEP === 0) bar.update(bytes, `${inDigits(number)} lines`);
    }
  } finally {
    bar.close();
  }
  return log.inOrder();
}

const tooLong = (file: string) =>
  new CommandError(
    `${file} has more than ${inDigits(MOST_VIEWS)} views, which memory may not hold: give its newest part.`,
  );
