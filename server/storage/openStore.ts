// Opens storage: connects, brings the schema up to date, and hands out the roles.
import type { Logger } from 'pino';
import { createArchive } from './archive.ts';
import { createBackupStore } from './backup.ts';
import { connect, type EngineOptions } from './connect.ts';
import { createCrawlQueueStore } from './crawlQueue.ts';
import { createEventStore } from './events.ts';
import { createExclusionStore } from './exclusions.ts';
import { createVisitorStore } from './forget.ts';
import { createGate } from './gate.ts';
import { type EngineMeter, meterEngine } from './meteredEngine.ts';
import { migrations } from './migrations/index.ts';
import { migrate } from './migrations/migrate.ts';
import { createPartnerStore } from './partners.ts';
import { createPostStore } from './posts.ts';
import { createProfileStore } from './profiles.ts';
import { createSiteStore } from './sites.ts';
import type { Store } from './store.ts';
import { createTrafficStore } from './traffic.ts';

export interface OpenStoreOptions {
  engine: EngineOptions;
  log: Logger;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of every statement, pings excepted. Default: nobody is. */
  meter?: EngineMeter | undefined;
}

/**
 * Resolves when the schema is current and every role can be used.
 * @throws {EngineBusyError | EngineMissingError | EngineOpenError | NewerSchemaError}
 */
export async function openStore({ engine: options, log, now, meter }: OpenStoreOptions): Promise<Store> {
  const connected = await connect(options);
  const { engine, alone } = createGate(meter === undefined ? connected : meterEngine(connected, meter));
  try {
    for (const server of engine.servers ?? [engine]) {
      const { from, to } = await migrate(server, migrations, { log, now });
      if (from === to) log.debug({ version: to }, 'schema is current');
    }
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    sites: createSiteStore(engine),
    partners: createPartnerStore(engine),
    events: createEventStore(engine),
    posts: createPostStore(engine),
    crawlQueue: createCrawlQueueStore(engine),
    exclusions: createExclusionStore(engine),
    profiles: createProfileStore(engine),
    traffic: createTrafficStore(engine),
    archive: createArchive(engine),
    visitors: createVisitorStore(engine),
    backups: createBackupStore({ alone }),
    ping: () => engine.ping(),
    close: () => engine.close(),
  };
}
