// `afterword crawl`: reads one page now, and shows field by field what was read and where; or fills a site from its
// archive, as a sitemap or a feed lists it.
import { type Command, Option } from 'commander';
import { type CrawlSettings, crawlOptions } from '../config.ts';
import { MAX_FOUND } from '../crawl/sitemaps/sitemapFile.ts';
import type { CrawlReport, CrawlRequest } from './admin/crawl.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import type { FillOptions } from './fill/fillSite.ts';
import type { Installation } from './installation.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import { table } from './table.ts';

type CrawlFlags = DataFlags &
  CrawlSettings & {
    site?: string;
    dryRun?: boolean;
    sitemap?: string[];
    feed?: string[];
    limit: number;
    wait: boolean;
  };

const HELP = `
Examples:
  afterword crawl https://example.com/an-article
  afterword crawl example.com
  afterword crawl --sitemap https://example.com/sitemap.xml
  afterword crawl --feed https://example.com/feed --site example.com

Of a Site ID alone, the sitemap is found by robots.txt, /sitemap.xml or the home
page.

Sitemaps (indexes, gzip, news, plain text) and feeds (RSS, Atom, JSON Feed) list
pages: those of the site that are not known, or have changed since they were
read, are queued, the newest first, behind the pages that readers open. They are
read at the pace of the crawler, one at a time and a second apart for each host
or as robots.txt says. Ctrl+C loses nothing: the same command continues.`;

export function crawlCommand(program: Command, installation: Installation): void {
  const command = dataCommand(
    program,
    'crawl',
    'read one page and show what was read, or fill a site from its sitemap or feed',
  )
    .description(
      'Reads a page of a site as the crawler does, shows each field with where it was read, and keeps it like the crawler. ' +
        'With --sitemap, --feed or a Site ID: queues all pages of the archive, and waits until they were read.',
    )
    .argument('[url|site-id]', 'a page; or a site, whose sitemap or feed is looked for where none is named')
    .option('--sitemap <url>', 'fill the site with the pages this sitemap lists; repeat it for more', repeated)
    .option('--feed <url>', 'the same for a feed; repeat it for more', repeated)
    .option('--site <site-id>', 'the site the page or the sitemap belongs to, where its host does not decide it')
    .addOption(
      new Option('--limit <pages>', 'most pages taken of an archive, the newest')
        .default(MAX_PAGES)
        .argParser(wholePages),
    )
    .option('--no-wait', 'only queue the pages of an archive; a running server reads them')
    .option('--dry-run', 'only show it')
    .addHelpText('after', HELP)
    .action(async (target: string | undefined, flags: CrawlFlags) => {
      const urls = [...(flags.sitemap ?? []), ...(flags.feed ?? [])];
      if (target === undefined && urls.length === 0)
        throw new CommandError('Name a page, a site, --sitemap or --feed. Try --help.', 2);
      if (target !== undefined && looksLikeUrl(target)) return await crawlPage(target, urls, flags, installation);
      if (target !== undefined && flags.site !== undefined)
        throw new CommandError(`${target} and --site ${flags.site} both name the site: leave one out.`, 2);
      await fill({ urls, site: target ?? flags.site }, flags, installation);
    });
  for (const option of crawlOptions()) command.addOption(option);
}

/** As many as a sitemap holds; at a page a second they take fourteen hours. */
const MAX_PAGES = 50_000;

const repeated = (value: string, earlier: string[] = []) => [...earlier, value];

function wholePages(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= MAX_FOUND) return Number(text);
  throw new CommandError(`--limit takes a whole number of pages from 1 to ${MAX_FOUND}, not "${text}".`, 2);
}

/** A Site ID is a host or a word; whatever else is taken for a page, and refused as one. */
const looksLikeUrl = (text: string): boolean => !/^[a-z\d._-]{1,253}$/i.test(text);

function crawling({ allowPrivateCrawl: allowPrivate, publicUrl }: CrawlSettings, installation: Installation) {
  return { thread: installation.readingThread, version: installation.version, publicUrl, allowPrivate };
}

async function crawlPage(url: string, lists: string[], flags: CrawlFlags, installation: Installation): Promise<void> {
  if (lists.length > 0)
    throw new CommandError(
      `${url} and --sitemap or --feed are two things to do: name one. A site is named by --site.`,
      2,
    );
  const { site, dryRun } = flags;
  const request: CrawlRequest = { url, keep: dryRun !== true, ...(site !== undefined && { site }) };
  const crawl = crawling(flags, installation);
  const report = await withReach({ ...flags, crawl }, (reach) => reach.ask<CrawlReport>('POST', '/crawl', request));
  print(flags, report, () => lines(report));
}

async function fill(
  options: Pick<FillOptions, 'urls' | 'site'>,
  flags: CrawlFlags,
  installation: Installation,
): Promise<void> {
  // Loaded only here: no page needs a progress bar.
  const { fillSite, requireRead, summary } = await import('./fill/fillSite.ts');
  const { limit, wait, dryRun = false } = flags;
  const crawl = { ...crawling(flags, installation), queue: wait && !dryRun };
  const filled = await withReach({ ...flags, crawl }, (reach) => fillSite(reach, { ...options, limit, wait, dryRun }));
  print(flags, filled, () => summary(filled, limit));
  requireRead(filled);
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
