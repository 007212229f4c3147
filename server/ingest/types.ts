// The interface of the ingest: accepting events, their outcomes, and their senders.

import type { LedgerCounts } from './counts.ts';
import type { Spool } from './queue/spool.ts';
import type { DropCourse } from './recentDrops.ts';
import type { Refusal } from './refusedError.ts';

/** The sender of a request with events. Never stored. */
export interface Sender {
  ip: string;
  userAgent: string;
  /** Origin or referrer of the request itself, "" when not sent. */
  referer: string;
  /** Set for a program that reports what others do: its user agent is not that of the visitors. */
  sendsFor?: 'app users' | 'visitors';
  /** Address of the visitor, when the sender reports for one. */
  visitorIp?: string;
  /** Network of addresses whose rate it counts against, known also where `ip` is not used; undefined: none. */
  source?: string | undefined;
  /** A pixel, which is not sent again: events beyond a quota are dropped, not refused. Default: false. */
  isPixel?: boolean;
  /** Events of its rate that `reserve` has taken for this batch. Default: 0. */
  reserved?: number;
  /** Events of the batch beyond the bound of a body, as its length suggests: counted as dropped. Default: 0. */
  unread?: number;
}

/**
 * Why an event was not stored; `too-many-urls`: it was stored, without its page, video or referring page, as "(other)".
 * Each is counted.
 */
export type DropReason =
  | 'malformed'
  | 'unknown-site'
  | 'foreign-host'
  | 'bot'
  | 'bad-url'
  | 'unknown-action'
  | 'bad-increment'
  | 'opted-out'
  | 'duplicate'
  | 'too-many-urls'
  | 'too-many-bytes'
  | Refusal['reason'];

export interface IngestReport {
  stored: number;
  dropped: Partial<Record<DropReason, number>>;
  /** Host that the last of the events dropped as `foreign-host` names, without its port. */
  foreignHost?: string | undefined;
}

/** Events that are not stored yet. */
export interface Backlog {
  /** Events whose senders are not answered yet. */
  waiting: number;
  /** Files of the write-ahead log, whose senders were answered. */
  spooledGroups: number;
  spooledEvents: number;
  spooledBytes: number;
  /** Age of the oldest of those files in milliseconds: lists lag behind by at most so much; 0 where there is none. */
  spooledFor: number;
  /** Files of the log that cannot be read now and are retried; the events in them, as far as known; the last error. */
  retrying: { files: number; events: number; why: string | undefined };
  /** Bytes that the log has room for; 0 where there is none. */
  spoolRoom: number;
}

export interface Ingest {
  /**
   * Takes a batch's share of its sender's rate by its size, before it is parsed: junk and empty batches cost too.
   * @param bytes Of its body.
   * @returns Events taken, for `sender.reserved`.
   * @throws {RefusedError} when the rate is used up.
   */
  reserve(sender: Pick<Sender, 'source'>, bytes: number): number;
  /**
   * Takes events as they came (meant to be `IncomingEvent`s); resolves when all that are kept are synced in the
   * write-ahead log.
   * @throws {OverloadedError} when neither engine nor queue can take more; nothing of the batch is stored then.
   * @throws {RefusedError} when it is more than a limit allows; nothing of the batch is stored then either.
   */
  accept(events: readonly unknown[], sender: Sender): Promise<IngestReport>;
  /** Totals since start, per site and outcome. */
  counts(): { site: string; outcome: 'stored' | DropReason; count: number }[];
  /** Events of bots since start, by the bot's name; `other` for those the table of names has not. */
  bots(): { name: string; count: number }[];
  /** Drops of a site in the last minutes, as this process counted them. */
  recentDrops(site: string): DropCourse[];
  /** What stored reports of lists said, since start. */
  ledger(): LedgerCounts;
  /** Events that are not stored yet. */
  backlog(): Backlog;
  /** Erases the salts of earlier days, which all copies of the server share. Default: nothing is shared. */
  eraseSalts?(): Promise<void>;
  /** What became of events that cannot be inserted; undefined where there is no spool. */
  spool?: Spool | undefined;
  /** Writes what waits and takes no more; the engine has a moment to take what is on the disk. */
  drain(): Promise<void>;
}
