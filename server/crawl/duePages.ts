// The entries of the queue that are due, as the database listed them last.
import { parseUrl } from '../posts/parseUrl.ts';
import type { LoadedDirectory } from '../sites/directory.ts';
import type { Store } from '../storage/store.ts';
import type { Copies, Share } from './copies.ts';
import { keyOf, type QueueEntry } from './queueEntry.ts';

export interface DuePagesOptions {
  crawlQueue: Pick<Store['crawlQueue'], 'due'>;
  sites: Pick<LoadedDirectory, 'find' | 'refresh'>;
  /** Default: this copy of the server is alone. */
  copies?: Pick<Copies, 'share'> | undefined;
  /** Writes an entry back as it is after its turn. */
  settle(before: QueueEntry, after: QueueEntry): Promise<void>;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
}

export interface DuePages {
  /** What is due and was not started; nothing while another copy may have this one's hosts. */
  list(): Promise<QueueEntry[]>;
  started(entry: QueueEntry): void;
  finished(entry: QueueEntry): void;
  /** The queue has changed: the next list is read from the database. */
  expire(): void;
}

/** How often the database is asked for what is due. Pages queued by this process are seen at once. */
export const POLL_MS = 5_000;
const POLL_ROWS = 200;
const POLL_ROWS_PER_SITE = 50;

export function createDuePages({ crawlQueue, sites, copies, settle, now, clock }: DuePagesOptions): DuePages {
  /** Done since the database was last asked, whose answer may be older. */
  const finished = new Set<string>();
  let planned: QueueEntry[] = [];
  let share: Share | undefined;
  let nextPoll = 0;

  /** @returns false while another copy may have this one's hosts. A change of the copies makes a new plan. */
  function takeShare(): boolean {
    const now = copies?.share();
    if (now !== share) {
      share = now;
      planned = [];
      nextPoll = 0;
    }
    return copies === undefined || share !== undefined;
  }

  async function poll(): Promise<void> {
    nextPoll = clock() + POLL_MS;
    finished.clear();
    const due = await crawlQueue.due({ now: now(), limit: POLL_ROWS, perSite: POLL_ROWS_PER_SITE, share });
    // Another copy of the server may have made it a moment ago.
    if (due.some(({ site }) => sites.find(site) === undefined)) await sites.refresh();
    planned = [];
    for (const entry of due) {
      if (finished.has(keyOf(entry))) continue;
      if (parseUrl(entry.url) && sites.find(entry.site) !== undefined) planned.push(entry);
      // An entry without a valid address, or of a site that was removed, must not keep those behind it waiting.
      else await settle(entry, { ...entry, due: 0, updatedAt: now() });
    }
  }

  return {
    async list() {
      if (!takeShare()) return [];
      if (clock() >= nextPoll) await poll();
      return planned;
    },
    started(entry) {
      planned = planned.filter((other) => other !== entry);
    },
    finished: (entry) => void finished.add(keyOf(entry)),
    expire() {
      nextPoll = 0;
    },
  };
}
