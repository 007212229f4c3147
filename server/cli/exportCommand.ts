// `afterword export …`: everything about a site, one JSON object a line, in the form `afterword import` reads.
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { parseIsoDate } from '../posts/parseIsoDate.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { writeOutput } from './transfer/writeOutput.ts';

interface ExportFlags extends DataFlags {
  output?: string;
  from?: number;
  to?: number;
}

export function exportCommand(): Command {
  const parent = new Command('export')
    .summary('write page views or posts to a file')
    .description('Writes page views or posts as NDJSON: one JSON object a line, in the form afterword import reads.');

  outputOption(dataCommand(parent, 'views', 'write the raw events of a site, oldest first'))
    .option('--from <date>', 'first moment, ISO 8601 (UTC where no zone is named)', moment)
    .option('--to <date>', 'moment after the last one', moment)
    .action((site: string, flags: ExportFlags) => {
      const { from = 0, to = Date.now() + 86_400_000 } = flags;
      if (from >= to) throw new CommandError('--to must be later than --from.', 2);
      const period = new URLSearchParams({ from: String(from), to: String(to) });
      return write(sitePath(site, `/views?${period}`), flags);
    });

  outputOption(dataCommand(parent, 'posts', 'write the posts of a site, with their text')).action(
    (site: string, flags: ExportFlags) => write(sitePath(site, '/export/posts'), flags),
  );
  return parent;
}

function outputOption(command: Command): Command {
  return command.argument('<site-id>').option('-o, --output <file>', 'file to write; standard output when left out');
}

async function write(path: string, flags: ExportFlags): Promise<void> {
  const { output } = flags;
  await withReach(flags, (reach) =>
    reach.read(path, (lines) =>
      output === undefined ? pipeline(lines, process.stdout, { end: false }) : writeOutput(lines, output),
    ),
  );
}

function moment(text: string): number {
  const time = parseIsoDate(text);
  if (time !== undefined) return time;
  throw new CommandError(`--from and --to take a date such as 2024-05-01 or 2024-05-01T09:30:00Z, not "${text}".`, 2);
}
