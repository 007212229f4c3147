// `afterword site size`: rows and bytes of each site, or of one by table.
import type { Command } from 'commander';
import { inDigits } from '../counted.ts';
import type { SizeInfo } from './admin/siteSizes.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { inBytes, print } from './output.ts';
import { withReach } from './reach.ts';
import { table } from './table.ts';

export function addSizeCommand(site: Command): void {
  dataCommand(site, 'size', 'how much each site has in the database: rows, bytes, first and last day of events')
    .argument('[site-id]', 'this one alone, by table; one that was removed, too')
    .action(async (id: string | undefined, flags: DataFlags) => {
      const path = id === undefined ? '/site-sizes' : `/site-sizes?site=${encodeURIComponent(id)}`;
      const sizes = await withReach(flags, (reach) => reach.ask<SizeInfo[]>('GET', path));
      if (id === undefined) return print(flags, sizes, () => (sizes.length === 0 ? ['No site yet.'] : ofAll(sizes)));
      const [size] = sizes;
      if (size === undefined) throw new CommandError(`The database has no row of ${id}.`);
      print(flags, size, () => ofOne(size));
    });
}

const eventsOf = ({ tables }: SizeInfo) => tables.find((each) => each.table === 'events')?.rows ?? 0;

const room = ({ bytes, max_disk: most }: SizeInfo) =>
  most === null ? inBytes(bytes) : `${inBytes(bytes)} of ${inBytes(most)}`;

function ofAll(sizes: readonly SizeInfo[]): string[] {
  const rows = sizes.map((size) => [
    size.site,
    inDigits(eventsOf(size)),
    inDigits(size.rows),
    room(size),
    size.first ?? '-',
    size.last ?? '-',
  ]);
  return table(['SITE', 'EVENTS', 'ROWS', 'BYTES, ABOUT', 'FIRST EVENT', 'LAST EVENT'], rows);
}

function ofOne(size: SizeInfo): string[] {
  const { site, tables, rows, first, last } = size;
  const lines = tables.map((each) => [each.table, inDigits(each.rows), inBytes(each.bytes)]);
  const days = first === null ? 'no events' : `events from ${first} to ${last}`;
  return [
    `${site}: ${inDigits(rows)} rows, about ${room(size)}, ${days}`,
    ...table(['TABLE', 'ROWS', 'BYTES, ABOUT'], lines),
  ];
}
