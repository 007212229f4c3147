// `afterword restore`: a data folder, or the databases of ClickHouse servers, from a backup. All of it is there at the
// end, or nothing.
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncPath } from '../../durableFile.ts';
import { messageOf } from '../../errors.ts';
import { CommandError } from '../commandError.ts';
import type { DataFlags } from '../dataCommand.ts';
import { findSocket } from '../socket.ts';
import { restoreImportRecords } from '../transfer/importRecords.ts';
import { isTaken, requireChecksums, syncBelow } from './checksums.ts';
import { datedBackups } from './keep.ts';
import { engineIn, type Manifest, readManifest } from './manifest.ts';

/** @throws {CommandError} in an operator's words; nothing is left of what was begun. */
export async function restore(folder: string, flags: DataFlags): Promise<Manifest> {
  const newest = (await datedBackups(folder).catch(() => [])).at(-1);
  if (newest !== undefined)
    throw new CommandError(`${folder} holds several backups by date: name one of them, such as ${newest}.`);
  const manifest = await readManifest(folder);
  const remote = flags.clickhouseUrl.length > 0;
  if (remote && manifest.disk === undefined)
    throw new CommandError('The backup is a folder, and is restored into a data folder: leave --clickhouse-url out.');
  if (!remote && manifest.disk !== undefined)
    throw new CommandError(
      `The data is on the disk ${manifest.disk.name} of ClickHouse servers: name them with --clickhouse-url, in the order they had.`,
    );
  if ((await findSocket(flags.data)) !== undefined)
    throw new CommandError(`A server is running on ${flags.data}. Name a new folder with --data.`);
  const { VERSION } = await import('../../storage/schema/schema.ts');
  if (manifest.schema > VERSION) {
    throw new CommandError(
      `The backup has schema version ${manifest.schema}; this program knows versions up to ${VERSION}. ` +
        'Install the version of Afterword that made it, or a later one.',
    );
  }
  if (manifest.files !== undefined) await requireChecksums(folder, manifest.files);
  await (manifest.disk === undefined ? restoreFolder : restoreServers)(folder, flags, manifest);
  return manifest;
}

/** The files are made beside their place, and renamed when all are there and on the disk. */
async function restoreFolder(folder: string, flags: DataFlags, manifest: Manifest): Promise<void> {
  const [{ restoreBackup }, { restoringPath }, { holderOf }, { makeDataFolder }, marks] = await Promise.all([
    import('../../storage/restore.ts'),
    import('../../storage/connect.ts'),
    import('../../storage/engineLock.ts'),
    import('../openData.ts'),
    import('../engineMark.ts'),
  ]);
  await marks.requireRestorable(flags);
  const engine = engineIn(flags.data);
  if (await isTaken(engine))
    throw new CommandError(`There is a database in ${flags.data} already. Name a new folder with --data.`);
  await makeDataFolder(flags.data);
  const fresh = restoringPath(engine);
  const holder = holderOf(fresh);
  if (holder !== undefined) throw new CommandError(`Process ${holder} is restoring into ${flags.data} already.`);
  await rm(fresh, { recursive: true, force: true });
  try {
    const from = { folder: engineIn(folder) };
    await inWords(restoreBackup({ kind: 'embedded', path: fresh }, from, { ...manifest, servers: 1 }));
    await syncBelow(fresh);
    await restoreImportRecords(folder, flags.data);
    await marks.removeMark(flags.data);
    await rename(fresh, engine);
    await syncPath(dirname(engine));
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}

async function restoreServers(folder: string, flags: DataFlags, manifest: Manifest): Promise<void> {
  const [{ toEngineOptions }, { restoreBackup }] = await Promise.all([
    import('../openData.ts'),
    import('../../storage/restore.ts'),
  ]);
  const { name: disk, path, servers } = manifest.disk!;
  await inWords(restoreBackup(toEngineOptions(flags), { disk, path }, { ...manifest, servers }));
  await restoreImportRecords(folder, flags.data);
}

/** The same error in an operator's words. */
export async function inWords(restoring: Promise<void>): Promise<void> {
  await restoring.catch(async (error: unknown) => {
    const { RestoreMismatchError } = await import('../../storage/restore.ts');
    if (error instanceof RestoreMismatchError) throw new CommandError(`The backup is damaged: ${error.message}`);
    throw new CommandError(`It could not be restored: ${messageOf(error)}`);
  });
}
