// `afterword spool …`: acknowledged events that are in no table, and another try.
import { Command } from 'commander';
import type { RetriedFile, SpoolFile, SpoolReport } from '../ingest/queue/spool.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { count, print } from './output.ts';
import { withReach } from './reach.ts';
import { table } from './table.ts';

export function spoolCommand(): Command {
  const spool = new Command('spool')
    .summary('list events of the spool that cannot be counted, and try again')
    .description(
      'Events are kept in the spool until the database has them. Those it refuses are set aside in spool/refused, what is left of ' +
        'damaged ones in spool/damaged. These commands work while the server runs, and when it does not.',
    );

  dataCommand(spool, 'list', 'say how many events wait, and list those that cannot be counted, and why').action(
    async (flags: DataFlags) => {
      const report = await withReach(flags, (reach) => reach.ask<SpoolReport>('GET', '/spool'));
      print(flags, report, () => describe(report));
    },
  );

  dataCommand(spool, 'retry', 'insert refused events, as far as the database takes them now')
    .description(
      'Inserts the events in spool/refused, as far as the database takes them now; the others stay. Each is counted once, however ' +
        'often this runs or is broken off.',
    )
    .argument('[file...]', 'as the list names them; default: all that were refused')
    .action(async (files: string[], flags: DataFlags) => {
      const body = files.length === 0 ? {} : { files };
      const results = await withReach(flags, (reach) => reach.ask<RetriedFile[]>('POST', '/spool/retry', body));
      print(flags, results, () => (results.length === 0 ? ['Nothing was refused.'] : results.map(toLine)));
      const failed = results.filter(({ problem, refused, damaged }) => problem !== undefined || refused + damaged > 0);
      if (failed.length > 0)
        throw new CommandError(`Not all events of ${count(failed.length, 'file')} could be inserted.`);
    });

  return spool;
}

function describe({ folder, files, waiting, retrying }: SpoolReport): string[] {
  const { files: inserts, events } = waiting;
  const before = [
    ...(retrying.files === 0 ? [] : [`${count(retrying.files, 'file')} cannot be used now: ${retrying.why}`]),
    ...(inserts === 0
      ? []
      : [`To be inserted by a running server: ${count(events, 'event')} in ${count(inserts, 'file')}.`]),
  ];
  if (files.length === 0)
    return [...before, `Every ${before.length > 0 ? 'other ' : ''}event that was acknowledged is counted.`];
  const rows = files.map((file) => [file.kind, String(file.events ?? '?'), String(file.bytes), dayOf(file), file.file]);
  const why = files.flatMap((file) => (file.why === undefined ? [] : [`${file.file}: ${file.why}`]));
  return [
    ...before,
    ...(before.length > 0 ? [''] : []),
    `In ${folder}:`,
    ...table(['WHAT', 'EVENTS', 'BYTES', 'SINCE', 'FILE'], rows),
    ...why,
  ];
}

const dayOf = ({ since }: SpoolFile) => (since === 0 ? '' : new Date(since).toISOString().slice(0, 10));

function toLine({ file, stored, refused, damaged, problem }: RetriedFile): string {
  if (problem !== undefined) return `${file}: ${problem}`;
  return `${file}: ${count(stored, 'event')} inserted, ${refused} refused again, ${damaged} damaged.`;
}
