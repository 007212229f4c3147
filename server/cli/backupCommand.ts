// `afterword backup` while the server runs or not, and `afterword restore` into a folder that is new.
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { BackupReport } from './admin/backups.ts';
import type { Manifest } from './backup/manifest.ts';
import { restore } from './backup/restore.ts';
import { type VerifiedBackup, verifyBackups } from './backup/verify.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { asWord, count, print } from './output.ts';
import { withReach } from './reach.ts';
import { beforeEnd } from './signals.ts';

type BackupFlags = DataFlags & { disk?: string; keep?: number };

export function addBackupCommands(program: Command): void {
  const backup = dataCommand(program, 'backup', 'copy the whole database into a new folder, while the server runs')
    .argument('<folder>', 'made by this, in a folder that is there; another one for each backup, unless --keep')
    .option('--keep <number>', 'make one by date within the folder, and remove the oldest but so many', wholeNumber)
    .option(
      '--disk <name>',
      'with --clickhouse-url: disk of the ClickHouse servers that takes the data; the folder says what is on it',
    )
    .action(async (folder: string, flags: BackupFlags) => {
      if (flags.keep !== undefined && flags.disk !== undefined)
        throw new CommandError(
          '--keep removes folders of this machine, and nothing from a disk: leave it or --disk out.',
          2,
        );
      const wanted = { folder: resolve(folder), disk: flags.disk, keep: flags.keep };
      const made = await withReach(flags, async (reach) => {
        const isOfServer = (await reach.status()) !== undefined;
        const leaveSignals = isOfServer
          ? beforeEnd(() => void process.stderr.write(goesOn(flags.keep)))
          : () => undefined;
        return await reach.ask<BackupReport>('POST', '/backups', wanted).finally(leaveSignals);
      });
      // The backup is there all the same.
      if (made.unnoted !== undefined)
        process.stderr.write(
          `warning: when it was made could not be noted, and /metrics does not report it: ${made.unnoted}\n`,
        );
      print(flags, made, () => reportLines(made));
      if (made.unremoved !== undefined)
        throw new CommandError(
          `The backup is made, and not all older ones in ${folder} could be removed: ${made.unremoved}. Remove them by hand.`,
        );
    });
  addVerify(backup);

  dataCommand(
    program,
    'restore',
    'make a new data folder, or fill empty ClickHouse databases, from a backup, and check every checksum',
    'make',
  )
    .argument('<folder>', 'what afterword backup made')
    .action(async (folder: string, flags: DataFlags) => {
      const { counts, made, files } = await restore(resolve(folder), flags);
      const remote = flags.clickhouseUrl.length > 0;
      print(flags, { ...(remote ? {} : { data: flags.data }), made, counts }, () => [
        `Restored to ${remote ? 'the ClickHouse servers' : flags.data}: ${inWords(counts)}, as they were at ${made}.`,
        ...(files === undefined ? [UNVERIFIED] : []),
        `Serve it: afterword serve ${remote ? '--clickhouse-url …' : `--data ${asWord(flags.data)}`}`,
      ]);
    });
}

/** Printed when a signal ends the command: the server continues with the backup. */
const goesOn = (keep: number | undefined): string =>
  `Interrupted: the running server still makes the backup${keep === undefined ? '' : ', and removes older ones then'}. afterword backup verify says when it is whole.\n`;

/** Options of the parent command are its own to read, wherever they stand. */
function addVerify(backup: Command): void {
  backup
    .command('verify')
    .summary('compare every file of a backup with its checksum')
    .description(
      'Compares every file of a backup, or of each in a folder of several, with its checksum. Changes nothing. ' +
        'For one made with --disk, name the ClickHouse servers with --clickhouse-url, as for afterword backup: each restores its part ' +
        'into a database beside its own, which takes that much room, compares it and removes it.',
    )
    .argument('<folder>', 'what afterword backup made')
    .option('--json', 'print JSON')
    .action(async (folder: string, _: unknown, command: Command) => {
      const flags = command.optsWithGlobals<DataFlags>();
      const { whole, damaged } = await verifyBackups(resolve(folder), flags);
      if (whole.length > 0) print(flags, whole, () => whole.map(verifiedLine));
      if (damaged.length > 0) throw new CommandError(damaged.map(({ message }) => message).join(' '));
    });
}

function verifiedLine({ folder, counts, files, servers }: VerifiedBackup): string {
  if (servers !== undefined)
    return `${folder} is whole: restored beside the database of ${count(servers, 'server')}, with the checksums, definitions and counts it had; ${inWords(counts)}.`;
  if (files === 0) return `${folder} is whole by the sizes of its files: ${inWords(counts)}. ${UNVERIFIED}`;
  return `${folder} is whole: ${count(files, 'file')} with the checksums they had; ${inWords(counts)}.`;
}

function reportLines(made: BackupReport): string[] {
  const late = `${count(made.spooled, 'acknowledged event')} of the write-ahead log (afterword spool list) did not reach the tables, and are not in it: make another one when a running server has inserted them.`;
  return [
    `Backed up to ${made.folder}${where(made)} in ${(made.took / 1000).toFixed(1)} s: ${inWords(made.counts)}.`,
    ...(made.spooled > 0 ? [late] : []),
    ...(made.removed ?? []).map((folder) => `Removed the older ${folder}.`),
    `Try it out: afterword restore ${asWord(made.folder)} ${made.disk ? '--clickhouse-url <empty databases>' : '--data <new folder>'}`,
  ];
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1 to 9999.');
}

const UNVERIFIED =
  'An earlier version made this backup, without checksums of its files: the checksums of the tables and the counts were verified.';

const where = ({ disk }: BackupReport) =>
  disk === undefined ? '' : `, the data to ${disk.path} on the disk ${disk.name}`;

function inWords({ sites, posts, events }: Manifest['counts']): string {
  return `${sites} sites, ${posts} posts, ${events} events`;
}
