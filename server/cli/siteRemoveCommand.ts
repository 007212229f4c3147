// `afterword site remove`: asks, removes, and with --purge leaves no row behind.
import type { Command } from 'commander';
import type { SiteInfo } from './admin/siteInfo.ts';
import type { Purged } from './admin/siteSizes.ts';
import { CommandError } from './commandError.ts';
import { confirm } from './confirm.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { count, print } from './output.ts';
import { type Reach, withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { warnOfSetAside } from './warnOfSetAside.ts';

type RemoveFlags = DataFlags & { yes?: boolean; purge?: boolean };

export function addRemoveCommand(site: Command): void {
  dataCommand(site, 'remove', 'remove a site and everything it owns: traffic, posts, profiles')
    .argument('<site-id>')
    .option('-y, --yes', 'do not ask')
    .option(
      '--purge',
      'wait for events that are not in the tables yet, remove every row, also of a site removed earlier, and say how many',
    )
    .action((id: string, flags: RemoveFlags) =>
      withReach(flags, (reach) => (flags.purge === true ? purge(reach, id, flags) : remove(reach, id, flags))),
    );
}

const LONG_MS = 10_000;

async function sayWhyLong<T>(removal: Promise<T>): Promise<T> {
  const long = setTimeout(() => {
    process.stderr.write(
      'The rows are not removed yet: that takes minutes where there are many, and waits for room where the disk of the database is full (afterword doctor says how much is left).\n',
    );
  }, LONG_MS);
  try {
    return await removal;
  } finally {
    clearTimeout(long);
  }
}

const erases = (id: string) => `This erases all traffic, posts and profiles of ${id}.`;

async function remove({ ask }: Reach, id: string, flags: RemoveFlags): Promise<void> {
  const path = sitePath(id);
  const { apikey } = await ask<SiteInfo>('GET', path);
  if (flags.yes !== true) await confirm(erases(apikey), apikey);
  await sayWhyLong(ask('DELETE', path));
  print(flags, { apikey, removed: true }, () => [`Site ${apikey} is removed.`]);
}

async function purge({ ask }: Reach, id: string, flags: RemoveFlags): Promise<void> {
  if (flags.yes !== true) await confirm(erases(id), id.trim().toLowerCase());
  const { aside, ...purged } = await sayWhyLong(ask<Purged>('DELETE', `/site-rows/${encodeURIComponent(id)}`));
  warnOfSetAside(aside);
  print(flags, purged, () => [
    `Site ${purged.apikey} is removed: ${count(purged.rows, 'row')} of ${count(purged.tables.length, 'table')}.`,
  ]);
  if (purged.waiting > 0)
    throw new CommandError(
      `${count(purged.waiting, 'event')} of all sites are in no table yet: run this command again when a running server has inserted them (afterword spool list).`,
    );
}
