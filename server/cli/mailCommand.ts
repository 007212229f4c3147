// `afterword mail …`: who gets mails about a site.
import { Command, InvalidArgumentError } from 'commander';
import { TOPICS, type Topic } from '../sites/mail.ts';
import type { MailInfo, RecipientInfo } from './admin/mails.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { table } from './table.ts';

type AddFlags = DataFlags & { gets?: Topic[]; morning?: string; quiet?: string; again?: boolean };

export function mailCommand(): Command {
  const mail = new Command('mail')
    .summary('send alarms and the morning page of a site by mail')
    .description(
      'Who gets mails about a site: alarms, ended experiments, the morning page. The running server sends them, by the mail server of --smtp-url.',
    );

  dataCommand(mail, 'add', 'add a recipient, or change what one gets; what is not named stays')
    .argument('<site-id>')
    .argument('<address>')
    .option('--gets <what>', `what it gets, with commas between: ${TOPICS.join(', ')}; default: all of them`, topics)
    .option('--morning <time>', 'sends the morning page then, in the time zone of the site; default: 07:00')
    .option('--quiet <times>', 'holds mails back then, in the time zone of the site: 22:00-07:00, or none')
    .option('--again', 'add a recipient that was unsubscribed')
    .action(async (id: string, address: string, { gets, morning, quiet, again, ...flags }: AddFlags) => {
      const body = { address, gets, morning, quiet, again };
      const info = await withReach(flags, (reach) => reach.ask<MailInfo>('POST', pathOf(id), body));
      print(flags, info, () => linesOf(info));
    });

  dataCommand(mail, 'list', 'list the recipients of a site, and what each gets')
    .argument('<site-id>')
    .action(async (id: string, flags: DataFlags) => {
      const info = await withReach(flags, (reach) => reach.ask<MailInfo>('GET', pathOf(id)));
      print(flags, info, () => linesOf(info));
    });

  dataCommand(mail, 'remove', 'remove a recipient')
    .argument('<site-id>')
    .argument('<address>')
    .action(async (id: string, address: string, flags: DataFlags) => {
      const info = await withReach(flags, (reach) => reach.ask<MailInfo>('POST', `${pathOf(id)}/removed`, { address }));
      print(flags, info, () => linesOf(info));
    });

  dataCommand(mail, 'test', 'send the morning page of a site to an address now, and say what the mail server answered')
    .argument('<site-id>')
    .argument('<address>')
    .action(async (id: string, address: string, flags: DataFlags) => {
      const sent = await withReach(flags, (reach) =>
        reach.ask<{ address: string; subject: string }>('POST', `${pathOf(id)}/test`, { address }),
      );
      print(flags, sent, () => [`The mail server took it, for ${sent.address}: ${sent.subject}`]);
    });

  return mail;
}

const pathOf = (id: string): string => sitePath(id, '/mail');

function topics(text: string): Topic[] {
  const named = text.split(',').map((one) => one.trim().toLowerCase());
  const known = TOPICS.filter((topic) => named.includes(topic));
  if (named.every((one) => TOPICS.some((topic) => topic === one))) return known;
  throw new InvalidArgumentError(`It takes ${TOPICS.join(', ')}, with commas between.`);
}

function linesOf({ apikey, recipients, sends }: MailInfo): string[] {
  if (recipients.length === 0) return [`${apikey}: no mails are sent. afterword mail add ${apikey} anna@example.com`];
  const rows = recipients.map((one) => [one.address, stateOf(one), one.quiet ?? 'none']);
  return [
    ...table(['address', 'gets', 'quiet hours'], rows),
    ...(sends === false
      ? ['The server has no mail server, so none is sent: start it with --smtp-url and --mail-from.']
      : []),
  ];
}

const stateOf = ({ gets, morning, unsubscribed }: RecipientInfo): string =>
  unsubscribed === null
    ? gets.map((topic) => (topic === 'morning' ? `morning page at ${morning}` : topic)).join(', ')
    : `nothing: unsubscribed on ${unsubscribed.slice(0, 10)}`;
