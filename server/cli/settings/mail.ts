// How mails leave the server, and where it reports on its own machine.
import { z } from 'zod';
import { parseSmtpUrl, type SmtpServer } from '../../mail/smtpServer.ts';
import { parseAddress } from '../../sites/mail.ts';
import { parseWebhookUrl } from '../../sites/webhook.ts';
import { CommandError } from '../commandError.ts';
import { setting } from './setting.ts';

/** Turns a parser that returns undefined for what it does not take into a schema. */
const read = <T>(parse: (text: string) => T | undefined) =>
  z.string().transform((text, c) => {
    const value = parse(text);
    if (value !== undefined) return value;
    c.addIssue('not taken');
    return z.NEVER;
  });

/** Who mails are from, such as `Afterword <stats@example.com>`. */
export interface Sender {
  name: string;
  address: string;
}

function parseSender(text: string): Sender | undefined {
  const [, name, inner] = /^([^<>"\p{Cc}]{0,100})<([^<>]+)>$/u.exec(text.trim()) ?? [];
  const address = parseAddress(inner ?? text);
  return address === undefined ? undefined : { name: (name ?? '').trim(), address };
}

function parseAddresses(text: string): string[] | undefined {
  const addresses = text.split(',').map(parseAddress);
  return addresses.every((one) => one !== undefined) ? addresses : undefined;
}

export const mailSettings = {
  smtpUrl: setting<SmtpServer | undefined>({
    flag: '--smtp-url <url>',
    env: 'AFTERWORD_SMTP_URL',
    about: 'SMTP server that takes mails, with user and password where it asks for them',
    accepts: 'an smtp:// or smtps:// address, such as smtps://user:password@mail.example.com',
    secret: true,
    read: read(parseSmtpUrl),
  }),
  mailFrom: setting<Sender | undefined>({
    flag: '--mail-from <address>',
    env: 'AFTERWORD_MAIL_FROM',
    about: 'who mails are from',
    accepts: 'an address such as stats@example.com or "Statistics <stats@example.com>"',
    read: read(parseSender),
  }),
  operatorMail: setting<string[] | undefined>({
    flag: '--operator-mail <addresses>',
    env: 'AFTERWORD_OPERATOR_MAIL',
    about: 'gets a mail when the disk fills: one address, or several with commas between',
    accepts: 'an address such as ops@example.com, or several with commas between',
    read: read(parseAddresses),
  }),
  operatorWebhook: setting<string | undefined>({
    flag: '--operator-webhook <url>',
    env: 'AFTERWORD_OPERATOR_WEBHOOK',
    about: 'gets {"text": "…"} by POST when the disk fills, as incoming webhooks of Slack and Mattermost take it',
    accepts: 'an http or https address without user and password',
    secret: true,
    read: read(parseWebhookUrl),
  }),
};

interface MailSettings {
  smtpUrl?: SmtpServer | undefined;
  mailFrom?: Sender | undefined;
  operatorMail?: string[] | undefined;
  publicUrl?: string | undefined;
}

/** @throws {CommandError} where something is missing without which no mail can be sent. */
export function requireMail({ smtpUrl, mailFrom, operatorMail, publicUrl }: MailSettings): void {
  if (smtpUrl === undefined) {
    if (operatorMail === undefined) return;
    throw new CommandError('--operator-mail takes a mail server: set --smtp-url (or AFTERWORD_SMTP_URL), too.', 2);
  }
  if (mailFrom === undefined)
    throw new CommandError('Mails need a sender: set --mail-from (or AFTERWORD_MAIL_FROM) beside --smtp-url.', 2);
  if (publicUrl === undefined)
    throw new CommandError(
      'Mails have links to the console and to unsubscribe: set --public-url (or AFTERWORD_PUBLIC_URL) beside --smtp-url.',
      2,
    );
}
