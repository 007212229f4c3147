// What a sitemap or a feed lists, whatever its format.

/**
 * @see https://www.sitemaps.org/protocol.html, https://www.rssboard.org/rss-specification, RFC 4287,
 * https://www.jsonfeed.org/version/1.1/
 */
export type SitemapFormat = 'sitemap' | 'sitemap index' | 'RSS' | 'Atom' | 'JSON Feed' | 'text';

/** A page, or in a sitemap index another file, as it is listed. */
export interface SitemapEntry {
  /** As written; may be relative in feeds. */
  url: string;
  /** Epoch milliseconds of its last change, else of its publication; null where the file says neither. */
  changed: number | null;
  title: string;
}

export interface SitemapFile {
  format: SitemapFormat;
  entries: SitemapEntry[];
  /** Sentences for the operator. */
  notes: string[];
}

/** Entries read of one file: as many as the protocol allows. */
export const MAX_ENTRIES = 50_000;

/** Pages of one run, of all files together: they are held in memory while they are sorted. */
export const MAX_FOUND = 250_000;

/** Pages that are queued, or asked about, at once. */
export const SITEMAP_BATCH = 500;

/**
 * What was fetched is no sitemap and no feed, or cannot be read as one; `message` says it in a sentence for a
 * publisher.
 */
export class SitemapError extends Error {
  override name = 'SitemapError';
}
