// `afterword crawl --sitemap`: lists the pages of an archive, queues those that are not known, and waits until they
// were read.
import type { Failure } from '../../crawl/failure.ts';
import type { Queued } from '../../crawl/sitemaps/crawlSitemaps.ts';
import type { FoundSitemaps } from '../../crawl/sitemaps/findSitemaps.ts';
import { SITEMAP_BATCH } from '../../crawl/sitemaps/sitemapFile.ts';
import type { QueuedPages, SitemapBatch, SitemapSearch } from '../admin/sitemaps.ts';
import { CommandError } from '../commandError.ts';
import { count } from '../output.ts';
import type { Reach } from '../reach.ts';
import { stopSignal } from '../signals.ts';
import { sitePath } from '../sitePath.ts';
import { type FoundPage, type FoundPages, leftOut, listPages, type SitemapsToRead } from './listPages.ts';
import { type Counted, type Watched, watchPages } from './watchPages.ts';

export interface FillOptions extends SitemapsToRead {
  /** Only list the pages. */
  dryRun: boolean;
  /** Wait until the pages were read. */
  wait: boolean;
}

export interface Filled extends Omit<FoundPages, 'pages'> {
  /** Pages, newest first, where they were only listed. */
  pages?: FoundPage[];
  queued: Record<Queued, number>;
  /** Absent where the pages were only listed or queued. */
  read?: Watched;
}

/** How long finding a sitemap may take for a command that does nothing else. */
const FIND_MS = 30_000;

/** @throws {CommandError} when there is nothing to read. */
export async function fillSite(reach: Reach, options: FillOptions): Promise<Filled> {
  const found = options.urls.length === 0;
  const urls = found ? await find(reach, options.site ?? '') : options.urls;
  const { pages, ...listed } = await listPages(reach, { ...options, urls, found });
  const queued = { queued: 0, waiting: 0, known: 0 };
  if (options.dryRun) return { ...listed, pages, queued };
  const stop = new AbortController();
  if (options.wait) void stopSignal().then(() => stop.abort());
  const { outcomes, since } = await queue(reach, listed.site, pages);
  for (const outcome of outcomes) queued[outcome] += 1;
  if (!options.wait) return { ...listed, queued };
  const open = pages.flatMap(({ url }, index) => (outcomes[index] === 'known' ? [] : [url]));
  announce(open);
  const read = await watchPages(reach, { site: listed.site, urls: open, since, stop: stop.signal });
  return { ...listed, queued, read };
}

/** @throws {CommandError} when the site names none. */
async function find(reach: Reach, site: string): Promise<string[]> {
  const search: SitemapSearch = { site, within: FIND_MS };
  const { urls, answered, hindered } = await reach.ask<FoundSitemaps>('POST', '/sitemaps/find', search);
  if (urls.length > 0) return urls;
  const why = answered ? undefined : hindered.at(-1)?.message;
  const looked = 'neither robots.txt, nor /sitemap.xml, nor the home page names a sitemap or a feed';
  throw new CommandError(
    `No sitemap of ${site} was found: ${(why ?? looked).replace(/\.$/, '')}.\n  Name it: afterword crawl --sitemap <url> --site ${site}`,
  );
}

async function queue(reach: Reach, site: string, pages: readonly FoundPage[]) {
  const outcomes: Queued[] = [];
  let since: number | undefined;
  for (let rank = 0; rank < pages.length; rank += SITEMAP_BATCH) {
    const batch = pages.slice(rank, rank + SITEMAP_BATCH).map(({ url, changed }) => ({ url, changed }));
    const listing: SitemapBatch = { pages: batch, rank };
    const answer = await reach.ask<QueuedPages>('POST', sitePath(site, '/listed'), listing);
    outcomes.push(...answer.outcomes);
    since ??= answer.at;
  }
  return { outcomes, since: since ?? 0 };
}

/** A second between two pages of a host, and the time a page takes. */
const PAGES_PER_MINUTE = 45;

/** On standard error, before the waiting begins. */
function announce(urls: readonly string[]): void {
  if (urls.length === 0) return;
  const perHost = new Map<string, number>();
  for (const url of urls) perHost.set(new URL(url).host, (perHost.get(new URL(url).host) ?? 0) + 1);
  const minutes = Math.ceil(Math.max(...perHost.values()) / PAGES_PER_MINUTE);
  const time = minutes < 120 ? count(minutes, 'minute') : count(Math.round(minutes / 60), 'hour');
  process.stderr.write(
    `${count(urls.length, 'page')} to read, the newest first, at most one a second of each host: about ${time}. ` +
      'Ctrl+C breaks off; the same command continues.\n',
  );
}

const DRY_RUN_ROWS = 20;

const WHY: Record<Failure, string> = {
  'bad-url': 'it leads to what is no web address',
  'foreign-host': "it leads to a host that is not the site's",
  'private-address': 'its host is on a private network; for development only, --allow-private-crawl',
  'unknown-host': 'its host is not known',
  unreachable: 'its host could not be reached',
  'too-slow': 'no answer within ten seconds',
  'too-many-redirects': 'it leads on too often',
  'bad-status': 'its server answers with an error',
  gone: 'it answers 404 or 410',
  'not-html': 'it is no HTML',
  'bad-encoding': 'it is packed in a way that is not understood',
  robots: 'robots.txt asks AfterwordBot not to read it',
  unreadable: 'it could not be read within five seconds',
};

/** What the command prints when it is done. */
export function summary(filled: Filled, limit: number): string[] {
  const { site, found, files, pages, notes } = filled;
  const beyond = found - limit;
  return [
    `${site}: ${count(found, 'page')} listed in ${count(files, 'file')}.`,
    ...(beyond > 0 ? [`  left out: ${beyond} beyond --limit ${limit}, the oldest`] : []),
    ...leftOut(filled).map((text) => `  ${text}`),
    ...(pages === undefined ? became(filled) : listing(pages)),
    ...notes.map((text) => `  note: ${text}`),
  ];
}

function listing(pages: readonly FoundPage[]): string[] {
  const rows = pages.slice(0, DRY_RUN_ROWS).map(({ url, changed, title }) => {
    const date = changed === null ? 'no date   ' : new Date(changed).toISOString().slice(0, 10);
    return `  ${date}  ${url}${title === '' ? '' : `  ${title}`}`;
  });
  const more = pages.length - rows.length;
  return [...rows, ...(more > 0 ? [`  and ${more} more`] : []), 'Nothing was written.'];
}

function became({ queued, read }: Filled): string[] {
  return [
    ...(queued.known > 0 ? [`  known and unchanged: ${queued.known}`] : []),
    ...(queued.waiting > 0 ? [`  in the queue before: ${queued.waiting}`] : []),
    `  queued: ${queued.queued}`,
    ...(read === undefined ? ['A running server reads them, or the next one that starts.'] : outcomeLines(read)),
  ];
}

function outcomeLines({ posts, others, refused, later, leftOut: full, waiting }: Watched): string[] {
  const reasons = (outcome: string, by: Watched['refused']) =>
    Object.entries(by).map(
      ([failure, { pages, first }]) =>
        `  ${outcome}: ${pages}, ${WHY[failure as Failure]} (${failure}), the first ${first}`,
    );
  return [
    `  read: ${posts + others.pages}, ${posts} of them posts`,
    ...(others.pages > 0 ? [`  no posts: ${others.pages}, the first ${others.first}`] : []),
    ...reasons('refused', refused),
    ...reasons('tried again later', later),
    ...(full.pages > 0
      ? [`  left out: ${full.pages}, the site has as many posts as it may (--max-posts), the first ${full.first}`]
      : []),
    ...(waiting > 0 ? [`  still waiting: ${waiting}`] : []),
  ];
}

/**
 * Says in the exit code what the summary says in words.
 * @throws {CommandError} when it was broken off, or when no page could be read.
 */
export function requireRead({ queued, read }: Filled): void {
  if (read === undefined) return;
  if (read.waiting > 0)
    throw new CommandError(
      'Broken off. A running server continues reading what waits; without one, the same command or the next start continues.',
    );
  const failed = [...Object.values(read.refused), ...Object.values(read.later)].reduce(sumOf, 0);
  if (failed + read.leftOut.pages > 0 && queued.known + read.posts + read.others.pages === 0)
    throw new CommandError(failed > 0 ? 'None of the pages could be read.' : 'None of the pages could be added.');
}

const sumOf = (sum: number, { pages }: Counted): number => sum + pages;
