// Opens storage: connects, brings the schema up to date, and hands out the roles.
import type { Logger } from 'pino';
import { StoreUnavailableError } from '../errors.ts';
import { createAnnotationStore } from './annotations.ts';
import { createArchive } from './archive.ts';
import { inBackground } from './background.ts';
import { createBackupStore } from './backup.ts';
import { findDamagedParts, findPartsSetAside } from './checkTables.ts';
import { checkLayout } from './clusterLayout.ts';
import { connect, type EngineOptions } from './connect.ts';
import { createConsoleSessionStore } from './consoleSessions.ts';
import { createCopyStore } from './copies.ts';
import { createCrawlQueueStore } from './crawlQueue.ts';
import { dropCut, hasCut } from './cut.ts';
import { reportPartsSetAside } from './damage.ts';
import { type Engine, serversOf } from './engine.ts';
import { DiskFullError, EngineOpenError } from './errors.ts';
import { createEventStore } from './events.ts';
import { createExclusionStore } from './exclusions.ts';
import { createExpiryStore } from './expiredMonths.ts';
import { createVisitorStore } from './forget.ts';
import { createFrontierStore } from './frontiers.ts';
import { createKeyStore, requireInstallation } from './keys.ts';
import { createLateEngine, type LateEngineOptions, type Opening } from './lateEngine.ts';
import { cancelMove, moveLive } from './liveMove.ts';
import { createMaterialisedHourStore } from './materialisedHours.ts';
import { createMessageStore } from './messages.ts';
import { type EngineMeter, meterEngine } from './meteredEngine.ts';
import { openCompleted, placesOf } from './moveTarget.ts';
import { createOperatorTokenStore } from './operatorTokens.ts';
import { createPartnerStore } from './partners.ts';
import { createPostStore } from './posts.ts';
import { createProfileStore } from './profiles.ts';
import { createReadingStore } from './readings.ts';
import { createReadWriteLock, type ReadWriteLock } from './readWriteLock.ts';
import { refuseUnfinishedRestore } from './restore.ts';
import { createRetentionStore } from './retention.ts';
import { createSaltStore } from './salts.ts';
import { VERSION } from './schema/schema.ts';
import { type PlannedStep, planUpgrade, upgrade } from './schema/upgrade.ts';
import { readVersions } from './schema/version.ts';
import { createSettledDayStore } from './settledDays.ts';
import { createSharedViewStore } from './sharedViews.ts';
import { createSiteActivityStore } from './siteActivity.ts';
import { createSiteSizeStore } from './siteSizes.ts';
import { createSiteStore } from './sites.ts';
import { readSize } from './size.ts';
import type { Store } from './store.ts';
import { createTrafficStore } from './traffic.ts';
import { createVectorStore } from './vectors.ts';

export interface OpenStoreOptions {
  engine: EngineOptions;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called for every statement but pings. Default: none. */
  meter?: EngineMeter | undefined;
  /** Id of the database; another one is refused before its schema is touched. Default: any will do. */
  installation?: string | undefined;
}

/** What opening the store would do to the schema, without doing it; in a cluster, on any of its servers. */
export async function planMigrations(options: EngineOptions, installation?: string): Promise<PlannedStep[]> {
  const engine = await connect(options);
  try {
    const servers = serversOf(engine);
    for (const server of servers) await refuseUnfinishedRestore(server);
    await checkLayout(engine);
    if (installation !== undefined) await requireInstallation(servers[0]!, installation);
    return await planUpgrade(engine);
  } finally {
    await engine.close();
  }
}

/**
 * Resolves when the schema is current and every role can be used.
 * @throws {EngineBusyError | EngineMissingError | EngineOpenError | NewerSchemaError | OtherInstallationError}
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  return toStore(await openLock(options), options);
}

/**
 * A store whose engine is opened later, as soon as it answers. Until then it rejects with `StoreUnavailableError`.
 * @param prepare Called with the store of the open engine before anything else uses it.
 */
export function openStoreLater(
  options: OpenStoreOptions & Pick<LateEngineOptions, 'clock'>,
  prepare: (store: Store) => Promise<void>,
): { store: Store; opening: Opening } {
  const late = createLateEngine({
    open: () => openLock(options),
    prepare: (lock) => prepare(toStore(lock, options)),
    clock: options.clock,
    log: options.log,
  });
  return { store: toStore(late, options), opening: late.opening };
}

async function openLock({ engine: options, log, now, meter, installation }: OpenStoreOptions): Promise<ReadWriteLock> {
  const connected = await connect(options, log);
  const lock = createReadWriteLock(meter === undefined ? connected : meterEngine(connected, meter));
  const { engine } = lock;
  try {
    const servers = serversOf(engine);
    if (installation !== undefined) await openCompleted(lock.inner(), installation);
    for (const server of servers) await refuseUnfinishedRestore(server);
    const recordLayout = await checkLayout(engine);
    if (installation !== undefined) await requireInstallation(servers[0]!, installation);
    await recordLayout(now());
    if ((await Promise.all(servers.map(hasCut))).includes(true)) await resumeCut(lock, log);
    await upgrade(engine, { log, now });
    if (engine.folders) await reportPartsSetAside(engine, log);
  } catch (error) {
    await engine.close();
    if (!(error instanceof StoreUnavailableError)) throw error;
    // The message of DiskFullError says what to do; its cause has the engine's own words.
    const cause = error instanceof DiskFullError ? undefined : error.cause;
    const why = cause instanceof Error ? cause.message : error.message;
    throw new EngineOpenError(`The schema cannot be brought up to date now: ${why}`, { cause: error });
  }
  return lock;
}

/** Of a move that was broken off. Rows of another schema would not fit what is collected. */
async function resumeCut(lock: ReadWriteLock, log: Logger): Promise<void> {
  const { engine } = lock;
  if ((await readVersions(engine)).some((version) => version < VERSION)) {
    await dropCut(await placesOf(lock.inner()));
    log.warn('a move of this database was begun by an earlier version: it begins anew with the next afterword move');
    return;
  }
  lock.setMoving(true);
  log.warn('a move of this database was begun: the same afterword move continues, afterword move --cancel gives it up');
}

function toStore(lock: ReadWriteLock, { log, now, meter }: OpenStoreOptions): Store {
  const { engine, exclusive } = lock;
  const asUsed = (next: Engine) => (meter === undefined ? next : meterEngine(next, meter));
  const jobs = inBackground(engine);
  return {
    sites: createSiteStore(engine),
    partners: createPartnerStore(engine),
    events: createEventStore(engine, log),
    salts: createSaltStore(engine),
    keys: createKeyStore(engine),
    consoleSessions: createConsoleSessionStore(engine),
    sharedViews: createSharedViewStore(engine),
    annotations: createAnnotationStore(engine),
    frontiers: createFrontierStore(engine),
    operatorTokens: createOperatorTokenStore(engine),
    copies: createCopyStore(engine),
    posts: createPostStore(engine),
    vectors: createVectorStore(jobs),
    crawlQueue: createCrawlQueueStore(jobs),
    messages: createMessageStore(jobs),
    exclusions: createExclusionStore(engine),
    profiles: createProfileStore(engine),
    traffic: createTrafficStore(engine),
    readings: createReadingStore(jobs),
    archive: createArchive(jobs),
    visitors: createVisitorStore(engine),
    backups: createBackupStore({ engine, exclusive }),
    moves: {
      run: (move) => moveLive(move, { lock, log, now, asUsed }),
      cancel: () => cancelMove(lock),
    },
    size: () => readSize(jobs),
    isShared: () => engine.folders !== true,
    siteSizes: createSiteSizeStore(jobs),
    siteActivity: createSiteActivityStore(engine),
    retention: createRetentionStore(jobs),
    expiry: createExpiryStore(jobs),
    settledDays: createSettledDayStore(jobs),
    materialisedHours: createMaterialisedHourStore(jobs),
    damage: { setAside: () => findPartsSetAside(engine), check: () => findDamagedParts(engine) },
    ping: () => engine.ping(),
    close: () => engine.close(),
  };
}
