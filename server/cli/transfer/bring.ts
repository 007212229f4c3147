// Brings the lines of a file to the server in batches, with progress. Cut off, it continues where it was.
import { inDigits } from '../../counted.ts';
import { createViewReader, requiredColumns, type ViewColumns } from '../../readers/viewColumns.ts';
import { LEAST_DIMENSIONS, MOST_DIMENSIONS } from '../../textindex/embeddings.ts';
import type { SiteInfo } from '../admin/siteInfo.ts';
import type { BatchReport } from '../admin/transfer.ts';
import { CommandError } from '../commandError.ts';
import type { DataFlags } from '../dataCommand.ts';
import { openProgress } from '../progress.ts';
import type { Reach } from '../reach.ts';
import { sitePath } from '../sitePath.ts';
import { ServerGoneError } from '../socketClient.ts';
import { type Format, formatOf } from './format.ts';
import { type Ledger, type OpenLedger, withLedger } from './ledger.ts';
import { readCsvPost } from './postRow.ts';
import { type FileOfLines, type Line, readLines } from './readLines.ts';
import { readHead, requireUtf8 } from './sniff.ts';
import { forgetStored, tokenOf } from './storedBatch.ts';
import { importVector } from './vectorRow.ts';

/** Small enough that readers of a running server notice nothing. */
const BATCH_LINES = { views: 5_000, posts: 200, vectors: 50 };

/** Columns a CSV must have. */
const columnsOf = ({ kind, flags }: Task): FileOfLines['columns'] =>
  kind === 'views' ? requiredColumns(flags) : kind === 'posts' ? ['canonical_url'] : [];

/** What an outcome means, where its name does not say what to do. */
const WHY: Record<string, string> = {
  malformed: 'no url or date, or a value of another kind than --help says',
  'foreign-host': 'pages of another host; add it with afterword site change <site-id> --domain <host>',
  'bad-date': 'no date, or one to come',
  'too-old': 'older than events are kept',
  'no-object': 'no JSON object',
  'no-url': 'no "url" of http or https',
  'no-vector': `no "vector" of ${LEAST_DIMENSIONS} to ${MOST_DIMENSIONS} numbers`,
  'zero-vector': 'all its numbers are 0: it has no direction',
  'other-dimension': 'of another length than the vectors of the site; a whole new set is brought with --replace',
};

const DATES = 'a pub_date_tmsp is 2026-03-20T08:30:00Z, 2026-03-20T08:30:00+01:00 or 2026-03-20';
const NAMES = 'a comma may be part of a name: between several stands a | in a CSV, and in JSON they are a list';

export interface ImportFlags extends DataFlags, ViewColumns {
  format?: Format;
  replace?: boolean;
}

export interface Task {
  site: string;
  file: string;
  kind: Ledger['kind'];
  bytes: number;
  flags: ImportFlags;
}

/** What an import says when it is done. */
export interface Done extends Pick<Ledger, 'kind' | 'lines' | 'outcomes' | 'firsts'> {
  /** true: the file was brought before, and nothing was done now. */
  before: boolean;
}

/**
 * Brings a file, or continues with it where it was cut off.
 * @throws {CommandError} when no line of it was stored, or another process imports it now.
 */
export async function bring(reach: Reach, task: Task): Promise<Done> {
  const { site, file, kind, flags } = task;
  const { created: made } = await reach.ask<SiteInfo>('GET', sitePath(site));
  const format = formatIn(task);
  await readHead(file);
  await requireUtf8(file);
  const columns = columnsOf(task);
  const lines = readLines({ file, format, columns });
  return await withLedger(flags.data, { file, site, made, kind }, async (open) => {
    const { ledger } = open;
    if (format === 'csv' && ledger.lines === 0) await requireCsv(readLines({ file, format, columns }));
    if (flags.replace) await replace(reach, task, open);
    const before = ledger.finished;
    if (!before) await bringLines(reach, { ...task, lines, made }, open);
    const { outcomes, firsts } = ledger;
    return { kind, lines: ledger.lines, outcomes, firsts, before };
  });
}

/**
 * Reads all of a CSV: mended in its middle it is another file, and what had come in before would count again.
 * @throws {CommandError} naming the first line whose quotes do not match.
 */
async function requireCsv(lines: AsyncIterable<Line>): Promise<void> {
  const reading = lines[Symbol.asyncIterator]();
  try {
    while (!(await reading.next()).done);
  } catch (error) {
    throw error instanceof CommandError ? new CommandError(`${error.message} Nothing was stored.`) : error;
  }
}

/** One that was cut off has removed the old set already, and continues. */
async function replace(reach: Reach, { site, file }: Task, { ledger, save, forgetOthers }: OpenLedger): Promise<void> {
  if (ledger.replaces && !ledger.finished) return;
  await refuseNoVectors(file);
  await forgetOthers();
  await reach.ask('DELETE', sitePath(site, '/vectors'));
  Object.assign(ledger, { lines: 0, outcomes: {}, firsts: {}, finished: false, replaces: true });
  await save();
}

/** @throws {CommandError} A file that begins with something else takes no set away. */
async function refuseNoVectors(file: string): Promise<void> {
  for await (const { number, value } of readLines({ file, format: 'ndjson', columns: [] })) {
    const first = importVector(value);
    if (typeof first !== 'string') return;
    throw new CommandError(`Line ${number} of ${file} is no vector of a post: ${WHY[first]}. Nothing was removed.`);
  }
  throw new CommandError(`${file} has no lines. Nothing was removed.`);
}

const formatIn = ({ kind, file, flags }: Task): Format =>
  kind === 'vectors' ? 'ndjson' : (flags.format ?? formatOf(file));

async function bringLines(
  reach: Reach,
  { site, file, kind, bytes, flags, lines, made }: Task & { lines: AsyncIterable<Line>; made: string },
  { id, ledger, save, forget }: OpenLedger,
): Promise<void> {
  let storing: Promise<void> | undefined;
  let isEnding = false;
  const progress = openProgress({
    title: `Bringing ${kind}`,
    total: bytes,
    elsewhere: 'now and then',
    interrupted: () => `Stopped after line ${inDigits(ledger.lines)}. The same command continues from there.`,
    // The tables remember tokens of a number of inserts: what is stored and not in the ledger would count again later.
    finish: async () => {
      isEnding = true;
      await storing;
    },
  });
  const isCsvOfPosts = kind === 'posts' && formatIn({ site, file, kind, bytes, flags }) === 'csv';
  const read = kind === 'views' ? createViewReader(flags) : isCsvOfPosts ? readCsvPost : (value: unknown) => value;

  async function store(batch: readonly Line[], start: number): Promise<void> {
    const body = { lines: batch.map(({ value }) => read(value) ?? null), token: tokenOf(id, start), made };
    const { outcomes } = await reach.ask<BatchReport>('POST', sitePath(site, `/${kind}`), body);
    note(ledger, batch, outcomes);
    ledger.lines = start + batch.length;
    await save();
  }

  try {
    let from = 0;
    for await (const batch of batches(lines, BATCH_LINES[kind])) {
      const start = from;
      from += batch.length;
      if (from > ledger.lines) {
        storing = store(batch, start);
        await storing.catch((error: unknown) => {
          if (!(error instanceof ServerGoneError)) throw error;
          throw new CommandError(`${error.message} It continues after line ${inDigits(ledger.lines)}.`);
        });
        // The signal ends the process now.
        if (isEnding) await new Promise(() => {});
      }
      progress.update(batch.at(-1)?.bytes ?? 0, `${inDigits(from)} lines`);
    }
    progress.update(bytes, `${inDigits(from)} lines`);
  } finally {
    progress.close();
  }
  if (storedOf(ledger) === 0) {
    // The same file can be imported again once the cause is repaired.
    await forget();
    throw new CommandError([`No line of ${file} was stored.`, ...leftOut(ledger)].join('\n'));
  }
  ledger.finished = true;
  await save();
  await forgetStored(flags.data, id);
}

function note({ outcomes, firsts }: Ledger, batch: readonly Line[], found: readonly string[]): void {
  for (const [index, outcome] of found.entries()) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome !== 'stored') firsts[outcome] ??= batch[index]?.number ?? 0;
  }
}

async function* batches(lines: AsyncIterable<Line>, size: number): AsyncIterable<Line[]> {
  let batch: Line[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** What an import prints when it is done. */
export function summary(done: Done): string[] {
  const { kind, lines, outcomes, before } = done;
  return [
    ...(before ? ['This very file was brought before: nothing was done now. What was done then:'] : []),
    `${storedOf(done)} of ${lines} ${kind} stored.`,
    ...(outcomes.early === undefined ? [] : [`  of them for posts that are not known yet: ${outcomes.early}`]),
    ...leftOut(done),
  ];
}

const storedOf = ({ outcomes }: Pick<Ledger, 'outcomes'>): number => (outcomes.stored ?? 0) + (outcomes.early ?? 0);

function leftOut({ outcomes, firsts }: Pick<Ledger, 'outcomes' | 'firsts'>): string[] {
  const others = Object.entries(outcomes).filter(([outcome]) => outcome !== 'stored' && outcome !== 'early');
  return others.map(([outcome, count]) => {
    const known = [
      WHY[outcome],
      /^bad .*pub_date_tmsp/.test(outcome) ? DATES : undefined,
      /^bad .*(?:authors|tags)/.test(outcome) ? NAMES : undefined,
    ].filter((one) => one !== undefined);
    const why = known.length === 0 ? '' : `: ${known.join('; ')}`;
    return `  left out: ${count} ${outcome}, the first on line ${firsts[outcome] ?? '?'}${why}`;
  });
}
