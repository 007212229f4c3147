// `afterword backup` while the server runs or not, and `afterword restore` into a folder that is new.
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { BackupReport } from './admin/backups.ts';
import { engineIn, type Manifest, readManifest } from './backup/manifest.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import { findSocket } from './socket.ts';

export function addBackupCommands(program: Command): void {
  dataCommand(program, 'backup', 'copy the whole database into a new folder, while the server runs')
    .argument('<folder>', 'made by this; another one for each backup')
    .option(
      '--disk <name>',
      'with --clickhouse-url: disk of the ClickHouse servers that takes the data; the folder says what is on it',
    )
    .action(async (folder: string, flags: DataFlags & { disk?: string }) => {
      const wanted = { folder: resolve(folder), disk: flags.disk };
      const made = await withReach(flags, (reach) => reach.ask<BackupReport>('POST', '/backups', wanted));
      const late = `${made.spooled} groups of events waited in the spool and are not in it: make another one later.`;
      print(flags, made, () => [
        `Backed up to ${made.folder}${where(made)} in ${(made.took / 1000).toFixed(1)} s: ${inWords(made.counts)}.`,
        ...(made.spooled > 0 ? [late] : []),
        `Try it out: afterword restore ${made.folder} ${made.disk ? '--clickhouse-url <empty databases>' : '--data <new folder>'}`,
      ]);
    });

  dataCommand(
    program,
    'restore',
    'make a new data folder, or fill empty ClickHouse databases, from a backup, and count what came out',
  )
    .argument('<folder>', 'what afterword backup made')
    .action(async (folder: string, flags: DataFlags) => {
      const { counts, made } = await restore(resolve(folder), flags);
      const remote = flags.clickhouseUrl.length > 0;
      print(flags, { ...(remote ? {} : { data: flags.data }), made, counts }, () => [
        `Restored to ${remote ? 'the ClickHouse servers' : flags.data}: ${inWords(counts)}, as they were at ${made}.`,
        `Serve it: afterword serve ${remote ? '--clickhouse-url …' : `--data ${flags.data}`}`,
      ]);
    });
}

async function restore(folder: string, flags: DataFlags): Promise<Manifest> {
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
  const [{ restoreBackup, RestoreMismatchError, schemaVersion }, { toEngineOptions, makeDataFolder }, { existsSync }] =
    await Promise.all([import('../storage/backup.ts'), import('./openData.ts'), import('node:fs')]);
  if (manifest.schema > schemaVersion) {
    throw new CommandError(
      `The backup has schema version ${manifest.schema}; this program knows versions up to ${schemaVersion}. ` +
        'Install the version of Afterword that made it, or a later one.',
    );
  }
  if (manifest.disk !== undefined) {
    const { name: disk, path, servers } = manifest.disk;
    await restoreBackup(toEngineOptions(flags), { disk, path }, { ...manifest, servers }).catch((error: unknown) => {
      if (error instanceof RestoreMismatchError) throw new CommandError(`The backup is damaged: ${error.message}`);
      throw new CommandError(`It could not be restored: ${error instanceof Error ? error.message : String(error)}`);
    });
    return manifest;
  }
  const engine = engineIn(flags.data);
  if (existsSync(engine))
    throw new CommandError(`There is a database in ${flags.data} already. Name a new folder with --data.`);
  await makeDataFolder(flags.data);
  try {
    await restoreBackup(toEngineOptions(flags), { folder: engineIn(folder) }, { ...manifest, servers: 1 });
  } catch (error) {
    // Half a database must not be taken for a whole one.
    await rm(engine, { recursive: true, force: true });
    if (error instanceof RestoreMismatchError) throw new CommandError(`The backup is damaged: ${error.message}`);
    throw new CommandError(`It could not be restored: ${error instanceof Error ? error.message : String(error)}`);
  }
  return manifest;
}

const where = ({ disk }: BackupReport) =>
  disk === undefined ? '' : `, the data to ${disk.path} on the disk ${disk.name}`;

function inWords({ sites, posts, events }: Manifest['counts']): string {
  return `${sites} sites, ${posts} posts, ${events} events`;
}
