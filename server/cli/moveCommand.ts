// `afterword move`: everything of one installation into another, empty database, when one size is outgrown.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type MoveSettings, moveOptions } from '../config.ts';
import { undefinedIfMissing } from '../errors.ts';
import { LOG_FILE } from '../ingest/queue/wal/format.ts';
import type { EngineOptions } from '../storage/connect.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { longWork } from './longWork.ts';
import { asWord, print } from './output.ts';
import { findSocket } from './socket.ts';
import { table } from './table.ts';

type MoveFlags = DataFlags & MoveSettings & { cancel?: boolean };

export function addMoveCommand(program: Command): void {
  const command = dataCommand(program, 'move', 'copy everything into another, empty database, and compare it');
  for (const option of moveOptions()) command.addOption(option);
  command.option('--cancel', 'give up a move that was begun while the server ran');
  command.addHelpText('after', HELP).action(async (flags: MoveFlags) => {
    if (flags.cancel === true) return await cancel(flags);
    requireTarget(flags);
    const socket = await findSocket(flags.data);
    if (socket !== undefined) return await moveRunning(socket, flags);
    await moveStopped(flags);
  });
}

const HELP = `
From: --data, or --clickhouse-url and --clickhouse-cluster. To: --to and
--cluster, or --to-data. Sites keep their secrets. Each table is compared.
Nothing is removed from where it was. Broken off, the same command continues.

While the server of --data runs, it copies its own database and continues with
the new one: stop other copies of it, but not this one. Nothing is refused and
nothing is lost. At the end new events wait a moment, and the command says which
settings the next start needs. Nothing can be erased (site remove, forget) until
it is over. --to-data, a folder, needs every copy stopped.

  afterword move --to http://user:password@db:8123/afterword
  afterword move --cluster newsroom \\
    --to http://…@db-1:8123/afterword,http://…@db-2:8123/afterword
  afterword move --clickhouse-url http://…@db:8123/afterword \\
    --to-data /var/lib/afterword-2
  afterword move --cancel`;

async function cancel(flags: MoveFlags): Promise<void> {
  const { withReach } = await import('./reach.ts');
  const done = await withReach(flags, (reach) => reach.ask<{ cancelled: boolean }>('DELETE', '/moves'));
  print(flags, done, () => [
    done.cancelled
      ? 'The move is given up. What was copied is in the other database, which opens for nothing but the same move: drop it.'
      : 'No move was begun while the server ran.',
  ]);
}

async function moveRunning(socket: string, flags: MoveFlags): Promise<void> {
  if (flags.toData !== undefined)
    throw new CommandError(
      `A server is running on ${flags.data}, and it cannot continue with the database of a folder: stop it, and every other copy, and run this again.`,
    );
  const { followMove } = await import('./followMove.ts');
  const report = await followMove(socket, flags);
  const { rows, later, waited } = report;
  print(flags, report, () => [
    ...copied(rows),
    `${later} of the rows came while it was copied; new events waited ${(waited / 1000).toFixed(1)} s at the end.`,
    'The server uses the new database now. Before it is started again, and before other copies are started:',
    `${settingsOf(flags)}; --data stays.`,
    'What it used before is as it was, and is not used any more.',
  ]);
}

async function moveStopped(flags: MoveFlags): Promise<void> {
  const [{ requireEngine }, { requireDatabase }] = await Promise.all([
    import('./engineMark.ts'),
    import('./openData.ts'),
  ]);
  await requireEngine(flags, false);
  await requireDatabase(flags);
  await requireStopped(flags.data);
  if (flags.toData !== undefined) await requireStopped(flags.toData);
  const rows = await run(flags);
  const { copyImportRecords, hasImportRecords, importsIn } = await import('./transfer/importRecords.ts');
  if (flags.toData !== undefined) await copyImportRecords(flags.data, flags.toData);
  const records = (await hasImportRecords(flags.data)) ? importsIn(flags.data) : undefined;
  print(flags, { rows }, () => [...copied(rows), ...nextSteps(flags, records)]);
}

const copied = (rows: Record<string, number>): string[] => [
  'Copied, and compared with what was there:',
  ...table(
    ['TABLE', 'ROWS'],
    Object.entries(rows).map(([name, number]) => [name, String(number)]),
  ),
];

function requireTarget({ to, cluster, toData, clickhouseUrl }: MoveFlags): void {
  if (to.length > 0 === (toData !== undefined))
    throw new CommandError(
      'Name where to move: --to <urls> of an empty ClickHouse database, or --to-data <new folder>.',
      2,
    );
  if (cluster !== undefined && to.length === 0)
    throw new CommandError('--cluster names what the servers of --to form: give their URLs.', 2);
  if (toData !== undefined && clickhouseUrl.length === 0)
    throw new CommandError('The data is in a folder already: copy it with afterword backup and afterword restore.', 2);
}

async function requireStopped(data: string): Promise<void> {
  if ((await findSocket(data)) !== undefined)
    throw new CommandError(`A server is running on ${data}: stop it, and every other copy, and run this again.`);
  const waiting = await readdir(join(data, 'ingest', 'spool')).catch(undefinedIfMissing);
  const files = (waiting ?? []).filter((name) => LOG_FILE.test(name));
  if (files.length === 0) return;
  throw new CommandError(
    `${files.length} files of acknowledged events in ${join(data, 'ingest', 'spool')} are not stored yet: ` +
      'start the server until they are (afterword spool list), stop it, and run this again.',
  );
}

async function run(flags: MoveFlags): Promise<Record<string, number>> {
  const [{ move }, { makeDataFolder, toEngineOptions }] = await Promise.all([
    import('../storage/move.ts'),
    import('./openData.ts'),
  ]);
  if (flags.toData !== undefined) await makeDataFolder(flags.toData);
  const interrupted = 'Stopped. The same command continues.';
  return await longWork({ title: 'Copying rows', interrupted, logFormat: flags.logFormat }, (tools) =>
    move({ from: toEngineOptions(flags), to: targetOf(flags), ...tools }),
  );
}

function targetOf({ to, cluster, toData }: MoveFlags): EngineOptions {
  if (toData !== undefined) return { kind: 'embedded', path: join(toData, 'engine') };
  return { kind: 'remote', urls: to, ...(cluster === undefined ? {} : { cluster }) };
}

function settingsOf({ to, cluster }: MoveFlags): string {
  const urls = `--clickhouse-url (AFTERWORD_CLICKHOUSE_URL) is what --to was, ${to.length} URL${to.length === 1 ? '' : 's'}`;
  return cluster === undefined ? urls : `${urls}, --clickhouse-cluster (AFTERWORD_CLICKHOUSE_CLUSTER) is ${cluster}`;
}

/** @param records The folder of the records of imports; undefined where nothing was imported. */
function nextSteps(flags: MoveFlags, records: string | undefined): string[] {
  const { toData, data, clickhouseUrl } = flags;
  if (toData !== undefined)
    return [
      `Serve it: afterword serve --data ${asWord(toData)}, without --clickhouse-url and --clickhouse-cluster (and their variables).`,
      'The ClickHouse servers hold what they held, and are not used any more.',
    ];
  return clickhouseUrl.length > 0
    ? [
        `Serve it: ${settingsOf(flags)}; --data stays.`,
        'The servers it was on hold what they held, and are not used any more.',
      ]
    : [
        `Serve it: ${settingsOf(flags)}; --data is a new folder, for events on their way.`,
        ...(records === undefined
          ? []
          : [`Copy ${asWord(records)} into it: without it, a file that was imported counts again when it is brought.`]),
        `${data} is as it was, and may be removed when the new database serves.`,
      ];
}
