// What sitemaps and feeds list, file after file: indexes are followed, pages are collected, the newest first.

import { inDigits } from '../../counted.ts';
import { MAX_FOUND } from '../../crawl/sitemaps/sitemapFile.ts';
import { MINUTE } from '../../durations.ts';
import type { SitemapAnswer, SitemapRequest } from '../admin/sitemaps.ts';
import { CommandError } from '../commandError.ts';
import { count } from '../output.ts';
import { openProgress } from '../progress.ts';
import type { Reach } from '../reach.ts';

export interface FoundPage {
  url: string;
  /** Epoch milliseconds; null where no file says. */
  changed: number | null;
  title: string;
}

export interface FoundPages {
  site: string;
  /** Newest first, each once; those without a date last, in the order of their files. At most `limit`. */
  pages: FoundPage[];
  /** Files that were read. */
  files: number;
  /** Pages that are listed, also those beyond the limit. */
  found: number;
  foreign: number;
  malformed: number;
  notes: string[];
}

export interface SitemapsToRead {
  urls: readonly string[];
  /** The site names them, not the operator: one that cannot be read costs its own pages only. Default: false. */
  found?: boolean;
  /** Default: the site that has the host of the first. */
  site: string | undefined;
  /** Pages taken. */
  limit: number;
}

interface ListedFile {
  url: string;
  changed: number | null;
  depth: number;
}

/** The protocol knows one level below the file that robots.txt names; some systems write two. */
const MAX_DEPTH = 3;
const MAX_FILES = 500;
/** Until then only the pages of files that were read by then are taken. */
const MAX_MS = 30 * MINUTE;
const MAX_NOTES = 20;

/** @throws {CommandError} when a file that was asked for cannot be read, or none lists a page of the site. */
export async function listPages(
  reach: Reach,
  { urls, found = false, site, limit }: SitemapsToRead,
): Promise<FoundPages> {
  const walk = new Walk(urls, { depth: found ? 1 : 0, limit, end: performance.now() + MAX_MS });
  const progress = openProgress({ title: 'Reading sitemaps', total: urls.length, elsewhere: 'lines' });
  let id = site;
  try {
    for (let file = walk.next(); file !== undefined; file = walk.next()) {
      const answer = await read(reach, file, { ...(id !== undefined && { site: id }) }, walk);
      if (answer === undefined) continue;
      id ??= answer.site;
      walk.take(answer, file);
      progress.update(walk.files, count(walk.pages.size, 'page'), walk.files + walk.waiting);
    }
  } finally {
    progress.close();
  }
  return walk.result(id ?? '');
}

/** A file that an index names, and that cannot be read, costs its own pages only. */
async function read(
  reach: Reach,
  { url, depth }: ListedFile,
  site: Pick<SitemapRequest, 'site'>,
  walk: Walk,
): Promise<SitemapAnswer | undefined> {
  try {
    return await reach.ask<SitemapAnswer>('POST', '/sitemaps/read', { url, ...site } satisfies SitemapRequest);
  } catch (error) {
    if (depth === 0 || !(error instanceof CommandError)) throw error;
    walk.note(error.message.split('\n')[0] ?? '');
    return undefined;
  }
}

class Walk {
  readonly pages = new Map<string, FoundPage>();
  files = 0;
  private readonly seen = new Set<string>();
  private readonly left: ListedFile[];
  private readonly notes: string[] = [];
  private foreign = 0;
  private malformed = 0;
  private readonly limit: number;
  private readonly end: number;

  constructor(urls: readonly string[], { depth, limit, end }: { depth: number; limit: number; end: number }) {
    this.left = urls.map((url) => ({ url, changed: null, depth }));
    this.limit = limit;
    this.end = end;
  }

  get waiting(): number {
    return this.left.length;
  }

  /** The newest file that was not read; undefined when all were, or a bound is reached. */
  next(): ListedFile | undefined {
    const file = this.left.shift();
    if (file === undefined) return undefined;
    if (this.seen.has(file.url)) return this.next();
    const why = this.bound(file);
    if (why !== undefined) {
      this.note(`${count(this.left.length + 1, 'file')} not read: ${why}.`);
      this.left.length = 0;
      return undefined;
    }
    this.seen.add(file.url);
    return file;
  }

  take({ format, entries, foreign, malformed, notes, fetched }: SitemapAnswer, { depth }: ListedFile): void {
    this.files += 1;
    this.foreign += foreign;
    this.malformed += malformed;
    for (const text of notes) this.note(`${fetched}: ${text}`);
    if (format === 'sitemap index') this.follow(entries, { depth: depth + 1, fetched });
    else for (const entry of entries) this.keep(entry);
  }

  note(text: string): void {
    if (this.notes.length < MAX_NOTES) this.notes.push(text);
  }

  /** @throws {CommandError} where there is no page at all. */
  result(site: string): FoundPages {
    const { foreign, malformed, notes, files } = this;
    const found = this.pages.size;
    if (found === 0)
      throw new CommandError(
        ['No page of the site is listed.', ...leftOut({ foreign, malformed }), ...notes].join('\n  '),
      );
    const pages = [...this.pages.values()].sort(newestFirst).slice(0, this.limit);
    return { site, pages, files, found, foreign, malformed, notes };
  }

  private bound({ changed }: ListedFile): string | undefined {
    if (this.files >= MAX_FILES) return `at most ${MAX_FILES} are`;
    if (this.pages.size >= MAX_FOUND) return `at most ${inDigits(MAX_FOUND)} pages are collected`;
    if (performance.now() > this.end) return `reading them takes more than ${MAX_MS / 60_000} minutes`;
    // Files are read newest first: what is left is older than what was found.
    if (changed !== null && this.pages.size >= this.limit)
      return 'those read hold as many pages as are wanted, and newer';
    return undefined;
  }

  private follow(entries: readonly FoundPage[], { depth, fetched }: { depth: number; fetched: string }): void {
    if (depth > MAX_DEPTH) {
      this.note(`${fetched}: indexes are followed ${MAX_DEPTH} deep; this one is deeper.`);
      return;
    }
    for (const { url, changed } of entries) this.left.push({ url, changed, depth });
    this.left.sort(newestFirst);
  }

  /** What two files say of a page is one page, as new as the newer says. */
  private keep({ url, changed, title }: FoundPage): void {
    const known = this.pages.get(url);
    if (known === undefined) {
      if (this.pages.size < MAX_FOUND) this.pages.set(url, { url, changed, title });
      return;
    }
    known.changed = Math.max(known.changed ?? 0, changed ?? 0) || null;
    known.title ||= title;
  }
}

const newestFirst = (one: { changed: number | null }, other: { changed: number | null }): number =>
  (other.changed ?? 0) - (one.changed ?? 0);

/** What of the files is no page of the site, for people. */
export function leftOut({ foreign, malformed }: Pick<FoundPages, 'foreign' | 'malformed'>): string[] {
  return [
    ...(foreign === 0
      ? []
      : [
          `left out: ${foreign} on hosts that are not the site's; afterword site change <site-id> --domain <host> adds one`,
        ]),
    ...(malformed === 0 ? [] : [`left out: ${malformed} without a web address`]),
  ];
}
