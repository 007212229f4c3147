// A page in the crawler's queue: what is known about reading it, and when it is read next.
import type { SiteId } from '../sites/site.ts';
import type { Failure } from './failure.ts';

/** Times are epoch milliseconds. */
export interface QueueEntry {
  site: SiteId;
  url: string;
  firstSeen: number;
  /** When it is read next; 0: not until somebody asks. */
  due: number;
  /** Somebody asked for it: it comes before those that were only seen. */
  requested: boolean;
  /** Failures in a row. */
  attempts: number;
  /** 0: never. */
  lastRead: number;
  /** What hindered the last attempt, "" when it was read. */
  lastFailure: Failure | '';
  updatedAt: number;
}
