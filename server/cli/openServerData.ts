// The data of a server: opened before it serves, or, where its ClickHouse server is away and this folder has served it
// before, later.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageSettings } from '../config.ts';
import { messageOf } from '../errors.ts';
import { isOutage } from '../storage/errors.ts';
import { INSTALLATION } from '../storage/keys.ts';
import type { Opening } from '../storage/lateEngine.ts';
import { openStoreLater } from '../storage/openStore.ts';
import type { Store } from '../storage/store.ts';
import { type DirectorySnapshot, readSnapshot, withSnapshot } from './directorySnapshot.ts';
import { type EngineMark, keepMark, requireEngine } from './engineMark.ts';
import { makeDataFolder, type OpenDataOptions, openMarked, toEngineOptions } from './openData.ts';

export interface ServerData {
  store: Store;
  /** The database is away, and opened when it answers. Absent: it is open. */
  opening?: Opening;
}

export interface OpenServerDataOptions extends Omit<OpenDataOptions, 'purpose'> {
  /** The folder is given another database on purpose. Default: that is refused. */
  changeEngine?: boolean | undefined;
  /** Whether a start may continue without the database. */
  mayWait: boolean;
}

/**
 * Makes folder and database where there are none, and marks the folder as that database's.
 * @throws {CommandError} as `openData`; also where the database is away and nothing is known of its sites yet.
 */
export async function openServerData(settings: StorageSettings, options: OpenServerDataOptions): Promise<ServerData> {
  const { log, now, meter, changeEngine = false, mayWait } = options;
  const mark = await requireEngine(settings, changeEngine);
  await makeDataFolder(settings.data);
  // The database that comes has not said what is in these snapshots.
  if (changeEngine) await rm(join(settings.data, 'indexes'), { recursive: true, force: true });
  const path = join(settings.data, 'sites.json');
  const isRemote = settings.clickhouseUrl.length > 0;
  const before = isRemote && mark !== undefined ? await readSnapshot(path, mark.installation) : undefined;
  try {
    const store = await openMarked(settings, { log, now, meter }, mark);
    const installation = await markFolder(settings, store);
    return { store: { ...store, ...withSnapshot(store, { path, installation, before, isOpen: () => true, log }) } };
  } catch (error) {
    if (!mayWait || mark === undefined || before === undefined || !isOutage(error)) throw error;
    const cause = messageOf(error);
    log.warn({ cause }, 'the database is away: events go to the write-ahead log, and lists wait until it answers');
    return openLater(settings, options, { mark, path, before });
  }
}

function openLater(
  settings: StorageSettings,
  { log, now, meter }: OpenServerDataOptions,
  { mark, path, before }: { mark: EngineMark; path: string; before: DirectorySnapshot },
): ServerData {
  const { installation } = mark;
  const engine = toEngineOptions(settings);
  const clock = () => performance.now();
  const { store, opening } = openStoreLater({ engine, log, now, clock, meter, installation }, async (opened) => {
    await keepMark(settings, await opened.keys.agree(INSTALLATION, installation));
  });
  const isOpen = () => opening.isOpen();
  return { store: { ...store, ...withSnapshot(store, { path, installation, before, isOpen, log }) }, opening };
}

async function markFolder(settings: StorageSettings, store: Store): Promise<string> {
  try {
    const installation = await store.keys.agree(INSTALLATION, randomUUID());
    await keepMark(settings, installation);
    return installation;
  } catch (error) {
    await store.close();
    throw error;
  }
}
