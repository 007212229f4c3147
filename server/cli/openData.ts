// Opens the data: the engine inside this process, or the ClickHouse servers the settings name.
import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { StorageSettings } from '../config.ts';
import type { EngineOptions } from '../storage/connect.ts';
import { EngineBusyError, EngineMissingError, EngineOpenError, NewerSchemaError } from '../storage/errors.ts';
import type { EngineMeter } from '../storage/meteredEngine.ts';
import { openStore } from '../storage/openStore.ts';
import type { Store } from '../storage/store.ts';
import { CommandError } from './commandError.ts';
import { makeFolder } from './makeFolder.ts';

/** Another command may hold the engine for a moment. */
const PATIENCE_MS = 5_000;
const RETRY_MS = 250;

/**
 * Opens the store with its schema brought up to date.
 * @throws {CommandError} in an operator's words: in use, not installed, not reachable, written by a newer version.
 */
export async function openData(
  settings: StorageSettings,
  { log, now, meter }: { log: Logger; now: () => number; meter?: EngineMeter },
): Promise<Store> {
  await makeDataFolder(settings.data);
  const engine = toEngineOptions(settings);
  const giveUp = now() + PATIENCE_MS;
  for (;;) {
    try {
      return await openStore({ engine, log, now, meter });
    } catch (error) {
      if (error instanceof EngineBusyError && now() < giveUp) await sleep(RETRY_MS);
      else inWords(error);
    }
  }
}

/** @throws {CommandError} when the settings contradict each other. */
export function toEngineOptions({ data, clickhouseUrl, clickhouseCluster }: StorageSettings): EngineOptions {
  if (clickhouseUrl.length === 0 && clickhouseCluster !== undefined) {
    throw new CommandError(
      '--clickhouse-cluster (or AFTERWORD_CLICKHOUSE_CLUSTER) names a cluster, but no server of it is known: ' +
        'give the URL of each with --clickhouse-url (or AFTERWORD_CLICKHOUSE_URL).',
      2,
    );
  }
  if (clickhouseUrl.length === 0) return { kind: 'embedded', path: join(data, 'engine') };
  return {
    kind: 'remote',
    urls: clickhouseUrl,
    ...(clickhouseCluster === undefined ? {} : { cluster: clickhouseCluster }),
  };
}

/** @throws {CommandError} for what an operator can do something about, else the error itself. */
export function inWords(error: unknown): never {
  throw isExpected(error) ? new CommandError(error.message) : error;
}

function isExpected(error: unknown): error is Error {
  return [EngineBusyError, EngineMissingError, EngineOpenError, NewerSchemaError].some((kind) => error instanceof kind);
}

/** Files written by another user, root for one, would lock the server's own user out of its data. */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    const { uid } = await stat(folder);
    const me = process.getuid?.();
    if (me === undefined || uid === me) return await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    throw new CommandError(`The data folder ${folder} belongs to user ${uid}; run this as that user (you are ${me}).`);
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    throw new CommandError(`The data folder ${folder} cannot be used: ${error.message}. Name another with --data.`);
  }
}
