// Events in: rates, pipeline, duplicates, bounds, group commit, counts. What the doors talk to.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { OverloadedError } from '../errors.ts';
import type { Described } from '../posts/eventPosts.ts';
import { postIdIn } from '../posts/postId.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { SiteId } from '../sites/site.ts';
import type { SaltStore, Store } from '../storage/store.ts';
import { type AdmissionLimits, createAdmission } from './admission.ts';
import { OTHER } from './cardinality/cardinalityLimit.ts';
import { createNameCardinality, type NameLimits } from './cardinality/nameCardinality.ts';
import { createCounts, type Drop, report } from './counts.ts';
import { createDeduplicationWindow } from './dedupe/deduplicationWindow.ts';
import type { EventKey } from './dedupe/eventKey.ts';
import type { EventQuota } from './eventQuota.ts';
import type { EventRow } from './eventRow.ts';
import type { FieldLengths } from './parseEvent.ts';
import { runPipeline } from './pipeline.ts';
import { createGathering } from './queue/gathering.ts';
import { createSpool } from './queue/spool.ts';
import { openWriteAheadLog } from './queue/wal/writeAheadLog.ts';
import { createWriter, type Writer } from './queue/writer.ts';
import { RefusedError } from './refusedError.ts';
import { openSaltKeeper } from './salts/saltKeeper.ts';
import { finderOf } from './siteFinder.ts';
import type { Ingest, IngestReport, Sender } from './types.ts';

export interface IngestOptions {
  store: Pick<Store, 'events'>;
  sites: Pick<SiteDirectory, 'find'>;
  /** Address that traffic of a page counts under; asked of each event whose address has a query. Default: its own. */
  pageOf?: ((site: SiteId, url: string) => string) | undefined;
  /** Whether an address is one of a known post's: such a page is no invention. Default: none is known. */
  isPost?: ((site: SiteId, url: string) => boolean) | undefined;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
  /** Monotonic milliseconds, for rates and pauses. Default: `now`. */
  clock?: (() => number) | undefined;
  /** Called with the page of every stored view, and with videos named by an id, and the sender's network; must be cheap and never throw. Default: none. */
  viewed?: (site: SiteId, url: string, network: string | undefined) => void;
  /** Called with what a view says of its page, where its site takes that; must be cheap and never throw. Default: none. */
  described?: ((said: Described) => void) | undefined;
  /**
   * Folder for the spool and the day's salt. Without one nothing is taken while the engine is away, and visitors
   * without an id are new ones after a restart.
   */
  dir?: string;
  /** Where copies of the server that share a database agree on the salt of the day. Default: there are none. */
  salts?: SaltStore | undefined;
  /** The database cannot be asked before this resolves: what it knows is remembered then. Default: it can be asked now. */
  opened?: Promise<void> | undefined;
  limits?: IngestLimits;
  /** How many events a site may bring in a day. Default: as many as come. */
  quota?: Pick<EventQuota, 'admit' | 'follow'> | undefined;
  /** Shortest time between two small inserts, in milliseconds; default 250. An answer waits up to this long. */
  groupIntervalMs?: number;
  /** How long an insert may take before the engine is said to be away, in milliseconds; default 5,000. */
  deadlineMs?: number;
  /** How long a sender waits for the engine once the events are on the disk, in milliseconds; default 2,000. */
  patienceMs?: number;
  /** First and longest pause between attempts while the engine is away, in milliseconds; default 250 and 5,000. */
  retryMs?: readonly [first: number, longest: number];
}

export interface IngestLimits extends NameLimits, AdmissionLimits {
  /** Default: 512 characters of a text, 8,192 of a URL. */
  lengths?: FieldLengths | undefined;
  /** Bytes of what is on this disk and not in the engine yet; default 1 GiB, which is some six million events. */
  spoolBytes?: number;
}

/** Events remembered to tell repeated ones: at least this many, at most twice. */
const RECENT_KEYS = 250_000;
/** Pages remembered from before the start, so that they do not count as invented. */
const RECENT_URLS = 100_000;
const LEFT_ASIDE =
  'files of the spool hold acknowledged events that are not counted: afterword spool list says which, afterword spool retry tries again';

/** What came of a batch; what is told of it once its events are durable. */
interface Sifted {
  /** Events stored, by site: nearly always one. */
  stored: { site: SiteId; count: number }[];
  views: { site: SiteId; url: string; network: string | undefined }[];
  /** Earlier events that were sent again, while they are being written. */
  twins: Promise<void>[];
  drops: Drop[];
}

/** Remembers what was stored before the start, then takes events. */
export async function createIngest(options: IngestOptions): Promise<Ingest & Pick<Writer, 'pause'>> {
  const {
    store,
    sites,
    pageOf,
    isPost,
    log,
    now,
    clock = now,
    viewed,
    described,
    dir,
    salts,
    opened,
    limits = {},
    quota,
    groupIntervalMs: intervalMs,
    deadlineMs,
    patienceMs,
    retryMs,
  } = options;
  const salt = await openSaltKeeper({ file: dir && join(dir, 'salt'), shared: salts, now, clock, log });
  const recent = createDeduplicationWindow(RECENT_KEYS);
  const names = createNameCardinality({ ...limits, isPost });
  const admission = createAdmission(limits, sites, quota);
  const counts = createCounts();
  const spoolBytes = limits.spoolBytes ?? 2 ** 30;
  const { columns, writeLine } = store.events;
  let remembered = false;
  async function storedKeys(): Promise<readonly string[]> {
    const keys = await store.events.recentKeys({ now: now(), limit: RECENT_KEYS });
    for (const key of keys) recent.know(key);
    remembered = true;
    return keys;
  }
  async function rememberStored(): Promise<void> {
    await storedKeys();
    for (const { site, url } of await store.events.recentUrls({ now: now(), limit: RECENT_URLS }))
      names.know(site, url);
  }
  // Until it is open, the events in the log alone are known: one that was stored before, and comes again, is found when that is replayed.
  const failed = (err: unknown) =>
    log.error({ err }, 'recent events could not be read: they are asked for again with each file');
  if (opened === undefined) await rememberStored();
  else void opened.then(() => Promise.all([salt.agree(), rememberStored()])).catch(failed);
  const journal =
    dir === undefined
      ? undefined
      : await openWriteAheadLog(
          { dir: join(dir, 'spool'), columns, maxBytes: spoolBytes, isUnchecked: () => !remembered, log, now },
          (row) => recent.know(row.slice(row.lastIndexOf('\t') + 1)),
        );

  const insert = store.events.appendLines;
  const writer = createWriter({
    insert,
    storedKeys,
    columns,
    journal,
    log,
    clock,
    intervalMs,
    deadlineMs,
    patienceMs,
    retryMs,
  });
  const spool =
    journal &&
    createSpool({
      dir: join(dir!, 'spool'),
      columns,
      insert,
      live: { unreadable: journal.unreadable, unfinished: journal.unfinished, retrying: writer.retrying },
    });
  const left = (await spool?.report())?.files ?? [];
  if (left.length > 0) log.warn({ files: left.map(({ file }) => file) }, LEFT_ASIDE);
  // Who asks after a start finds what was under way before it.
  await writer.recovered;
  const buffer = createGathering({ write: writer.write });

  /** @param news Is given the keys that are new. */
  function sift(events: readonly unknown[], sender: Sender, news: EventKey[]): Sifted {
    const arrival = now();
    const around = { findSite: finderOf(sites), pageOf, salt: salt.of, arrival, lengths: limits.lengths };
    const by = { now: arrival, network: sender.source };
    const sifted: Sifted = { stored: [], views: [], twins: [], drops: [] };
    const written = buffer.written();
    for (const event of events) {
      const outcome = runPipeline(event, sender, around);
      if ('drop' in outcome) {
        sifted.drops.push({ site: outcome.site, reason: outcome.drop, count: 1, bot: outcome.bot });
        continue;
      }
      const { site, row, page, said } = outcome;
      if (row.key !== undefined) {
        const seen = recent.get(row.key);
        if (seen === 'in doubt') throw new OverloadedError('It is not known yet whether this event was stored.');
        if (seen !== undefined) {
          sifted.drops.push({ site, reason: 'duplicate', count: 1 });
          if (seen !== 'durable') sifted.twins.push(seen);
          continue;
        }
        recent.remember(row.key, written);
        news.push(row.key);
      }
      // Stored all the same, without the page, video or referring page that is beyond it.
      if (names.bound(row, by, page)) sifted.drops.push({ site, reason: 'too-many-urls', count: 1 });
      writeLine(row, buffer.lines, page);
      if (said !== undefined && row.url !== OTHER)
        described?.({ site: row.site, url: row.url, patch: said, network: sender.source });
      const tally = sifted.stored.at(-1);
      if (tally?.site === row.site) tally.count++;
      else sifted.stored.push({ site: row.site, count: 1 });
      const name = viewed && nameToLookAt(row);
      if (name !== undefined) sifted.views.push({ site: row.site, url: name, network: sender.source });
    }
    return sifted;
  }

  function countRefused<T>(events: number, admit: () => T): T {
    try {
      return admit();
    } catch (error) {
      if (error instanceof RefusedError) counts.add(siteOf(error), error.refusal.reason, events);
      throw error;
    }
  }

  /** What is not needed while the disk is waited for ends here: a thousand senders' events would be a lot to keep. */
  function begin(events: readonly unknown[], sender: Sender): Promise<IngestReport> {
    const { taken, drops } = countRefused(events.length, () => admission.admit(events, sender, clock()));
    const news: EventKey[] = [];
    const { used } = buffer.lines;
    try {
      const sifted = sift(taken, sender, news);
      if (sender.unread) sifted.drops.push({ site: '', reason: 'too-many-bytes', count: sender.unread });
      sifted.drops.push(...drops);
      const all = sum(sifted.stored, ({ count }) => count);
      const written = buffer.add(all);
      quota?.follow(sifted.stored, written);
      return finish(sifted, all, written);
    } catch (error) {
      // Nothing of a batch that is refused is left, or who sends it again would be told that it is here.
      buffer.lines.used = used;
      for (const key of news) recent.forget(key);
      throw error;
    }
  }

  function finish({ stored, views, twins, drops }: Sifted, all: number, written: Promise<void>): Promise<IngestReport> {
    // A repeated event is answered when the first one is durable, not sooner.
    const durable: Promise<unknown> = twins.length > 0 ? Promise.all([written, ...twins]) : written;
    return durable.then(() => {
      for (const { site, count } of stored) counts.add(site, 'stored', count);
      for (const { site, url, network } of views) viewed?.(site, url, network);
      counts.addDrops(drops);
      return report(all, drops);
    });
  }

  return {
    // How many events an unread batch has is not known: it counts as one.
    reserve: (sender, bytes) => countRefused(1, () => admission.reserve(sender, bytes, clock())),
    accept(events, sender) {
      try {
        return begin(events, sender);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    eraseSalts: salt.erase,
    counts: counts.list,
    bots: counts.bots,
    spool,
    pause: writer.pause,
    backlog() {
      const files = journal?.files() ?? [];
      const owed = files.filter((file) => file.owed);
      return {
        waiting: buffer.depth(),
        spooledGroups: owed.length,
        spooledEvents: sum(owed, ({ events }) => events),
        spooledBytes: sum(owed, ({ bytes }) => bytes),
        spooledFor: owed[0] === undefined ? 0 : Math.max(0, now() - owed[0].since),
        retrying: writer.retrying(),
        spoolRoom: journal === undefined ? 0 : Math.max(0, spoolBytes - sum(files, ({ bytes }) => bytes)),
      };
    },
    async drain() {
      salt.close();
      await buffer.drain();
      await writer.close();
    },
  };
}

/** What its publisher may not have told of yet: the page that was viewed, or the video whose address is not known. */
function nameToLookAt({ action, url, video }: EventRow): string | undefined {
  if (action === 'pageview') return url === OTHER ? undefined : url;
  return action === 'videostart' && video !== OTHER && postIdIn(video) !== undefined ? video : undefined;
}

const sum = <T>(of: readonly T[], what: (each: T) => number) => of.reduce((total, each) => total + what(each), 0);

const siteOf = ({ refusal }: RefusedError) => ('site' in refusal ? refusal.site : '');
