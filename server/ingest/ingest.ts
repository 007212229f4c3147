// Events in: rates, pipeline, duplicates, bounds, group commit, counts. What the doors talk to.
import { join } from 'node:path';
import type { Logger } from 'pino';
import {
  type DropReason,
  type Ingest,
  type IngestReport,
  OverloadedError,
  type Sender,
  type SiteDirectory,
} from '../deps.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { createBoundNames, type NameLimits } from './boundNames.ts';
import { createCounts } from './counts.ts';
import { createDailySalt } from './dailySalt.ts';
import { createDurableWriter } from './durableWriter.ts';
import type { EventRow } from './eventRow.ts';
import { createGroupCommit } from './groupCommit.ts';
import { runPipeline } from './pipeline.ts';
import { createRateLimit, prefixOf, type Rate } from './rateLimit.ts';
import { createRecentKeys } from './recentKeys.ts';
import { openSpool } from './spool.ts';

export interface IngestOptions {
  store: Pick<Store, 'events'>;
  sites: Pick<SiteDirectory, 'find'>;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of every stored page view; must cost next to nothing and never throw. Default: nobody is told. */
  viewed?: (site: SiteId, url: string) => void;
  /**
   * Folder for the spool and the day's salt. Without one nothing is taken while the engine is away, and visitors
   * without an id are new ones after a restart.
   */
  dir?: string;
  limits?: IngestLimits;
  /** Shortest time between two inserts, in milliseconds; default 250. An answer waits up to this long. */
  groupIntervalMs?: number;
  /** How long a group waits for the engine before it goes to the spool, in milliseconds; default 5,000. */
  deadlineMs?: number;
  /** First and longest pause between attempts while the engine is away, in milliseconds; default 250 and 5,000. */
  retryMs?: readonly [first: number, longest: number];
}

export interface IngestLimits extends NameLimits {
  /** Events from one /24 or /48 of addresses; default 200 a second, 10,000 at once. Private networks are not limited. */
  perPrefix?: Rate;
  /** Bytes of the spool; default 1 GiB, which is some two million events. */
  spoolBytes?: number;
}

/** Events remembered to tell repeated ones: at least this many, at most twice. */
const RECENT_KEYS = 250_000;
/** Pages remembered from before the start, so that they do not count as invented. */
const RECENT_URLS = 100_000;
/** Events of one batch. A page has sent a handful, an app that was offline some hundreds. */
export const MAX_EVENTS = 2000;

const MINUTE_MS = 60_000;

interface Sifted {
  rows: EventRow[];
  keys: string[];
  /** Earlier events that were sent again, while they are being written. */
  twins: Promise<void>[];
  drops: Drop[];
}

interface Drop {
  site: string;
  reason: DropReason;
  count: number;
}

/** Remembers what was stored before the start, then takes events. */
export async function createIngest(options: IngestOptions): Promise<Ingest> {
  const {
    store,
    sites,
    log,
    now,
    viewed,
    dir,
    limits = {},
    groupIntervalMs: intervalMs,
    deadlineMs,
    retryMs,
  } = options;
  const salt = createDailySalt(dir && join(dir, 'salt'));
  const recent = createRecentKeys(RECENT_KEYS);
  const names = createBoundNames(limits);
  const perPrefix = createRateLimit(limits.perPrefix ?? { perSecond: 200, burst: 10_000 });
  const counts = createCounts();
  const spool =
    dir === undefined ? undefined : await openSpool<EventRow>(join(dir, 'spool'), limits.spoolBytes ?? 2 ** 30);

  for (const key of await store.events.recentKeys({ now: now(), limit: RECENT_KEYS })) recent.know(key);
  for (const { site, url } of await store.events.recentUrls({ now: now(), limit: RECENT_URLS })) names.know(site, url);
  for await (const row of spool?.rows() ?? []) if (row.key !== undefined) recent.know(row.key);

  const writer = createDurableWriter<EventRow>({ append: store.events.append, spool, log, deadlineMs, retryMs });
  const buffer = createGroupCommit<EventRow>({ write: writer.write, intervalMs });
  // Yesterday's salt goes with its day, whether anybody comes or not.
  const midnight = setInterval(() => salt(now()), MINUTE_MS).unref();

  function sift(events: readonly unknown[], sender: Sender): Sifted {
    const arrival = now();
    const around = { findSite: (id: string) => sites.find(id), salt, arrival };
    const sifted: Sifted = { rows: [], keys: [], twins: [], drops: [] };
    const inBatch = new Set<string>();
    for (const event of events) {
      const outcome = runPipeline(event, sender, around);
      if ('drop' in outcome) {
        sifted.drops.push({ site: outcome.site, reason: outcome.drop, count: 1 });
        continue;
      }
      const { site, row } = outcome;
      if (row.key !== undefined) {
        const seen = inBatch.has(row.key) ? 'durable' : recent.get(row.key);
        if (seen === 'in doubt') throw new OverloadedError('It is not known yet whether this event was stored.');
        if (seen !== undefined) {
          sifted.drops.push({ site, reason: 'duplicate', count: 1 });
          if (seen !== 'durable') sifted.twins.push(seen);
          continue;
        }
        inBatch.add(row.key);
      }
      // Stored all the same, without its page.
      if (names.bound(row, arrival)) sifted.drops.push({ site, reason: 'too-many-urls', count: 1 });
      sifted.rows.push(row);
    }
    sifted.keys = [...inBatch];
    return sifted;
  }

  return {
    async accept(events, sender) {
      const prefix = prefixOf(sender.ip);
      const wanted = Math.min(events.length, MAX_EVENTS);
      const allowed = prefix === undefined ? wanted : perPrefix.take(prefix, wanted, now());
      const { rows, keys, twins, drops } = sift(events.slice(0, allowed), sender);
      if (allowed < events.length) drops.push({ site: '', reason: 'rate-limited', count: events.length - allowed });
      const written = buffer.add(rows);
      recent.remember(keys, written);
      // A repeated event is answered when the first one is durable, not sooner.
      await Promise.all([written, ...twins]);

      for (const row of rows) {
        counts.add(row.site, 'stored');
        if (row.action === 'pageview') viewed?.(row.site, row.url);
      }
      for (const { site, reason, count } of drops) counts.add(site, reason, count);
      return report(rows.length, drops);
    },
    counts: counts.list,
    backlog() {
      const { groups, bytes } = spool?.size() ?? { groups: 0, bytes: 0 };
      return { waiting: buffer.depth(), spooledGroups: groups, spooledBytes: bytes };
    },
    async drain() {
      clearInterval(midnight);
      await buffer.drain();
      await writer.close();
    },
  };
}

function report(stored: number, drops: readonly Drop[]): IngestReport {
  const dropped: IngestReport['dropped'] = {};
  for (const { reason, count } of drops) dropped[reason] = (dropped[reason] ?? 0) + count;
  return { stored, dropped };
}
