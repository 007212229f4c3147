// Opens the data: the engine inside this process, or the ClickHouse servers the settings name.
import { readFileSync, type Stats } from 'node:fs';
import { access, chmod, constants, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { READ_ONLY_REMEDY } from '../checkup/diskRoom.ts';
import type { StorageSettings } from '../config.ts';
import { hasCode, undefinedIfMissing } from '../errors.ts';
import { parseTimezone } from '../sites/parseSite.ts';
import type { EngineOptions } from '../storage/connect.ts';
import {
  EngineBusyError,
  EngineMissingError,
  EngineOpenError,
  NewerSchemaError,
  OtherInstallationError,
} from '../storage/errors.ts';
import type { EngineMeter } from '../storage/meteredEngine.ts';
import { type OpenStoreOptions, openStore } from '../storage/openStore.ts';
import type { Store } from '../storage/store.ts';
import { CommandError } from './commandError.ts';
import { type EngineMark, hasDatabase, otherInstallation, requireEngine } from './engineMark.ts';
import { makeFolder } from './makeFolder.ts';

/** Another command may hold the engine for a moment. */
const PATIENCE_MS = 5_000;
const RETRY_MS = 250;

export interface OpenDataOptions {
  log: Logger;
  now: () => number;
  meter?: EngineMeter | undefined;
  /** `make`: makes folder and database where there are none. `use`: refuses where there is no database. */
  purpose: 'make' | 'use';
  /** Whether a server answers for the data by now: it is not waited for then. Default: none does. */
  isServed?: () => Promise<boolean>;
}

/**
 * Opens the store with its schema brought up to date.
 * @throws {CommandError} in an operator's words: in use, not installed, not reachable, written by a newer version, or
 * not the database of
 *   the data folder.
 */
export async function openData(settings: StorageSettings, options: OpenDataOptions): Promise<Store> {
  const { purpose } = options;
  const mark = await requireEngine(settings, false);
  if (purpose === 'use') await requireDatabase(settings);
  if (purpose !== 'use' || settings.clickhouseUrl.length === 0) await makeDataFolder(settings.data);
  return await openMarked(settings, options, mark);
}

/**
 * As `openData`, for a folder that was looked at.
 * @param mark Of the folder; undefined: any database will do.
 * @throws {CommandError} with what made it fail as its `cause`.
 */
export async function openMarked(
  settings: StorageSettings,
  { log, now, meter, isServed }: Omit<OpenDataOptions, 'purpose'>,
  mark: EngineMark | undefined,
): Promise<Store> {
  const engine = toEngineOptions(settings);
  return await openPatiently(
    { engine, log, now, meter, installation: mark?.installation },
    { settings, mark, isServed },
  );
}

async function openPatiently(
  options: OpenStoreOptions,
  installation: { settings: StorageSettings; mark: EngineMark | undefined; isServed?: OpenDataOptions['isServed'] },
): Promise<Store> {
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await openStore(options);
    } catch (error) {
      const mayPass = error instanceof EngineBusyError && performance.now() < giveUp;
      if (mayPass && !(await installation.isServed?.())) await sleep(RETRY_MS);
      else inWords(error, installation);
    }
  }
}

/**
 * For what reads or changes a database that is there: the name of a folder may be mistyped. Makes nothing.
 * @throws {CommandError}
 */
export async function requireDatabase({ data, clickhouseUrl }: StorageSettings): Promise<void> {
  if (clickhouseUrl.length > 0 || (await hasDatabase(data))) return;
  if ((await stat(data).catch(undefinedIfMissing))?.isFile())
    throw new CommandError(`The data folder ${data} cannot be used: it is a file. Name another with --data.`);
  throw new CommandError(
    `There is no database in ${data}. Name the data folder of the server with --data (or AFTERWORD_DATA), ` +
      'its ClickHouse server with --clickhouse-url (or AFTERWORD_CLICKHOUSE_URL), or start the server first: afterword serve.',
  );
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
export function inWords(
  error: unknown,
  installation?: { settings: StorageSettings; mark: EngineMark | undefined },
): never {
  if (error instanceof OtherInstallationError && installation?.mark !== undefined)
    throw new CommandError(otherInstallation(installation.settings, installation.mark, error.found));
  if (error instanceof EngineOpenError && error.cause !== undefined) requireZone(process.env.TZ);
  throw isExpected(error) ? new CommandError(error.message, 1, { cause: error }) : error;
}

/**
 * The engine inside opens nothing where the environment names a zone that it does not know, and does not say so.
 * @throws {CommandError}
 */
function requireZone(named: string | undefined): void {
  if (!named || isZone(named.replace(/^:/, ''))) return;
  throw new CommandError(
    `The variable TZ is "${named}", which names no time zone that the database knows, and it does not open with that. ` +
      'Set it to one such as UTC or Europe/Madrid, or unset it. The data is as it was.',
  );
}

/** A path leads to a file of the zones, which begin with these letters. */
function isZone(named: string): boolean {
  if (!named.startsWith('/')) return parseTimezone(named) !== undefined;
  try {
    return readFileSync(named).subarray(0, 4).toString() === 'TZif';
  } catch {
    return false;
  }
}

function isExpected(error: unknown): error is Error {
  return [EngineBusyError, EngineMissingError, EngineOpenError, NewerSchemaError].some((kind) => error instanceof kind);
}

/** Files written by another user, root for one, would lock the server's own user out of its data. */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    const stats = await stat(folder);
    const me = process.getuid?.();
    if (me !== undefined && stats.uid !== me)
      throw new CommandError(
        `The data folder ${folder} belongs to user ${stats.uid}; run this as that user (you are ${me}).`,
      );
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    await makePrivate(folder, stats, me);
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    // Another folder would have another database.
    if (hasCode(error, 'EROFS'))
      throw new CommandError(
        `The data folder ${folder} is on a file system that is read-only now. ${READ_ONLY_REMEDY}`,
      );
    throw new CommandError(`The data folder ${folder} cannot be used: ${error.message}. Name another with --data.`);
  }
}

const STICKY = 0o1000;
/** What the server keeps in its data folder: made by it, with nothing in them for other users. */
const OURS = ['engine', 'ingest', 'indexes', 'thumbnails'];

/**
 * A folder that others may enter is closed while it is empty, and so are the folders of ours in it. One that holds
 * other things is left as it is (`doctor` warns): it may be a home, or the system's own for temporary files.
 */
async function makePrivate(folder: string, { mode }: Stats, me: number | undefined): Promise<void> {
  const isOpen = (bits: number) => (bits & 0o077) !== 0;
  const isShared = (mode & STICKY) !== 0;
  if (isOpen(mode) && !isShared && (await readdir(folder)).length === 0) await chmod(folder, 0o700);
  for (const name of OURS) {
    const path = join(folder, name);
    const found = await lstat(path).catch(undefinedIfMissing);
    if (found === undefined) continue;
    // A link of the operator's own may lead to another disk.
    if (me !== undefined && found.uid !== me)
      throw new CommandError(`${path} belongs to user ${found.uid}, and is not used: name another folder with --data.`);
    if (found.isDirectory() && isOpen(found.mode)) await chmod(path, 0o700);
  }
}
