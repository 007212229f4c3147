// The one place that makes the server out of its parts, and takes it apart in the right order.
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { createFront } from '../app.ts';
import type { ServerSettings } from '../config.ts';
import type { OidcSettings } from '../console/oidc/provider.ts';
import type { Deps } from '../context.ts';
import { createCopies } from '../crawl/copies.ts';
import { createFrontiers } from '../evaluation/frontiers.ts';
import { watchForwarding } from '../http/clientAddress.ts';
import { createIngest } from '../ingest/ingest.ts';
import { scheduleIngest } from '../ingest/scheduler.ts';
import { startJobs } from '../jobs.ts';
import { createAnnouncer } from '../messages/announceWinners.ts';
import { createDelivery } from '../messages/deliver.ts';
import { createAlarms } from '../messages/raiseAlarms.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { openLists } from '../parts.ts';
import { createEventPosts } from '../posts/eventPosts.ts';
import { createProfiles } from '../readers/profiles.ts';
import { createReadership } from '../readers/readership.ts';
import { createLibrary } from '../siteIndex/library.ts';
import type { Library } from '../siteIndex/types.ts';
import { warmUp } from '../siteIndex/warmUp.ts';
import { openDirectory, type SiteDirectory } from '../sites/directory.ts';
import { createExclusions } from '../sites/exclusions.ts';
import { openPartners } from '../sites/partners.ts';
import { createQuotas, type Quotas } from '../sites/quotas.ts';
import type { Site } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { createAdmin } from './admin.ts';
import { withExclusionSnapshot } from './exclusionSnapshot.ts';
import { forgetRemoved } from './forgetRemoved.ts';
import type { Installation } from './installation.ts';
import { openDiskWatch, openMailing, operatorOf, webhookRules } from './openMailing.ts';
import { openServerData, type ServerData } from './openServerData.ts';
import { openThumbnails } from './openThumbnails.ts';
import { jobsOf } from './periodicJobs.ts';
import { refuseReads } from './refuseReads.ts';
import { createServerCrawler } from './serverCrawler.ts';
import { createServerState, type StateOptions } from './serverState.ts';
import { toIndexMemory } from './settings/indexMemory.ts';
import { toLimits } from './settings/limits.ts';

export interface Assembly {
  listener: RequestListener;
  admin: Hono;
  /** How many sites there are. */
  sites(): number;
  /** The parts for a program that runs in the same process, such as the demo. */
  parts: { store: Store; directory: SiteDirectory; library: Library };
  ping(): Promise<void>;
  /** Bytes of events in the spool, and those it has room for. */
  spool: Parts['ingest']['backlog'];
  /** Files of the spool that cannot be used now. */
  retrying(): number;
  /** Whether the last events that came could not be written. */
  refusing(): boolean;
  /** Why no list can be answered yet, where the server was started while its database was away. */
  waitingFor(): string | undefined;
  /** Called for each accepted connection: others may wait behind it. */
  connected(): void;
  /** Writes what waits, then closes the data. No request may be under way any more. */
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
  /** The process and its machine. */
  machine: StateOptions['machine'];
  /** Where readers reach the server. */
  url: string;
  /** Where one can sign in to the console by OpenID Connect. */
  oidc: OidcSettings | undefined;
  /** The data folder is given another database on purpose. Default: that is refused. */
  changeEngine?: boolean | undefined;
  /** Whether the server may take events before its database answers. */
  mayWait: boolean;
}

/** @throws {CommandError} when the data cannot be opened; after a failure nothing stays open. */
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

async function assembleOn(data: ServerData, options: AssembleOptions): Promise<Assembly> {
  const { opening, store } = data;
  const { settings, log, now, metrics } = options;
  const parts = await openParts(data, options);
  const { sites, library, ingest, taking, isOpen } = parts;
  const forwarding = watchForwarding({ trustedProxies: settings.trustedProxies, log });
  const watching = { ...options, ...parts, forwarding, spool: ingest.spool, data: settings.data };
  const deps = { ...toDeps(parts, options), serverState: createServerState(watching) };
  const lists = openLists(deps);
  const { listener: front, assistant } = createFront(deps, lists);
  const listener = forwarding.watched(front);
  metrics.watch({ ...parts, lists });
  forgetRemoved({ ...parts, lists });
  const work = startWork(parts, options, opening);
  return {
    listener: opening === undefined ? listener : refuseReads(listener, opening),
    admin: createAdmin({
      ...parts,
      now,
      data: settings.data,
      spool: ingest.spool,
      forwarding,
      assistant,
      grants: options.oidc?.grants,
      live: {
        ingest: taking,
        log,
        stopping: work.stopping,
        moved: () => keepSnapshots(parts, now),
      },
    }),
    sites: () => sites.list().length,
    parts: { store, directory: sites, library },
    ping: () => store.ping(),
    spool: ingest.backlog,
    retrying: () => ingest.backlog().retrying.files,
    refusing: () => ingest.refusing(),
    waitingFor: () => (isOpen() ? undefined : opening?.message),
    connected: ingest.connected,
    async close() {
      await work.stop();
      await closeParts(parts, log);
      await work.warmed();
      await store.close();
    },
  };
}

export type Parts = Awaited<ReturnType<typeof openParts>>;

async function openParts({ store, opening }: ServerData, options: AssembleOptions) {
  const { settings, log, now, clock, installation } = options;
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
    clock,
    log,
    folder: indexes,
    thread: installation.indexThread,
    memory: memory.posts,
    snapshotsAlone: store.isShared,
    takePost: quotas.posts.take,
  });
  const profiles = createProfiles({ store, now });
  const readership = createReadership({ store, library, now, clock, log, memory: memory.readers });
  const copies = createCopies({ store: store.copies, clock, isShared: store.isShared });
  const crawler = createServerCrawler({ store, sites, library, log, now, clock, copies }, settings, installation);
  if (opening === undefined) await countQuotas({ quotas, log });
  const eventPosts = createEventPosts({ library, now, clock });
  const taking = await createIngest({
    store,
    sites,
    pageOf: (site, url) => library.pageOf(site, url),
    // What the library does not have it would load, which fails until there is a database.
    isPost: (site, url) => isOpen() && library.isPost(site, url),
    log,
    now,
    clock,
    dir: join(settings.data, 'ingest'),
    viewed: crawler.viewed,
    clicked: (site, url) => isOpen() && crawler.clicked(site, url),
    described: eventPosts.described,
    onStored: options.metrics.stored,
    limits: toLimits(settings).ingest,
    quota: quotas.events,
    salts: () => (store.isShared() ? store.salts : undefined),
    opened: opening?.opened,
  });
  const outgoing = { store, sites, rules: webhookRules(settings, installation), log, now };
  const mailing = openMailing({ settings, store, now, clock });
  const announcer = createAnnouncer({ ...outgoing, library });
  const delivery = createDelivery({ ...outgoing, mailing, operator: operatorOf(settings) });
  const diskWatch = openDiskWatch({ settings, store, log, now });
  const hidden = withExclusionSnapshot(store.exclusions, { folder: indexes, isShared: store.isShared, log });
  const exclusions = createExclusions({ store: hidden, now, clock });
  const frontiers = createFrontiers({ store, sites, thread: installation.frontierThread, now, clock, log });
  const alarms = createAlarms({ store, sites, log, now, exclusions, behind: () => taking.backlog().spooledFor });
  return {
    store,
    sites,
    partners,
    quotas,
    library,
    profiles,
    readership,
    copies,
    crawler,
    eventPosts,
    taking,
    ingest: scheduleIngest(taking),
    thumbnails,
    announcer,
    alarms,
    delivery,
    diskWatch,
    mailing,
    unsubscribing: mailing?.unsubscribing,
    hidden,
    exclusions,
    frontiers,
    isOpen,
  };
}

const countQuotas = ({ quotas, log }: { quotas: Quotas; log: Logger }): Promise<void> =>
  quotas
    .refresh()
    .catch((err: unknown) => log.error({ err }, 'quotas could not be counted; they are counted again soon'));

function toDeps(parts: Parts, { settings, log, now, clock, oidc, installation: { widgetDir } }: AssembleOptions): Deps {
  const { publicUrl, trustedProxies } = settings;
  const { maxBatchBytes, readRate } = toLimits(settings);
  const ofApp = { publicUrl, trustedProxies, widgetDir, maxBatchBytes, readRate, oidc };
  return { ...parts, now, clock, log, settings: ofApp };
}

/** Starts the jobs and loads what was used last, at once or when the database answers. */
function startWork(parts: Parts, { log, now, clock }: AssembleOptions, opening: ServerData['opening']) {
  const { store, sites, partners, library, readership, copies } = parts;
  const stopping = new AbortController();
  let stopJobs = async () => {};
  let warmed = Promise.resolve();
  const begin = () => {
    stopJobs = startJobs(jobsOf(parts, { log, now }), log, clock);
    copies.beat().catch((err: unknown) => log.error({ err }, 'pages are not read until the other copies are known'));
    const isSite = (id: Site['id']) => sites.find(id) !== undefined;
    warmed = warmUp({ readings: store.readings, library, readership, isSite, now, log, stop: stopping.signal });
  };
  if (opening === undefined) begin();
  else
    void opening.opened.then(async () => {
      const failed = (err: unknown) => log.error({ err }, 'the sites could not be read; they are read again soon');
      await Promise.all([sites.refresh(), partners.refresh()]).catch(failed);
      await countQuotas({ quotas: parts.quotas, log });
      if (!stopping.signal.aborted) begin();
      log.info('the database answers: lists are served');
    });
  return {
    stopping: stopping.signal,
    warmed: () => warmed,
    async stop() {
      stopping.abort();
      parts.announcer.stop();
      parts.delivery.stop();
      await stopJobs();
    },
  };
}

/** What answers while the database is away, from the moment when it is on a server, which may be. */
async function keepSnapshots({ sites, partners, hidden, library }: Parts, now: () => number): Promise<void> {
  await Promise.all([sites.refresh(), partners.refresh()]);
  for (const { id } of sites.list()) await hidden.list(id, now());
  await library.keepSnapshots();
}

async function closeParts(parts: Parts, log: Logger): Promise<void> {
  const { crawler, copies, thumbnails, ingest, eventPosts, profiles, readership, library, frontiers } = parts;
  await frontiers.close();
  await crawler.drain();
  await copies.leave().catch((err: unknown) => log.warn({ err }, 'other copies read its pages only in some seconds'));
  await thumbnails.close();
  await ingest.drain();
  await eventPosts.drain().catch((err: unknown) => log.error({ err }, 'metadata of events could not be written'));
  await profiles.drain();
  await Promise.all([readership.close(), library.close()]);
}
