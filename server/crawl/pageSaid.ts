// What a page said of itself when it was read, short enough to be kept with its place in the queue.
import type { PageType } from '../posts/post.ts';
import type { CrawledPage } from './readSitePage.ts';

export interface PageSaid {
  /** Canonical URL. */
  url: string;
  pageType: PageType;
  title: string;
  imageUrl: string;
  /** Epoch milliseconds; null: it said none. */
  pubDate: number | null;
  section: string;
  authors: string[];
  tags: string[];
  language: string;
  words: number;
}

/** Of a text, and of a list: what is longer is no name of anything. */
const MAX_TEXT = 1_000;
const MAX_NAMES = 50;

export function pageSaid({ url, patch, wordCount }: CrawledPage): PageSaid {
  const text = (long: string) => long.slice(0, MAX_TEXT);
  const names = (all: readonly string[]) => all.slice(0, MAX_NAMES).map((name) => name.slice(0, 200));
  return {
    url,
    pageType: patch.pageType,
    title: text(patch.title),
    imageUrl: patch.imageUrl,
    pubDate: patch.pubDate,
    section: text(patch.section),
    authors: names(patch.authors),
    tags: names(patch.tags),
    language: patch.language,
    words: wordCount,
  };
}
