// Events in: rates, pipeline, duplicates, bounds, group commit, counts. What the doors talk to.
import { join } from 'node:path';
import type { Logger } from 'pino';
import {
  type DropReason,
  type Ingest,
  type IngestReport,
  OverloadedError,
  RefusedError,
  type Sender,
  type SiteDirectory,
} from '../deps.ts';
import type { SiteId } from '../sites/site.ts';
import type { SaltStore, Store } from '../storage/store.ts';
import { type AdmissionLimits, createAdmission } from './admission.ts';
import { createBoundNames, type NameLimits } from './boundNames.ts';
import { createCounts } from './counts.ts';
import { createDurableWriter } from './durableWriter.ts';
import type { EventRow } from './eventRow.ts';
import { createGroupCommit } from './groupCommit.ts';
import type { FieldLengths } from './parseEvent.ts';
import { runPipeline } from './pipeline.ts';
import { createRecentKeys } from './recentKeys.ts';
import { openSaltKeeper } from './saltKeeper.ts';
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
  /** Where copies of the server that share a database agree on the salt of the day. Default: there are none. */
  salts?: SaltStore | undefined;
  limits?: IngestLimits;
  /** Shortest time between two inserts, in milliseconds; default 250. An answer waits up to this long. */
  groupIntervalMs?: number;
  /** How long a group waits for the engine before it goes to the spool, in milliseconds; default 5,000. */
  deadlineMs?: number;
  /** First and longest pause between attempts while the engine is away, in milliseconds; default 250 and 5,000. */
  retryMs?: readonly [first: number, longest: number];
}

export interface IngestLimits extends NameLimits, AdmissionLimits {
  /** Default: 512 characters of a text, 8,192 of a URL. */
  lengths?: FieldLengths | undefined;
  /** Bytes of the spool; default 1 GiB, which is some two million events. */
  spoolBytes?: number;
}

/** Events remembered to tell repeated ones: at least this many, at most twice. */
const RECENT_KEYS = 250_000;
/** Pages remembered from before the start, so that they do not count as invented. */
const RECENT_URLS = 100_000;

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
    salts,
    limits = {},
    groupIntervalMs: intervalMs,
    deadlineMs,
    retryMs,
  } = options;
  const salt = await openSaltKeeper({ file: dir && join(dir, 'salt'), shared: salts, now, log });
  const recent = createRecentKeys(RECENT_KEYS);
  const names = createBoundNames(limits);
  const admission = createAdmission(limits, sites);
  const counts = createCounts();
  const spoolBytes = limits.spoolBytes ?? 2 ** 30;
  const spool = dir === undefined ? undefined : await openSpool<EventRow>(join(dir, 'spool'), spoolBytes);
  const journal = dir === undefined ? undefined : await openSpool<EventRow>(join(dir, 'journal'), Infinity);

  for (const key of await store.events.recentKeys({ now: now(), limit: RECENT_KEYS })) recent.know(key);
  for (const { site, url } of await store.events.recentUrls({ now: now(), limit: RECENT_URLS })) names.know(site, url);
  for (const waiting of [journal, spool])
    for await (const row of waiting?.rows() ?? []) if (row.key !== undefined) recent.know(row.key);

  const { append } = store.events;
  const writer = createDurableWriter<EventRow>({ append, spool, journal, log, deadlineMs, retryMs });
  // Who asks after a start finds what was under way before it.
  await writer.recovered;
  const buffer = createGroupCommit<EventRow>({ write: writer.write, intervalMs });

  function sift(events: readonly unknown[], sender: Sender): Sifted {
    const arrival = now();
    const around = { findSite: (id: string) => sites.find(id), salt: salt.of, arrival, lengths: limits.lengths };
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

  function admit(events: readonly unknown[], sender: Sender): readonly unknown[] {
    try {
      return admission.admit(events, sender, now());
    } catch (error) {
      if (error instanceof RefusedError) counts.add(siteOf(error), error.refusal.reason, events.length);
      throw error;
    }
  }

  return {
    async accept(events, sender) {
      const taken = admit(events, sender);
      const { rows, keys, twins, drops } = sift(taken, sender);
      const left = events.length - taken.length;
      if (left > 0) drops.push({ site: '', reason: 'too-many-events', count: left });
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
      const spoolRoom = spool === undefined ? 0 : Math.max(0, spoolBytes - bytes);
      return { waiting: buffer.depth(), spooledGroups: groups, spooledBytes: bytes, spoolRoom };
    },
    async drain() {
      salt.close();
      await buffer.drain();
      await writer.close();
    },
  };
}

const siteOf = ({ refusal }: RefusedError) => ('site' in refusal ? refusal.site : '');

function report(stored: number, drops: readonly Drop[]): IngestReport {
  const dropped: IngestReport['dropped'] = {};
  for (const { reason, count } of drops) dropped[reason] = (dropped[reason] ?? 0) + count;
  return { stored, dropped };
}
