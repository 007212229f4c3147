// Opens the data: the engine inside this process, or the ClickHouse servers the settings name.
import { mkdir, stat } from 'node:fs/promises';
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
      else if (isExpected(error)) throw new CommandError(error.message);
      else throw error;
    }
  }
}

export function toEngineOptions({ data, clickhouseUrl, clickhouseCluster }: StorageSettings): EngineOptions {
  if (clickhouseUrl.length === 0) return { kind: 'embedded', path: join(data, 'engine') };
  return {
    kind: 'remote',
    urls: clickhouseUrl,
    ...(clickhouseCluster === undefined ? {} : { cluster: clickhouseCluster }),
  };
}

function isExpected(error: unknown): error is Error {
  return [EngineBusyError, EngineMissingError, EngineOpenError, NewerSchemaError].some((kind) => error instanceof kind);
}

/** Files written by another user, root for one, would lock the server's own user out of its data. */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { uid } = await stat(folder);
    const me = process.getuid?.();
    if (me === undefined || uid === me) return;
    throw new CommandError(`The data folder ${folder} belongs to user ${uid}; run this as that user (you are ${me}).`);
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    throw new CommandError(`The data folder ${folder} cannot be used: ${error.message}. Name another with --data.`);
  }
}
