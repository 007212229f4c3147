// `afterword import …`: page views, posts and vectors of posts from a file, with progress. Cut off, it continues where
// it was.
import { stat } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { CommandError } from './commandError.ts';
import { dataCommand } from './dataCommand.ts';
import { POSTS_HELP, VECTORS_HELP, VIEWS_HELP } from './importHelp.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import type { ImportFlags } from './transfer/bring.ts';
import { FORMATS } from './transfer/format.ts';
import type { Ledger } from './transfer/ledger.ts';
import { viewColumnOptions } from './viewColumnOptions.ts';

export function importCommand(): Command {
  const parent = new Command('import')
    .summary('bring page views, posts or vectors from a file')
    .description('Brings page views, posts or vectors from a file, while the server runs or when it does not.');
  add(parent, 'views', 'bring page views from a CSV, TSV or NDJSON file, gzipped too', VIEWS_HELP);
  add(parent, 'posts', 'bring posts from an NDJSON or CSV file', POSTS_HELP);
  add(parent, 'vectors', 'bring vectors of posts from an NDJSON file', VECTORS_HELP);
  return parent;
}

function add(parent: Command, kind: Ledger['kind'], about: string, help: string): void {
  const option =
    kind === 'vectors'
      ? new Option('--replace', 'remove all vectors of the site first: another model makes another set')
      : new Option('--format <format>', 'what the file holds, when its name does not say it').choices(FORMATS);
  const command = dataCommand(parent, kind, about)
    .argument('<site-id>')
    .argument('<file>', 'known by its content: brought once, however often this is run')
    .addOption(option)
    .addHelpText('after', help)
    .action(async (site: string, file: string, flags: ImportFlags) => {
      const bytes = await sizeOf(file);
      // Loaded only here: no other command reads CSV or draws a progress bar.
      const { bring, summary } = await import('./transfer/bring.ts');
      const done = await withReach(flags, (reach) =>
        bring(reach, { site: site.toLowerCase(), file, kind, bytes, flags }),
      );
      print(flags, done, () => summary(done));
    });
  if (kind === 'views') for (const one of viewColumnOptions()) command.addOption(one);
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
