// `afterword site size`: rows and bytes of each site, or of one by table.
import type { Command } from 'commander';
import type { SiteSize } from '../storage/store.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print, table } from './output.ts';
import { withReach } from './reach.ts';

export function addSizeCommand(site: Command): void {
  dataCommand(site, 'size', 'how much each site has in the database: rows, bytes, first and last day of events')
    .argument('[site-id]', 'this one alone, by table; one that was removed, too')
    .action(async (id: string | undefined, flags: DataFlags) => {
      const path = id === undefined ? '/site-sizes' : `/site-sizes?site=${encodeURIComponent(id)}`;
      const sizes = await withReach(flags, (reach) => reach.ask<SiteSize[]>('GET', path));
      if (id === undefined) return print(flags, sizes, () => (sizes.length === 0 ? ['No site yet.'] : ofAll(sizes)));
      const [size] = sizes;
      if (size === undefined) throw new CommandError(`The database has no row of ${id}.`);
      print(flags, size, () => ofOne(size));
    });
}

const number = (value: number) => value.toLocaleString('en-US');

/** 1,234 B; 56.7 MiB. */
export function inBytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = value < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
  return `${power === 0 ? number(value) : (value / 1024 ** power).toFixed(1)} ${units[power]}`;
}

const eventsOf = ({ tables }: SiteSize) => tables.find((each) => each.table === 'events')?.rows ?? 0;

function ofAll(sizes: readonly SiteSize[]): string[] {
  const rows = sizes.map((size) => [
    size.site,
    number(eventsOf(size)),
    number(size.rows),
    inBytes(size.bytes),
    size.first ?? '-',
    size.last ?? '-',
  ]);
  return table(['SITE', 'EVENTS', 'ROWS', 'BYTES, ABOUT', 'FIRST EVENT', 'LAST EVENT'], rows);
}

function ofOne({ site, tables, rows, bytes, first, last }: SiteSize): string[] {
  const lines = tables.map((each) => [each.table, number(each.rows), inBytes(each.bytes)]);
  const days = first === null ? 'no events' : `events from ${first} to ${last}`;
  return [
    `${site}: ${number(rows)} rows, about ${inBytes(bytes)}, ${days}`,
    ...table(['TABLE', 'ROWS', 'BYTES, ABOUT'], lines),
  ];
}
