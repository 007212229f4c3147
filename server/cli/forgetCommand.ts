// `afterword forget`: erases a visitor who asks for it.
import type { Command } from 'commander';
import type { Forgotten } from './admin/visitors.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';

export function addForgetCommand(program: Command): void {
  dataCommand(program, 'forget', 'erase a visitor: their page views lose the visitor, their profile is deleted')
    .requiredOption('--visitor <id>', 'the id their browser keeps for the site')
    .option('--site <site-id>', 'only there; every site when left out')
    .action(async (flags: DataFlags & { visitor: string; site?: string }) => {
      const { visitor, site } = flags;
      const forgotten = await withReach(flags, (reach) => reach.ask<Forgotten[]>('POST', '/forget', { visitor, site }));
      print(flags, forgotten, () => [
        ...forgotten.map(toLine),
        ...(forgotten.length === 0 ? ['There is no site.'] : []),
      ]);
    });
}

function toLine({ apikey, events, visits }: Forgotten): string {
  return `${apikey}: ${events} events have no visitor now, ${visits} pages of the profile erased.`;
}
