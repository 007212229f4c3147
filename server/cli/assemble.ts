// The one place that makes the server out of its parts, and takes it apart in the right order.
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { createListener, openLists } from '../app.ts';
import type { ServerSettings } from '../config.ts';
import type { Deps } from '../context.ts';
import { BEAT_MS, type Copies, createCopies } from '../crawl/copies.ts';
import { CRAWL_MS, type CrawlerOptions, createCrawler, type RunningCrawler } from '../crawl/crawler.ts';
import { openReading } from '../crawl/reading.ts';
import { watchForwarding } from '../http/forwarding.ts';
import { createIngest } from '../ingest/ingest.ts';
import { scheduleIngest } from '../ingest/scheduler.ts';
import type { Ingest } from '../ingest/types.ts';
import { type Job, onOneCopy, startJobs, whileShared } from '../jobs.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createEventPosts } from '../posts/eventPosts.ts';
import { createProfiles } from '../readers/profiles.ts';
import { createReadership } from '../readers/readership.ts';
import { createLibrary } from '../siteIndex/library.ts';
import type { Library } from '../siteIndex/types.ts';
import { warmUp } from '../siteIndex/warmUp.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import { openDirectory } from '../sites/directory.ts';
import { createExclusions } from '../sites/exclusions.ts';
import { openPartners } from '../sites/partners.ts';
import { createQuotas } from '../sites/quotas.ts';
import type { Store } from '../storage/store.ts';
import { createAdmin } from './admin.ts';
import { withExclusionSnapshot } from './exclusionSnapshot.ts';
import type { Installation } from './installation.ts';
import { openServerData, type ServerData } from './openServerData.ts';
import { openThumbnails } from './openThumbnails.ts';
import { refuseReads } from './refuseReads.ts';
import { toIndexMemory } from './settings/indexMemory.ts';
import { toLimits } from './settings/limits.ts';

export interface Assembly {
  listener: RequestListener;
  admin: Hono;
  /** How many sites there are. */
  sites(): number;
  /** The parts a guest of the process works with. */
  parts: { store: Store; directory: SiteDirectory; library: Library };
  ping(): Promise<void>;
  /** Bytes of events the spool has room for. */
  spoolRoom(): number;
  /** Files of the spool that cannot be used now. */
  retrying(): number;
  /** Whether the last events that came could not be written. */
  refusing(): boolean;
  /** Why no list can be answered yet, where the server was started while its database was away. */
  waitingFor(): string | undefined;
  /** Called for each accepted connection: others may wait behind it. */
  connected(): void;
  /** Writes what waits, then lets the data go. No request may be under way any more. */
  close(): Promise<void>;
}

export interface AssembleOptions {
  settings: ServerSettings;
  log: Logger;
  now: () => number;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** What this program is, and where its files are. */
  installation: Installation;
  metrics: Pick<Metrics, 'engine' | 'stored' | 'watch'>;
  /** The data folder is given another database on purpose. Default: that is refused. */
  changeEngine?: boolean | undefined;
  /** Whether the server may take events before its database answers. */
  mayWait: boolean;
}

/** Sites made by another copy of the server, or by a command beside a remote engine, are seen within this. */
const REFRESH_SITES_MS = 10_000;
/** Events that other copies took are counted against the quotas of sites within this. */
const COUNT_QUOTAS_MS = 10_000;
/** Old events are removed so soon after a day has ended or a quota has changed; between that it costs no question. */
const RETAIN_MS = 2_000;
/** Posts written by another copy of the server are recommended within this. */
const REFRESH_POSTS_MS = 5_000;
/** What readers read is learned within this, and ten seconds. */
const LEARN_MS = 15_000;
const DROP_IDLE_MS = 60_000;
/** Salts of earlier days are erased within this; a copy that takes the job over, too. */
const ERASE_SALTS_MS = 10_000;
/** What events say of posts is written within this. */
const WRITE_POSTS_MS = 1_000;

/** @throws {CommandError} when the data cannot be opened; whatever goes wrong, nothing stays open. */
export async function assemble(options: AssembleOptions): Promise<Assembly> {
  const { settings, log, now, metrics, changeEngine, mayWait } = options;
  const data = await openServerData(settings, { log, now, meter: metrics.engine, changeEngine, mayWait });
  try {
    return await assembleOn(data, options);
  } catch (error) {
    await data.store.close();
    throw error;
  }
}

async function assembleOn({ store, opening }: ServerData, options: AssembleOptions): Promise<Assembly> {
  const { settings, log, now, clock, installation, metrics } = options;
  const { widgetDir, indexThread: thread } = installation;
  const { publicUrl, trustedProxies } = settings;
  const limits = toLimits(settings);
  const isRemote = settings.clickhouseUrl.length > 0;
  const indexes = join(settings.data, 'indexes');
  const isOpen = () => opening === undefined || opening.isOpen();
  const [sites, thumbnails] = await Promise.all([
    openDirectory(store.sites, now),
    openThumbnails({ settings, installation, store, log, now, clock }),
  ]);
  const partners = await openPartners(store.partners, now);
  const quotas = createQuotas({ sites, store, log, now, clock });
  const memory = toIndexMemory(settings.indexMemory);
  const library = createLibrary({
    store,
    now,
    log,
    folder: indexes,
    thread,
    memory: memory.posts,
    snapshotsAlone: isRemote,
    takePost: quotas.posts.take,
  });
  const profiles = createProfiles({ store, now });
  const readership = createReadership({ store, library, now, log, memory: memory.readers });
  const copies = createCopies({ store: store.copies, clock, isShared: store.isShared });
  const crawler = createServerCrawler({ store, sites, library, log, now, clock, copies }, settings, installation);
  const uncounted = (err: unknown) => log.error({ err }, 'quotas could not be counted; they are counted again soon');
  if (opening === undefined) await quotas.refresh().catch(uncounted);
  const eventPosts = createEventPosts({ library, now, clock });
  const taking = await createIngest({
    store,
    sites,
    pageOf: library.pageOf,
    // What the library does not have it would load, which fails until there is a database.
    isPost: (site, url) => isOpen() && library.isPost(site, url),
    log,
    now,
    clock,
    dir: join(settings.data, 'ingest'),
    viewed: crawler.viewed,
    described: eventPosts.described,
    onStored: metrics.stored,
    limits: limits.ingest,
    quota: quotas.events,
    salts: isRemote ? store.salts : undefined,
    opened: opening?.opened,
  });
  const ingest = scheduleIngest(taking);
  const deps: Deps = {
    now,
    clock,
    log,
    store,
    sites,
    partners,
    ingest,
    library,
    profiles,
    readership,
    crawler,
    thumbnails,
    exclusions: createExclusions({
      store: isRemote ? withExclusionSnapshot(store.exclusions, { folder: indexes, log }) : store.exclusions,
      now,
      clock,
    }),
    settings: { publicUrl, trustedProxies, widgetDir, maxBatchBytes: limits.maxBatchBytes, readRate: limits.readRate },
  };
  const lists = openLists(deps);
  const forwarding = watchForwarding({ trustedProxies, log });
  const listener = forwarding.watched(createListener(deps, lists));
  metrics.watch({ eventPosts, ingest, crawler, library, readership, lists, sites, quotas, store, thumbnails });
  const retain: Job = { name: 'remove old events', every: RETAIN_MS, run: () => quotas.retention.tick() };
  const jobs: Job[] = [
    { name: 'count quotas', every: COUNT_QUOTAS_MS, run: () => quotas.refresh() },
    onOneCopy(retain, { owns: copies.owns, log }),
    ...copyJobs({ copies, ingest, log }),
    ...[
      { name: 'refresh sites', every: REFRESH_SITES_MS, run: () => sites.refresh() },
      { name: 'refresh partners', every: REFRESH_SITES_MS, run: () => partners.refresh() },
      { name: 'refresh posts', every: REFRESH_POSTS_MS, run: () => library.refresh() },
    ].map((job) => whileShared(job, store)),
    { name: 'read pages', every: CRAWL_MS, run: () => crawler.tick() },
    { name: 'write posts of events', every: WRITE_POSTS_MS, run: () => eventPosts.tick() },
    { name: 'learn what was read', every: LEARN_MS, run: () => readership.refresh() },
    { name: 'drop idle indexes', every: DROP_IDLE_MS, run: async () => library.dropIdle() },
    { name: 'drop idle readers', every: DROP_IDLE_MS, run: async () => readership.dropIdle() },
  ];
  const stopping = new AbortController();
  let stopJobs = async () => {};
  let warmed = Promise.resolve();
  const begin = () => {
    stopJobs = startJobs(jobs, log, clock);
    copies.beat().catch((err: unknown) => log.error({ err }, 'pages are not read until the other copies are known'));
    warmed = warmUp({
      readings: store.readings,
      library,
      readership,
      isSite: (id) => sites.find(id) !== undefined,
      now,
      log,
      stop: stopping.signal,
    });
  };
  if (opening === undefined) begin();
  else
    void opening.opened.then(async () => {
      const failed = (err: unknown) => log.error({ err }, 'the sites could not be read; they are read again soon');
      await Promise.all([sites.refresh(), partners.refresh()]).catch(failed);
      await quotas.refresh().catch(uncounted);
      if (!stopping.signal.aborted) begin();
      log.info('the database answers: lists are served');
    });
  return {
    listener: opening === undefined ? listener : refuseReads(listener, opening),
    admin: createAdmin({
      now,
      sites,
      partners,
      store,
      library,
      quotas,
      ingest,
      spool: ingest.spool,
      profiles,
      crawler,
      thumbnails,
      forwarding,
      live: { ingest: taking, data: settings.data, log, stopping: stopping.signal },
    }),
    sites: () => sites.list().length,
    parts: { store, directory: sites, library },
    ping: () => store.ping(),
    spoolRoom: () => ingest.backlog().spoolRoom,
    retrying: () => ingest.backlog().retrying.files,
    refusing: () => ingest.refusing(),
    waitingFor: () => (isOpen() ? undefined : opening?.message),
    connected: ingest.connected,
    async close() {
      stopping.abort();
      await stopJobs();
      await crawler.drain();
      await copies
        .leave()
        .catch((err: unknown) => log.warn({ err }, 'other copies read its pages only in some seconds'));
      await thumbnails.close();
      await ingest.drain();
      await eventPosts.drain().catch((err: unknown) => log.error({ err }, 'metadata of events could not be written'));
      await profiles.drain();
      const closed = Promise.all([readership.close(), library.close()]);
      await Promise.all([closed, warmed]);
      await store.close();
    },
  };
}

/** What a copy does because there are others. Jobs that change what all of them share go through `onOneCopy`. */
const copyJobs = ({ copies, ingest, log }: { copies: Copies; ingest: Ingest; log: Logger }): Job[] => [
  { name: 'renew the entry of this copy', every: BEAT_MS, run: () => copies.beat() },
  onOneCopy(
    { name: 'erase salts', every: ERASE_SALTS_MS, run: async () => ingest.eraseSalts?.() },
    { owns: copies.owns, log },
  ),
];

function createServerCrawler(
  parts: Omit<CrawlerOptions, 'reading' | 'clock'> & { clock: () => number },
  { publicUrl, allowPrivateCrawl }: ServerSettings,
  { version, readingThread }: Installation,
): RunningCrawler {
  const { clock } = parts;
  const reading = openReading({ thread: readingThread, version, publicUrl, allowPrivate: allowPrivateCrawl, clock });
  return createCrawler({ ...parts, reading });
}
