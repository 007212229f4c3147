// A start of the part of the server that raises messages and sends them, with a mail server of the tests.
import type { Logger } from 'pino';
import { createMailer } from '../../server/mail/mailer.ts';
import { parseSmtpUrl } from '../../server/mail/smtpServer.ts';
import { createUnsubscribing } from '../../server/mail/unsubscribe.ts';
import { createDelivery, type Operator } from '../../server/messages/deliver.ts';
import { createAlarms } from '../../server/messages/raiseAlarms.ts';
import { loopbackRules } from '../crawl/support.ts';
import { type MailServer, openMailServer, type TakenMail } from './mailServer.ts';
import { type Newsroom, openNewsroom } from './newsroom.ts';
import { openReceiver, type WebhookReceiver } from './webhookReceiver.ts';

export const PUBLIC_URL = 'https://stats.example';
export const PASSWORD = 'pass word/ü';

export interface MailingOptions {
  log?: Logger;
  operator?: Operator;
}

export interface MailRoom {
  room: Newsroom;
  mails: MailServer;
  receiver: WebhookReceiver;
  close(): Promise<void>;
}

/** A newsroom, a mail server, and a receiver of webhooks. */
export async function openMailRoom(): Promise<MailRoom> {
  // A Tuesday.
  const now = Date.parse('2040-03-20T12:00:00Z');
  const room = await openNewsroom({ now, publicUrl: PUBLIC_URL });
  const [mails, receiver] = await Promise.all([openMailServer(), openReceiver()]);
  return {
    ...{ room, mails, receiver },
    async close() {
      receiver.close();
      await mails.close();
      await room.close();
    },
  };
}

/** Nothing is known but what is stored. */
export function startMailing(
  { deps }: Newsroom,
  mails: MailServer,
  { log = deps.log, operator = { mail: [], webhook: undefined } }: MailingOptions = {},
) {
  const server = parseSmtpUrl(`smtp://me:${encodeURIComponent(PASSWORD)}@127.0.0.1:${mails.port}`)!;
  const from = { name: 'The Statistics', address: 'stats@sender.example' };
  const mailing = {
    mailer: createMailer({ server, from, now: deps.now }),
    unsubscribing: createUnsubscribing(deps.store.keys),
    publicUrl: PUBLIC_URL,
    domain: 'sender.example',
  };
  const alarms = createAlarms({ ...deps, log, behind: () => 0 });
  const delivery = createDelivery({ ...deps, log, mailing, operator, rules: loopbackRules });
  return {
    delivery,
    async tick() {
      await alarms.tick();
      await alarms.makePages();
      await delivery.tick();
    },
  };
}

export const header = (mail: TakenMail, name: string): string[] => mail.headers.get(name) ?? [];
