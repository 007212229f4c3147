// When a page is read next. Pure: an entry and what happened in, an entry out.
import { DAY, HOUR, MINUTE } from '../durations.ts';
import { type CrawlError, mayPass } from './failure.ts';
import { LISTED, type QueueEntry } from './queueEntry.ts';

/** A page is read again this often on its first day: articles are corrected while they are new. */
const REREAD_MS = HOUR;

/** Failures in a row after which only a request makes us try again: with the delays below, about a day and a half. */
export const MAX_ATTEMPTS = 8;

/**
 * Until a page that was read before and has no page now is asked for again: its server may be wrong for an hour, and
 * what was removed may come back.
 */
const GONE_AGAIN_MS = [HOUR, DAY, 7 * DAY, 28 * DAY];

/** Between attempts: 1, 4, 16, 64 minutes, then every 6 hours. */
const backOff = (attempts: number): number => Math.min(MINUTE * 4 ** (attempts - 1), 6 * HOUR);

/** A page that was viewed or requested. One that waits already keeps its place. */
export function queued(
  known: QueueEntry | undefined,
  { priority = 1, ...page }: Pick<QueueEntry, 'site' | 'url' | 'requested'> & { priority?: number },
  now: number,
): QueueEntry {
  const before = known ?? {
    ...page,
    priority,
    firstSeen: now,
    due: 0,
    attempts: 0,
    lastRead: 0,
    lastFailure: '',
    updatedAt: 0,
  };
  return {
    ...before,
    requested: before.requested || page.requested,
    priority: Math.max(before.priority, priority),
    due: before.due > 0 && before.due < now ? before.due : now,
    // A request for the page implies that the cause of the failure was removed.
    attempts: page.requested ? 0 : before.attempts,
    updatedAt: Math.max(now, before.updatedAt),
  };
}

/**
 * @param published Epoch milliseconds, where the page has it: an article of last year is not new because this server
 * is.
 */
export function afterRead(entry: QueueEntry, now: number, published: number | null = null): QueueEntry {
  const next = now + REREAD_MS;
  // Most pages of an archive are old: one that names no date is taken for old, too.
  const first = entry.priority === LISTED ? 0 : entry.firstSeen;
  const born = Math.min(published ?? first, entry.firstSeen);
  const due = next <= born + DAY ? next : 0;
  return inOrder(entry, {
    ...entry,
    due,
    requested: false,
    attempts: 0,
    lastRead: now,
    lastFailure: '',
    updatedAt: now,
  });
}

export function afterFailure(
  entry: QueueEntry,
  error: Pick<CrawlError, 'failure' | 'retryAfter'>,
  now: number,
): QueueEntry {
  const attempts = entry.attempts + 1;
  const wait = waitAfter({ ...entry, attempts }, error);
  return inOrder(entry, {
    ...entry,
    due: wait === undefined ? 0 : now + wait,
    requested: false,
    attempts,
    lastFailure: error.failure,
    updatedAt: now,
  });
}

/** Milliseconds until the next attempt; undefined: only a request makes us try again. */
function waitAfter(
  { attempts, lastRead }: QueueEntry,
  { failure, retryAfter = 0 }: Pick<CrawlError, 'failure' | 'retryAfter'>,
): number | undefined {
  if (failure === 'gone' && lastRead > 0) return GONE_AGAIN_MS[attempts - 1];
  if (!mayPass(failure) || attempts >= MAX_ATTEMPTS) return undefined;
  return Math.min(Math.max(backOff(attempts), retryAfter), DAY);
}

/**
 * Whether a page that was read before is gone for good: two answers in a row, an hour apart, said that there is none.
 * One that was never read may be hidden from crawlers. The answer to a request is no second one, as it may come a
 * minute after the first; nor is one that came while the clock is behind the first.
 */
export const isGone = (
  { lastRead, lastFailure, requested, updatedAt }: QueueEntry,
  { failure }: Pick<CrawlError, 'failure'>,
  now: number,
): boolean => failure === 'gone' && lastFailure === 'gone' && lastRead > 0 && !requested && updatedAt <= now;

/** A page that its site's quota of posts has no room for. */
export function afterLeftOut(entry: QueueEntry, now: number): QueueEntry {
  const after = { due: now + DAY, requested: false, attempts: 0, lastFailure: '' as const, updatedAt: now };
  return inOrder(entry, { ...entry, ...after });
}

/** Whether a page that was not read since it was queued was left out: one that waits for its turn is due at once. */
export const isLeftOut = ({ due, updatedAt, lastFailure }: QueueEntry): boolean =>
  lastFailure === '' && due > updatedAt;

/**
 * Keeps the versions of an entry in order when the clock was set back: the newest counts. A due time beyond its own
 * time of writing was set by a clock that was ahead, and such an entry is due at once; this one keeps its due time,
 * which is no later than that.
 */
function inOrder(before: QueueEntry, after: QueueEntry): QueueEntry {
  if (before.updatedAt <= after.updatedAt) return after;
  return { ...after, updatedAt: before.updatedAt, due: Math.min(after.due, before.updatedAt) };
}
