// `afterword alarm …` and `afterword digest`: alarms of a site and its morning page.
import { Command, InvalidArgumentError, Option } from 'commander';
import { LEAST_KEPT_DAYS } from '../alarms/curve.ts';
import type { MorningPage } from '../rankings/morningPage.ts';
import type { AlarmInfo, DigestInfo, SentInfo } from './admin/alarms.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { plain, print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';

type OnFlags = DataFlags & { format?: string; minimum?: number; quiet?: string; morning?: string };

export function alarmCommand(): Command {
  const alarm = new Command('alarm')
    .summary('send alarms of a site to its webhook')
    .description(
      'Alarms of a site, sent to its webhook: its traffic is unusual for this hour, its tag fell silent, an experiment ended. ' +
        'Who gets them by mail: afterword mail. These commands work while the server runs, and when it does not.',
    );

  dataCommand(alarm, 'on', 'send alarms, or change when and how; what is not named stays')
    .argument('<site-id>')
    .addOption(
      new Option(
        '--format <name>',
        'json: signed messages; slack: their text alone, for incoming webhooks of Slack',
      ).choices(['json', 'slack']),
    )
    .option('--minimum <views>', 'says nothing of traffic where fewer views an hour are usual; default: 60', views)
    .option('--quiet <times>', 'raises nothing then, in the time zone of the site: 22:00-07:00, or none')
    .option('--morning <time>', 'sends the morning page then, in the time zone of the site: 07:30, or none')
    .action(async (id: string, { format, minimum, quiet, morning, ...flags }: OnFlags) => {
      const body = { format, minimum, quiet, morning };
      const set = await withReach(flags, (reach) => reach.ask<AlarmInfo>('POST', pathOf(id, 'alarms'), body));
      print(flags, set, () => linesOf(set));
    });

  dataCommand(alarm, 'off', 'send no alarms and no morning page to the webhook')
    .argument('<site-id>')
    .action(async (id: string, flags: DataFlags) => {
      const set = await withReach(flags, (reach) => reach.ask<AlarmInfo>('DELETE', pathOf(id, 'alarms')));
      print(flags, set, () => linesOf(set));
    });

  dataCommand(alarm, 'show', 'show which alarms are sent, and what was sent in the last 30 days')
    .argument('<site-id>')
    .action(async (id: string, flags: DataFlags) => {
      const [set, sent] = await withReach(flags, async (reach) => [
        await reach.ask<AlarmInfo>('GET', pathOf(id, 'alarms')),
        await reach.ask<SentInfo[]>('GET', pathOf(id, 'alarms/sent')),
      ]);
      print(flags, { ...set, sent }, () => [...linesOf(set), ...sent.map(sentLine)]);
    });

  return alarm;
}

type DigestFlags = DataFlags & { dryRun?: boolean; format?: 'text' | 'html' };

export function addDigestCommand(program: Command): void {
  dataCommand(program, 'digest', 'send the morning page of a site, or print it')
    .description(
      'Sends the morning page of a site to its webhook and to those who get it by mail, within half a minute, while the server runs: yesterday beside the usual weekday, what was read most, where readers came from, what lists brought, what changed most.',
    )
    .argument('<site-id>')
    .option('--dry-run', 'print it, and send nothing')
    .addOption(
      new Option('--format <name>', 'with --dry-run: text, or html as a mail has it; default: text').choices([
        'text',
        'html',
      ]),
    )
    .action(async (id: string, { dryRun, format, ...flags }: DigestFlags) => {
      if (dryRun !== true && format !== undefined) throw new CommandError('--format is for --dry-run.', 2);
      if (flags.json && format !== undefined) throw new CommandError('Give --format or --json, not both.', 2);
      if (dryRun !== true) return await sendPage(id, flags);
      const page = await withReach(flags, (reach) => reach.ask<MorningPage>('GET', pathOf(id, 'digest')));
      if (format === 'html') {
        const { toMorningHtml } = await import('../mail/compose.ts');
        process.stdout.write(plain(toMorningHtml(page)));
        return;
      }
      const { toMorningText } = await import('../mail/morningText.ts');
      print(flags, page, () => [toMorningText(page)]);
    });
}

async function sendPage(id: string, flags: DataFlags): Promise<void> {
  const { sent, runs } = await withReach(flags, async ({ ask, status }) => ({
    sent: await ask<DigestInfo>('POST', pathOf(id, 'digest'), {}),
    runs: (await status()) !== undefined,
  }));
  const when = runs
    ? 'The running server sends it within half a minute.'
    : `No server runs on ${flags.data}. One sends it that is started before ${sent.until.slice(0, 16).replace('T', ' ')} UTC.`;
  print(flags, sent, () => [`${when} afterword alarm show ${sent.apikey} says whether it was taken.`]);
}

const pathOf = (id: string, action: string): string => sitePath(id, `/${action}`);

function views(text: string): number {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value >= 1) return value;
  throw new InvalidArgumentError('It takes a number of page views an hour, from 1.');
}

function linesOf({ apikey, webhook, alarms, too_few_days }: AlarmInfo): string[] {
  if (alarms === null)
    return [
      `${apikey}: no alarms are sent to a webhook. afterword alarm on ${apikey} sends them; afterword mail list ${apikey} shows who gets them by mail.`,
    ];
  return [
    webhook === null
      ? `${apikey}: the site has no webhook, so that alarms go by mail alone, with this minimum and these quiet hours. afterword site webhook ${apikey} https://… sets one.`
      : `${apikey}: alarms are sent to the webhook of the site.`,
    `  format       ${alarms.format}`,
    `  minimum      ${alarms.minimum} usual page views an hour`,
    `  quiet hours  ${alarms.quiet ?? 'none'}`,
    `  morning page ${alarms.morning ?? 'none'}`,
    ...(too_few_days === null
      ? []
      : [
          `No alarm about traffic is raised: what is usual takes events of ${LEAST_KEPT_DAYS} days, and those of the site are kept for ${too_few_days}. afterword site change ${apikey} --keep-events ${LEAST_KEPT_DAYS} keeps enough.`,
        ]),
  ];
}

const sentLine = ({ at, kind, text, receivers }: SentInfo): string => {
  const came = receivers.map(({ receiver, state, why }) => `${receiver}: ${state}${why && ` (${why})`}`);
  return `${at.slice(0, 16).replace('T', ' ')} UTC  ${kind}  ${came.join(', ') || 'not sent yet'}  ${text.split('\n', 1)[0]}`;
};
