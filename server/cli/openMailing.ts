// How messages leave this server, who operates it, and the watch over its disk, as the settings say.
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { ServerSettings } from '../config.ts';
import { outgoingRules } from '../crawl/address.ts';
import type { FetchRules } from '../crawl/fetchPage.ts';
import { crawlerAgent } from '../crawl/reading.ts';
import { createMailer } from '../mail/mailer.ts';
import { createUnsubscribing } from '../mail/unsubscribe.ts';
import type { Mailing, Operator } from '../messages/deliver.ts';
import { createDiskWatch } from '../messages/watchDisk.ts';
import type { Store } from '../storage/store.ts';
import { freeBytes } from './freeBytes.ts';
import type { Installation } from './installation.ts';

interface Options {
  settings: Pick<ServerSettings, 'data' | 'publicUrl' | 'smtpUrl' | 'mailFrom'>;
  store: Pick<Store, 'keys' | 'messages'>;
  now: () => number;
}

type MailOptions = Options & {
  /** Monotonic milliseconds. */
  clock: () => number;
};

/** @returns undefined where no mail server is set. */
export function openMailing({ settings, store, now, clock }: MailOptions): Mailing | undefined {
  const { smtpUrl: server, mailFrom: from, publicUrl } = settings;
  if (server === undefined || from === undefined || publicUrl === undefined) return undefined;
  return {
    mailer: createMailer({ server, from, now, clock }),
    unsubscribing: createUnsubscribing(store.keys),
    publicUrl,
    domain: from.address.slice(from.address.lastIndexOf('@') + 1),
  };
}

export const operatorOf = ({
  operatorMail = [],
  operatorWebhook: webhook,
}: Pick<ServerSettings, 'operatorMail' | 'operatorWebhook'>): Operator => ({ mail: operatorMail, webhook });

export const openDiskWatch = ({ settings: { data: folder }, store, log, now }: Options & { log: Logger }) =>
  createDiskWatch({ store, log, now, host: hostname(), folder, freeBytes: () => freeBytes(folder) });

/** Webhooks are reached as pages are. */
export const webhookRules = (
  { publicUrl, allowPrivateCrawl }: Pick<ServerSettings, 'publicUrl' | 'allowPrivateCrawl'>,
  { version }: Installation,
): FetchRules => ({
  ...outgoingRules(allowPrivateCrawl),
  userAgent: crawlerAgent(version, publicUrl),
});
