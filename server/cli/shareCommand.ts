// `afterword share …`: links that show one view of the console.
import { Command } from 'commander';
import type { ShareInfo } from './admin/shares.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { table } from './table.ts';

export function shareCommand(): Command {
  const share = new Command('share')
    .summary('list and revoke links that show one view of the console')
    .description(
      'Links that show one view of the console to all who have them. They are made in the console, by who is signed in with the write secret.',
    );

  dataCommand(share, 'list', 'list the links of a site that are valid now')
    .argument('<site-id>')
    .action(async (id: string, flags: DataFlags) => {
      const all = await withReach(flags, (reach) => reach.ask<ShareInfo[]>('GET', pathOf(id)));
      const rows = all.map(({ id: link, name, search, created, until }) => [
        link,
        name,
        search || '(the view that opens first)',
        created.slice(0, 10),
        until.slice(0, 16),
      ]);
      print(flags, all, () =>
        rows.length === 0 ? ['No link.'] : table(['LINK', 'NAME', 'SHOWS', 'MADE', 'UNTIL (UTC)'], rows),
      );
    });

  dataCommand(share, 'revoke', 'end a link now')
    .argument('<site-id>')
    .argument('<link>', 'its id, as listed')
    .action(async (id: string, link: string, flags: DataFlags) => {
      const path = `${pathOf(id)}/${encodeURIComponent(link)}`;
      const revoked = await withReach(flags, (reach) => reach.ask<Pick<ShareInfo, 'id' | 'name'>>('DELETE', path));
      print(flags, revoked, () => [`Link ${revoked.id} (${revoked.name}) opens nothing any more.`]);
    });

  return share;
}

const pathOf = (id: string): string => sitePath(id, '/shares');
