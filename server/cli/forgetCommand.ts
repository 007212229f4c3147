// `afterword forget`: erases a visitor who asks for it.
import { type Command, InvalidArgumentError } from 'commander';
import { MAX_VISITOR_ID } from '../contract/limits.ts';
import type { Erasure, Forgotten } from './admin/visitors.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { count, print } from './output.ts';
import { withReach } from './reach.ts';
import { warnOfSetAside } from './warnOfSetAside.ts';

export function addForgetCommand(program: Command): void {
  dataCommand(program, 'forget', 'erase a visitor: their page views lose the visitor, their profile is deleted')
    .requiredOption('--visitor <id>', 'the id their browser keeps for the site', visitorId)
    .option('--site <site-id>', 'only there; every site when left out')
    .action(async (flags: DataFlags & { visitor: string; site?: string }) => {
      const { visitor, site } = flags;
      const { forgotten, waiting, aside } = await withReach(flags, (reach) =>
        reach.ask<Erasure>('POST', '/forget', { visitor, site }),
      );
      print(flags, forgotten, () => [
        ...forgotten.map(toLine),
        ...(forgotten.length === 0 ? ['There is no site.'] : []),
      ]);
      warnOfSetAside(aside);
      if (waiting > 0)
        throw new CommandError(
          `${count(waiting, 'event')} of all sites and visitors are in no table yet: run this command again when a running server has inserted them (afterword spool list).`,
        );
    });
}

function visitorId(text: string): string {
  if (text.length >= 1 && text.length <= MAX_VISITOR_ID) return text;
  throw new InvalidArgumentError(`It takes an id of 1 to ${MAX_VISITOR_ID} characters.`);
}

function toLine({ apikey, events, visits }: Forgotten): string {
  return `${apikey}: ${events} events have no visitor now, ${visits} pages of the profile erased.`;
}
