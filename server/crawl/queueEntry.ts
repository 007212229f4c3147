// A page in the crawler's queue: what is known about reading it, and when it is read next.
import type { SiteId } from '../sites/site.ts';
import type { Failure } from './failure.ts';
import type { PageSaid } from './pageSaid.ts';

/** Times are epoch milliseconds. */
export interface QueueEntry {
  site: SiteId;
  url: string;
  firstSeen: number;
  /** When it is read next; 0: not until it is requested. */
  due: number;
  /** It was requested: it is read before those that were only viewed. */
  requested: boolean;
  /**
   * Networks of readers it was seen from before it was read, counted up to 16; `DECLARED` for a post its publisher
   * sent; `LISTED` for a page that only a sitemap names. Pages seen from one network alone wait behind those seen from
   * several, so that invented addresses keep no article waiting, and an archive waits behind all that readers open.
   */
  priority: number;
  /** Failures in a row. */
  attempts: number;
  /** 0: never. */
  lastRead: number;
  /** What hindered the last attempt, "" when it was read. */
  lastFailure: Failure | '';
  /** What the page said when it was read last. Absent: it never was, or before that was kept. */
  said?: PageSaid | undefined;
  updatedAt: number;
}

/** Pages whose last attempt failed for one reason. */
export interface CrawlFailures {
  failure: string;
  count: number;
  /** The last ones to fail. `triedAt`: epoch milliseconds; `again`: they are due some time. */
  pages: { url: string; triedAt: number; again: boolean }[];
}

/** The priority of a post whose publisher sent it without its text. */
export const DECLARED = 1_000;

/** The priority of a page of the archive, as long as no reader opens it. */
export const LISTED = 0;

export const keyOf = ({ site, url }: Pick<QueueEntry, 'site' | 'url'>): string => `${site} ${url}`;
