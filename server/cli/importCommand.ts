// `afterword import …`: page views and posts from a file, with progress. Cut off, it goes on where it was.
import { stat } from 'node:fs/promises';
import { Command, Option } from 'commander';
import type { BatchReport } from './admin/transfer.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { openProgress } from './progress.ts';
import { type Reach, withReach } from './reach.ts';
import { type Ledger, openLedger } from './transfer/ledger.ts';
import { FORMATS, type Format, formatOf, type Line, readLines } from './transfer/readLines.ts';

/** Small enough that readers of a running server notice nothing. */
const BATCH_LINES = { views: 1_000, posts: 200 };

const VIEWS_HELP = `
Each line is one page view. Columns of the CSV's heading, or names of the JSON object:
  url         the page (required)
  date        when: ISO 8601, UTC where no zone is named, or seconds since 1970 (required)
  visitor     who: any text that tells one reader from another
  referrer    the page the reader came from
  user_agent  of the reader's browser, for the kind of device
  action      pageview when left out; also heartbeat, share, conversion, …
  seconds     read or watched, with heartbeats
Lines pass the same steps as live traffic: foreign hosts and bots are left out, and counted. What afterword export
writes is understood whole.`;

const POSTS_HELP = `
Each line is one post: the metadata object of POST /v2/metadata/posts, with canonical_url, title, pub_date_tmsp, section,
authors, tags, full_content and so on. Posts that are known already are changed where the line says something.`;

interface ImportFlags extends DataFlags {
  format?: Format;
}

export function importCommand(): Command {
  const parent = new Command('import')
    .summary('bring page views or posts from a file')
    .description('Brings page views or posts from a file, while the server runs or when it does not.');
  add(parent, 'views', 'bring page views from a CSV or NDJSON file', VIEWS_HELP);
  add(parent, 'posts', 'bring posts from an NDJSON or CSV file', POSTS_HELP);
  return parent;
}

function add(parent: Command, kind: Ledger['kind'], about: string, help: string): void {
  dataCommand(parent, kind, about)
    .argument('<site-id>')
    .argument('<file>', 'known by its content: brought once, however often this is run')
    .addOption(new Option('--format <format>', 'what the file holds, when its name does not tell').choices(FORMATS))
    .addHelpText('after', help)
    .action(async (site: string, file: string, flags: ImportFlags) => {
      const bytes = await sizeOf(file);
      const done = await withReach(flags, (reach) =>
        bring(reach, { site: site.toLowerCase(), file, kind, bytes, flags }),
      );
      print(flags, done, () => summary(done));
    });
}

interface Task {
  site: string;
  file: string;
  kind: Ledger['kind'];
  bytes: number;
  flags: ImportFlags;
}

/** What an import says when it is done. */
interface Done extends Pick<Ledger, 'kind' | 'lines' | 'outcomes'> {
  /** true: the file was brought before, and nothing was done now. */
  before: boolean;
}

async function bring(reach: Reach, { site, file, kind, bytes, flags }: Task): Promise<Done> {
  await reach.ask('GET', `/sites/${encodeURIComponent(site)}`);
  const format = flags.format ?? formatOf(file);
  const { id, ledger, save } = await openLedger(flags.data, { file, site, kind });
  const tell = (before: boolean): Done => ({ kind, lines: ledger.lines, outcomes: ledger.outcomes, before });
  if (ledger.finished) return tell(true);
  const progress = openProgress(`Bringing ${kind} `, bytes);
  try {
    let from = 0;
    for await (const lines of batches(readLines(file, format), BATCH_LINES[kind])) {
      const start = from;
      from += lines.length;
      if (from > ledger.lines) {
        const body = { lines: lines.map(({ value }) => value ?? null), token: `import-${id}-${start}` };
        const { outcomes } = await reach.ask<BatchReport>('POST', `/sites/${encodeURIComponent(site)}/${kind}`, body);
        for (const outcome of outcomes) ledger.outcomes[outcome] = (ledger.outcomes[outcome] ?? 0) + 1;
        ledger.lines = from;
        await save();
      }
      progress.update(lines.at(-1)?.bytes ?? 0, `${from.toLocaleString('en-US')} lines`);
    }
    ledger.finished = true;
    await save();
    progress.update(bytes, `${from.toLocaleString('en-US')} lines`);
    return tell(false);
  } finally {
    progress.close();
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

async function sizeOf(file: string): Promise<number> {
  try {
    const stats = await stat(file);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CommandError(`${file} cannot be read (${error.code}).`);
  }
  throw new CommandError(`${file} is no file.`);
}

function summary({ kind, lines, outcomes, before }: Done): string[] {
  const others = Object.entries(outcomes).filter(([outcome]) => outcome !== 'stored');
  return [
    ...(before ? ['This very file was brought before: nothing was done now. What was done then:'] : []),
    `${outcomes.stored ?? 0} of ${lines} ${kind} stored.`,
    ...others.map(([outcome, count]) => `  left out: ${count} ${outcome}`),
  ];
}
