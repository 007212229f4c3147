// `afterword serve`: takes the data directory, listens, opens the data, serves until a signal, and stops without losing
// anything.

import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { PATHS, PROCESS_ROUTES } from '../app.ts';
import { knownVariables, type ServerSettings } from '../config.ts';
import { logAccess } from '../http/accessLog.ts';
import { addressBehind } from '../http/clientAddress.ts';
import { boundCrowd } from '../http/crowd.ts';
import { withProcessRoutes } from '../http/processRoutes.ts';
import { echoRequestIds } from '../http/requestId.ts';
import { normalizeTargets } from '../http/target.ts';
import { prefixOf } from '../ingest/rateLimit.ts';
import { answerMetrics } from '../metrics/door.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Store } from '../storage/store.ts';
import { holdDoor } from './adminDoor.ts';
import { type Assembly, assemble } from './assemble.ts';
import { readLastBackup } from './backup/lastBackup.ts';
import { warnOfFewFiles } from './descriptors.ts';
import { requireEngine } from './engineMark.ts';
import { freeBytes, freeFiles } from './freeBytes.ts';
import { createHealth } from './health.ts';
import { createHold } from './holdRequests.ts';
import { listen } from './httpServer.ts';
import type { Installation } from './installation.ts';
import { createLog } from './log.ts';
import { makeDataFolder, toEngineOptions } from './openData.ts';
import { toLimits } from './settings/limits.ts';
import { requireMail } from './settings/mail.ts';
import { readOidc } from './settings/oidc.ts';
import { unknownVariables } from './settings/unknownVariables.ts';
import { failLoudly, stopSignal } from './signals.ts';

/** What a program in the same process, such as the demo, is given. */
export interface GuestHost {
  /** Where the server answers. */
  url: string;
  store: Store;
  sites: SiteDirectory;
  library: Library;
  admin: Hono;
  log: Logger;
  now(): number;
  /** Aborted by the first signal to stop. */
  stopping: AbortSignal;
}

type ProcessAnswers = Partial<Record<(typeof PROCESS_ROUTES)[number]['path'], RequestListener>>;

/** A program of its own beside the server, in the same process: the demo newspaper. */
export interface Guest {
  /** Called once the server answers. @returns Closes what was opened, before the data is closed. */
  open(host: GuestHost): Promise<() => Promise<void>>;
}

export type ServeSettings = ServerSettings & {
  /** The data folder is given another database on purpose. Default: that is refused. */
  changeEngine?: boolean;
};

/**
 * Serves until SIGTERM, SIGINT or SIGHUP.
 * @throws {CommandError} when it cannot start, in an operator's words.
 */
export async function serve(settings: ServeSettings, installation: Installation, guest?: Guest): Promise<void> {
  const { version, widgetDir } = installation;
  const now = () => Date.now();
  const clock = () => performance.now();
  const log = createLog({ level: settings.logLevel, format: settings.logFormat, to: 'stdout' });
  failLoudly(log);
  warnOfSurroundings(log);
  const stop = stopSignal();
  let assembly: Assembly | undefined;
  let closeGuest: (() => Promise<void>) | undefined;
  let url: string | undefined;
  let address: string | undefined;

  const { changeEngine = false } = settings;
  const oidc = await requireSettings(settings, { changeEngine, log });
  await makeDataFolder(settings.data);
  const isPublic = settings.publicUrl !== undefined;
  const door = await holdDoor(settings.data, {
    status: () => ({ pid: process.pid, version, url, address, isPublic }),
    log,
  });
  try {
    const health = healthOf(() => assembly, { settings, clock });
    const metrics = createMetrics({ clock, paths: PATHS });
    const hold = createHold({ isBehindProxy: settings.trustedProxies > 0 });
    const { metricsToken: token, trustedProxies } = settings;
    const first = (answers: ProcessAnswers, next: RequestListener) =>
      withProcessRoutes(next, PROCESS_ROUTES, answers, { token, trustedProxies });
    // Questions for metrics are not counted.
    const work = boundCrowd(first(health.answers, hold.listener), { largest: toLimits(settings).maxBatchBytes });
    const watched = first({ '/metrics': answerMetrics(metrics, log) }, metrics.counted(work));
    const answer = normalizeTargets(echoRequestIds(watched));
    const http = await listen(settings.accessLog ? logAccess(answer, { log, clock }) : answer, settings, {
      connected: () => assembly?.connected(),
      perNetwork: settings.addressConnections,
      // Behind a proxy all connections are the proxy's.
      networkOf: trustedProxies > 0 ? undefined : (address) => prefixOf(addressBehind(address, undefined, 0)),
    });
    address = http.url;
    metrics.watchConnections(http.connections);
    const machine = {
      version,
      readiness: health.readiness,
      freeBytes: () => freeBytes(settings.data),
      freeFiles: () => freeFiles(settings.data),
      lastBackup: () => readLastBackup(settings.data),
    };
    metrics.watchInstallation(machine);
    try {
      assembly = await assemble({
        settings,
        log,
        now,
        clock,
        installation,
        metrics,
        machine,
        url: settings.publicUrl ?? http.url,
        oidc,
        changeEngine,
        mayWait: guest === undefined,
      });
      url = settings.publicUrl ?? http.url;
      health.enter('ready');
      hold.release(assembly.listener);
      door.open(assembly.admin);
      announce(log, { settings, address: http.url, widgetDir, sites: assembly.sites(), hasGuest: guest !== undefined });
      closeGuest = await guest?.open(hostOf(assembly, { url, log, now, stop }));
      log.info({ signal: await stop }, 'stopping: finishing what was begun');
      health.enter('draining');
    } finally {
      await closeGuest?.();
      if (assembly === undefined) hold.release(undefined);
      // Neither requests nor commands are under way when the data is closed.
      await Promise.all([http.close(), door.drain()]);
      await assembly?.close();
    }
  } finally {
    await door.close();
  }
  log.info('stopped');
}

/**
 * Before anything is touched.
 * @throws {CommandError} for settings that contradict each other, or name what is not there.
 */
async function requireSettings(
  settings: ServerSettings,
  { changeEngine, log }: { changeEngine: boolean; log: Logger },
) {
  toEngineOptions(settings);
  requireMail(settings);
  const oidc = await readOidc(settings, (sentence) => log.warn(sentence));
  await requireEngine(settings, changeEngine);
  return oidc;
}

/** What of the environment and the limits of this process is likely a mistake. */
function warnOfSurroundings(log: Logger): void {
  for (const line of unknownVariables(process.env, knownVariables())) log.warn(line);
  const fewFiles = warnOfFewFiles();
  if (fewFiles !== undefined) log.warn(fewFiles);
}

const healthOf = (
  assembly: () => Assembly | undefined,
  { settings, clock }: { settings: { data: string }; clock: () => number },
) =>
  createHealth({
    ping: async () => assembly()?.ping(),
    spool: () => assembly()?.spool() ?? { spooledBytes: 0, spoolRoom: 0 },
    retrying: () => assembly()?.retrying() ?? 0,
    refusing: () => assembly()?.refusing() ?? false,
    freeBytes: () => freeBytes(settings.data),
    freeFiles: () => freeFiles(settings.data),
    waitingFor: () => assembly()?.waitingFor(),
    clock,
  });

function hostOf(
  { parts, admin }: Assembly,
  { url, log, now, stop }: { url: string; log: Logger; now: () => number; stop: Promise<unknown> },
): GuestHost {
  const stopping = new AbortController();
  void stop.then(() => stopping.abort());
  const { store, directory: sites, library } = parts;
  return { url, store, sites, library, admin, log, now, stopping: stopping.signal };
}

interface Start {
  settings: ServerSettings;
  address: string;
  widgetDir: string;
  sites: number;
  /** The demonstration is beside it. */
  hasGuest: boolean;
}

function announce(log: Logger, { settings, address, widgetDir, sites, hasGuest }: Start): void {
  const engine = settings.clickhouseUrl.length === 0 ? 'ClickHouse inside this process' : 'ClickHouse server';
  log.info({ url: settings.publicUrl ?? address, address, data: settings.data, engine, sites }, 'serving');
  if (sites === 0) log.info('there is no site yet; make one: afterword site add example.com');
  if (!existsSync(join(widgetDir, 'afterword.js')))
    log.warn({ widgetDir }, 'the widget is not built, so pages cannot load it; npm run build');
  // The demonstration reads its own newspaper: a warning about it would be noise.
  if (settings.allowPrivateCrawl && !hasGuest)
    log.warn('the crawler may read private addresses (--allow-private-crawl): for development only');
}
