// `afterword backup` while the server runs or not, and `afterword restore` into a folder that is new.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { BackupReport } from './admin/backups.ts';
import type { Manifest } from './backup/manifest.ts';
import { restore } from './backup/restore.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';

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
    'make a new data folder, or fill empty ClickHouse databases, from a backup, and check every checksum',
  )
    .argument('<folder>', 'what afterword backup made')
    .action(async (folder: string, flags: DataFlags) => {
      const { counts, made, files } = await restore(resolve(folder), flags);
      const remote = flags.clickhouseUrl.length > 0;
      print(flags, { ...(remote ? {} : { data: flags.data }), made, counts }, () => [
        `Restored to ${remote ? 'the ClickHouse servers' : flags.data}: ${inWords(counts)}, as they were at ${made}.`,
        ...(files === undefined ? [UNVERIFIED] : []),
        `Serve it: afterword serve ${remote ? '--clickhouse-url …' : `--data ${flags.data}`}`,
      ]);
    });
}

const UNVERIFIED =
  'An earlier version made this backup, without checksums of its files: the checksums of the tables and the counts were verified.';

const where = ({ disk }: BackupReport) =>
  disk === undefined ? '' : `, the data to ${disk.path} on the disk ${disk.name}`;

function inWords({ sites, posts, events }: Manifest['counts']): string {
  return `${sites} sites, ${posts} posts, ${events} events`;
}
