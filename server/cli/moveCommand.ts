// `afterword move`: everything of one installation into another, empty database, when one size is outgrown.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type MoveSettings, moveOptions } from '../config.ts';
import { LOG_FILE } from '../ingest/walFormat.ts';
import type { EngineOptions } from '../storage/connect.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { longWork } from './longWork.ts';
import { print, table } from './output.ts';
import { findSocket } from './socket.ts';

type MoveFlags = DataFlags & MoveSettings;

export function addMoveCommand(program: Command): void {
  const command = dataCommand(program, 'move', 'copy everything into another, empty database, and compare it');
  for (const option of moveOptions()) command.addOption(option);
  command.addHelpText('after', HELP).action(async (flags: MoveFlags) => {
    requireTarget(flags);
    const [{ requireEngine }, { requireDatabase }] = await Promise.all([
      import('./engineMark.ts'),
      import('./openData.ts'),
    ]);
    await requireEngine(flags, false);
    await requireDatabase(flags);
    await requireStopped(flags.data);
    if (flags.toData !== undefined) await requireStopped(flags.toData);
    const rows = await run(flags);
    print(flags, { rows }, () => [
      'Copied, and compared with what was there:',
      ...table(
        ['TABLE', 'ROWS'],
        Object.entries(rows).map(([name, number]) => [name, String(number)]),
      ),
      ...nextSteps(flags),
    ]);
  });
}

const HELP = `
From: --data, or --clickhouse-url and --clickhouse-cluster. To: --to and --cluster, or --to-data.
Stop every copy of the server first; events that come meanwhile are not counted. Sites keep their
secrets. Nothing is removed from where it was. Broken off, the same command goes on.

  afterword move --to http://user:password@db:8123/afterword
  afterword move --to http://…@db-1:8123/afterword,http://…@db-2:8123/afterword --cluster newsroom
  afterword move --clickhouse-url http://…@db:8123/afterword --to-data /var/lib/afterword-2`;

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
  const waiting = await readdir(join(data, 'ingest', 'spool')).catch(() => []);
  const files = waiting.filter((name) => LOG_FILE.test(name));
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
  const interrupted = 'Stopped. The same command goes on.';
  return await longWork({ title: 'Copying rows', interrupted, logFormat: flags.logFormat }, (tools) =>
    move({ from: toEngineOptions(flags), to: targetOf(flags), ...tools }),
  );
}

function targetOf({ to, cluster, toData }: MoveFlags): EngineOptions {
  if (toData !== undefined) return { kind: 'embedded', path: join(toData, 'engine') };
  return { kind: 'remote', urls: to, ...(cluster === undefined ? {} : { cluster }) };
}

function nextSteps({ to, cluster, toData, data, clickhouseUrl }: MoveFlags): string[] {
  if (toData !== undefined)
    return [
      `Serve it: afterword serve --data ${toData}, without --clickhouse-url and --clickhouse-cluster (and their variables).`,
      'The ClickHouse servers hold what they held, and are not used any more.',
    ];
  const urls = `--clickhouse-url (AFTERWORD_CLICKHOUSE_URL) is what --to was, ${to.length} URL${to.length === 1 ? '' : 's'}`;
  const name = cluster === undefined ? '' : `, --clickhouse-cluster (AFTERWORD_CLICKHOUSE_CLUSTER) is ${cluster}`;
  return clickhouseUrl.length > 0
    ? [
        `Serve it: ${urls}${name}; --data stays.`,
        'The servers it was on hold what they held, and are not used any more.',
      ]
    : [
        `Serve it: ${urls}${name}; --data is a new folder, for events on their way.`,
        `${data} is as it was, and may be removed when the new database serves.`,
      ];
}
