// What one source on a page says about it: fields of a post, its address and its kind. Each source fills in what it
// knows.
import type { PageType } from '../post.ts';

/** Authors of one page. */
export const MAX_AUTHORS = 100;
/** Characters of an article's text. */
export const MAX_TEXT = 500_000;

/** Where a field was read, from the weakest word to the strongest. */
export const SOURCES = ['html', 'opengraph', 'json-ld', 'parsely-page', 'parsely-meta'] as const;

export type Source = (typeof SOURCES)[number];

export interface Finding {
  /** Absolute address the page gives as its own. */
  url?: string;
  pageType?: PageType;
  title?: string;
  /** What the page calls its site. */
  siteNames?: string[];
  imageUrl?: string;
  /** Epoch milliseconds. */
  pubDate?: number;
  section?: string;
  authors?: string[];
  tags?: string[];
  language?: string;
  postId?: string;
  /** JSON text. */
  metadata?: string;
  /** Text of the article where the source itself carries it. */
  text?: string;
}

/** Without the fields that have nothing to say. */
export function finding(fields: { [K in keyof Finding]: Finding[K] | undefined }): Finding {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
