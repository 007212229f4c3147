// `afterword crawl <url>`: reads one page now, and shows field by field what was read and where.
import type { Command } from 'commander';
import { type CrawlSettings, crawlOptions } from '../config.ts';
import type { CrawlReport, CrawlWish } from './admin/crawl.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print, table } from './output.ts';
import type { Installation } from './program.ts';
import { withReach } from './reach.ts';

type CrawlFlags = DataFlags & CrawlSettings & { site?: string; dryRun?: boolean };

export function crawlCommand(program: Command, { version, readingThread }: Installation): void {
  const command = dataCommand(program, 'crawl', 'read one page, and show what was read from where')
    .description(
      'Reads a page of a site as the crawler does, shows each field with where it was read, and keeps it like the crawler.',
    )
    .argument('<url>')
    .option('--site <site-id>', 'the site the page belongs to, where its host does not tell')
    .option('--dry-run', 'only show it')
    .action(async (url: string, flags: CrawlFlags) => {
      const { allowPrivateCrawl: allowPrivate, publicUrl, site, dryRun } = flags;
      const crawl = { thread: readingThread, version, publicUrl, allowPrivate };
      const wish: CrawlWish = { url, keep: dryRun !== true, ...(site !== undefined && { site }) };
      const report = await withReach({ ...flags, crawl }, (reach) => reach.ask<CrawlReport>('POST', '/crawl', wish));
      print(flags, report, () => lines(report));
    });
  for (const option of crawlOptions()) command.addOption(option);
}

/** Characters of a value shown in the table; --json shows it whole. */
const MAX_SHOWN = 100;

function lines(report: CrawlReport): string[] {
  const { site, fetched, encoding, bytes, cut, kept, fields, notes } = report;
  const size = `${bytes} bytes, ${encoding}${cut ? ', cut off there' : ''}`;
  return [
    `${fetched} (${size})`,
    kept === null ? 'Nothing was written.' : `Kept in ${site} as ${kept}`,
    '',
    ...table(
      ['FIELD', 'FROM', 'VALUE'],
      fields.map(({ name, value, source }) => [name, source ?? '-', shown(value)]),
    ),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ];
}

function shown(value: unknown): string {
  const text = (Array.isArray(value) ? value.join(', ') : String(value)).replace(/\s+/g, ' ');
  if (text === '') return '-';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
