// What the doors call: admission → siftBatch → queue → counts. README.md has the drawing.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { hasName } from '../experiments/experiment.ts';
import type { Described } from '../posts/eventPosts.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { SiteId } from '../sites/site.ts';
import type { SaltStore, Store } from '../storage/store.ts';
import { type Admission, type AdmissionLimits, createAdmission } from './admission.ts';
import {
  createNameCardinality,
  NAME_KINDS,
  type NameCardinality,
  type NameLimits,
} from './cardinality/nameCardinality.ts';
import { createCounts, report } from './counts.ts';
import { createDeduplicationWindow, type DeduplicationWindow } from './dedupe/deduplicationWindow.ts';
import type { EventKey } from './dedupe/eventKey.ts';
import type { EventQuota } from './eventQuota.ts';
import { INGEST_LIMITS } from './limits.ts';
import type { FieldLengths } from './parseEvent.ts';
import { Pipeline } from './pipeline.ts';
import { openQueue, type Queue } from './queue/queue.ts';
import { RefusedError } from './refusedError.ts';
import { openSaltKeeper, type SaltKeeper } from './salts/saltKeeper.ts';
import { createSiftBatch, type SiftBatch, type Sifted } from './siftBatch.ts';
import type { Ingest, IngestReport, Sender } from './types.ts';

export interface IngestOptions {
  store: Pick<Store, 'events'>;
  sites: Pick<SiteDirectory, 'find'>;
  /** Address that traffic of a page counts under; called for events whose address has a query. Default: its own. */
  pageOf?: ((site: SiteId, url: string) => string) | undefined;
  /** Whether an address is a known post's, which is no new name. Default: none is. */
  isPost?: ((site: SiteId, url: string) => boolean) | undefined;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
  /** Monotonic milliseconds, for rates and pauses. Default: `now`. */
  clock?: (() => number) | undefined;
  /**
   * Called with the page of every stored view, and with videos named by an id, and the sender's network; must be cheap
   * and never throw. Default: none.
   */
  viewed?: (site: SiteId, url: string, network: string | undefined) => void;
  /** Called with each post that was opened from a list; must be cheap and never throw. Default: none. */
  clicked?: (site: SiteId, url: string) => void;
  /** Called with the metadata of a view, where its site takes that; must be cheap and never throw. Default: none. */
  described?: ((said: Described) => void) | undefined;
  /**
   * Called with the seconds from the sync of a file of the write-ahead log until it is in the tables. Default: none.
   */
  onStored?: ((seconds: number) => void) | undefined;
  /**
   * Folder of the write-ahead log and of the day's salt. Without one no events are taken while the engine is away, each
   * sender waits for the engine, and visitors without an id are new ones after a restart.
   */
  dir?: string;
  /** Where copies of the server agree on the salt of the day; undefined while they share no database. Default: none. */
  salts?: (() => SaltStore | undefined) | undefined;
  /** Resolves when the database answers: keys and names of stored events are read then. Default: it answers now. */
  opened?: Promise<void> | undefined;
  limits?: IngestLimits;
  /** Events a site may bring in a day. Default: no limit. */
  quota?: Pick<EventQuota, 'admit' | 'follow'> | undefined;
  /** Between the starts of two small inserts, in milliseconds. Default: as in `INGEST_LIMITS`. */
  groupIntervalMs?: number;
  /** Duration of an insert after which the engine counts as away, in milliseconds; default 5,000. */
  deadlineMs?: number;
  /** First and longest pause between attempts while the engine is away, in milliseconds; default 250 and 5,000. */
  retryMs?: readonly [first: number, longest: number];
}

/** Limits that an operator may set; `INGEST_LIMITS` has the defaults. */
export interface IngestLimits extends NameLimits, AdmissionLimits {
  lengths?: FieldLengths | undefined;
  /** Bytes of the write-ahead log. */
  spoolBytes?: number;
}

/** What a move of the database needs beside the doors. */
export interface TakingIngest extends Ingest, Pick<Queue, 'pause'> {
  /** Agrees with the other copies on the salt of the day now. Never rejects. */
  agreeSalts(): Promise<void>;
}

/** Reads what is stored already, then takes events. */
export async function createIngest(options: IngestOptions): Promise<TakingIngest> {
  const { store, sites, pageOf, log, now, clock = now, described, viewed, clicked, dir, limits = {}, quota } = options;
  const { salts = () => undefined } = options;
  const salt = await openSaltKeeper({ file: dir && join(dir, 'salt'), shared: salts, now, clock, log });
  const window = createDeduplicationWindow(INGEST_LIMITS.recentKeys);
  const names = createNameCardinality({
    ...limits,
    isPost: options.isPost,
    isInExperiment: (site, name) => hasName(sites.find(site)?.experiments ?? [], name),
  });
  const stored = await openStored(options, { window, names, salt });
  const { groupIntervalMs: intervalMs, deadlineMs, retryMs, onStored } = options;
  const queue = await openQueue({
    events: store.events,
    dir: dir && join(dir, 'spool'),
    maxBytes: limits.spoolBytes,
    isUnchecked: stored.isUnchecked,
    storedKeys: stored.readKeys,
    onRow: (row) => window.know(row.slice(row.lastIndexOf('\t') + 1)),
    onStored,
    log,
    now,
    clock,
    intervalMs,
    deadlineMs,
    retryMs,
  });
  const sift = createSiftBatch({
    pipeline: new Pipeline({ findSite: sites.find, pageOf, salt: salt.of, lengths: limits.lengths }),
    window,
    names,
    queue,
    writeLine: store.events.writeLine,
    now,
    described,
    wantsViews: viewed !== undefined,
  });
  const counts = createCounts(now);
  const admission = createAdmission(limits, sites, quota);
  const { reserve, accept } = createAcceptance({
    admission,
    sift,
    queue,
    window,
    quota,
    counts,
    viewed,
    clicked,
    clock,
  });
  return {
    reserve,
    accept,
    eraseSalts: salt.erase,
    agreeSalts: salt.agree,
    counts: counts.list,
    bots: counts.bots,
    recentDrops: counts.recentDrops,
    ledger: counts.ledger,
    spool: queue.spool,
    pause: queue.pause,
    backlog: queue.backlog,
    async drain() {
      salt.close();
      await queue.drain();
    },
  };
}

interface Stored {
  /** Whether the keys of stored events are not in the window yet. */
  isUnchecked(): boolean;
  readKeys(): Promise<readonly string[]>;
}

/**
 * Reads keys and names of stored events; where the database is opened later, then. Until then only the events
 * in the log are known: an event that was stored before and comes again is found when its file is replayed.
 */
async function openStored(
  { store: { events }, opened, now, log }: IngestOptions,
  { window, names, salt }: { window: DeduplicationWindow; names: NameCardinality; salt: SaltKeeper },
): Promise<Stored> {
  let isRead = false;

  async function readKeys(): Promise<readonly string[]> {
    const keys = await events.recentKeys({ now: now(), limit: INGEST_LIMITS.recentKeys });
    for (const key of keys) window.know(key);
    isRead = true;
    return keys;
  }

  async function read(): Promise<void> {
    await readKeys();
    for (const kind of NAME_KINDS) {
      const limit = INGEST_LIMITS.recentNames[kind];
      for (const { site, name } of await events.recentNames({ kind, now: now(), limit })) names.know(kind, site, name);
    }
  }

  const failed = (err: unknown) =>
    log.error({ err }, 'recent events could not be read: they are asked for again with each file');
  if (opened === undefined) await read();
  else void opened.then(() => Promise.all([salt.agree(), read()])).catch(failed);
  return { isUnchecked: () => !isRead, readKeys };
}

interface AcceptanceOptions extends Pick<IngestOptions, 'quota' | 'viewed' | 'clicked'> {
  admission: Admission;
  sift: SiftBatch;
  queue: Queue;
  window: DeduplicationWindow;
  counts: ReturnType<typeof createCounts>;
  clock: () => number;
}

function createAcceptance(options: AcceptanceOptions): Pick<Ingest, 'reserve' | 'accept'> {
  const { admission, sift, queue, window, quota, counts, viewed, clicked, clock } = options;

  function countRefusal(error: unknown, events: number): void {
    if (!(error instanceof RefusedError)) return;
    const { refusal } = error;
    counts.add('site' in refusal ? refusal.site : '', refusal.reason, events);
  }

  /** The events are released when this returns: those of a thousand senders that wait would fill the memory. */
  function begin(events: readonly unknown[], sender: Sender): Promise<IngestReport> {
    const { taken, drops } = admission.admit(events, sender, clock());
    const fresh: EventKey[] = [];
    const { used } = queue.lines;
    try {
      const sifted = sift(taken, sender, fresh);
      if (sender.unread) sifted.drops.push({ site: '', reason: 'too-many-bytes', count: sender.unread });
      sifted.drops.push(...drops);
      const all = sifted.stored.reduce((sum, { count }) => sum + count, 0);
      const written = queue.add(all);
      quota?.follow(sifted.stored, written);
      return finish(sifted, all, written);
    } catch (error) {
      // Nothing of a refused batch is left, or its events would count as repeated when they are sent again.
      queue.lines.used = used;
      for (const key of fresh) window.forget(key);
      throw error;
    }
  }

  function finish(
    { stored, views, clicks, lists, twins, drops }: Sifted,
    all: number,
    written: Promise<void>,
  ): Promise<IngestReport> {
    // A repeated event is acknowledged when the first one is.
    const durable: Promise<unknown> = twins.length > 0 ? Promise.all([written, ...twins]) : written;
    return durable.then(() => {
      for (const { site, count } of stored) counts.add(site, 'stored', count);
      for (const { site, url, network } of views) viewed?.(site, url, network);
      for (const { site, url } of clicks) clicked?.(site, url);
      counts.addLists(lists);
      counts.addDrops(drops);
      return report(all, drops);
    });
  }

  return {
    reserve(sender, bytes) {
      try {
        return admission.reserve(sender, bytes, clock());
      } catch (error) {
        // The number of events of an unread batch is unknown: it counts as one.
        countRefusal(error, 1);
        throw error;
      }
    },
    accept(events, sender) {
      try {
        return begin(events, sender);
      } catch (error) {
        countRefusal(error, events.length);
        return Promise.reject(error);
      }
    },
  };
}
