// Sends the messages that are stored to those who get them: the webhook of a site, its recipients of mail, and of what
// concerns the machine, the operator.
import type { FetchRules } from '../crawl/fetchPage.ts';
import { DAY } from '../durations.ts';
import { toMail } from '../mail/compose.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Unsubscribing } from '../mail/unsubscribe.ts';
import { serveEach } from '../serveEach.ts';
import type { AlarmSettings } from '../sites/alarmSettings.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import { type MailRecipient, subscribed } from '../sites/mail.ts';
import type { Site, SiteId } from '../sites/site.ts';
import { type Attempt, OF_SERVER, type StoredMessage } from '../storage/messages.ts';
import type { Store } from '../storage/store.ts';
import type { Announcer } from './announceWinners.ts';
import { createOutbox, messageId, type OutboxOptions, type Outgoing, type Receiver, type Refusal } from './outbox.ts';
import { sendsToWebhook, untilFor, type When, whenForRecipient, whenForWebhook } from './subscribers.ts';
import { postJson, postTo, WEBHOOK, WEBHOOK_CONCURRENCY } from './webhookReceiver.ts';

/** How mails are made and sent. */
export interface Mailing {
  mailer: Mailer;
  unsubscribing: Unsubscribing;
  /** Address of the server, for the links of mails. */
  publicUrl: string;
  /** Host name of the sender, for the ids of mails. */
  domain: string;
}

/** Who gets messages about the machine. */
export interface Operator {
  mail: readonly string[];
  webhook: string | undefined;
}

export interface DeliveryOptions extends OutboxOptions {
  store: Pick<Store, 'messages'>;
  sites: Pick<SiteDirectory, 'list'>;
  rules: FetchRules;
  /** Absent: no mails are sent; those that wait are given up at their time. */
  mailing?: Mailing | undefined;
  operator: Operator;
}

/** The longest time that a message is tried again. */
const LOOK_BACK_MS = 4 * DAY;

/** A receiver, which of the messages it gets, and how one is sent. */
interface Subscriber extends Receiver {
  when(message: StoredMessage): When;
  /** Epoch milliseconds; later it is not tried again. Default: as the message says. */
  until?(message: StoredMessage): number;
  prepare?(): Promise<unknown>;
  send(message: StoredMessage): Promise<Refusal | undefined>;
}

const WAYS = ['webhook', 'mail'] as const;
/** How a message goes. */
type Way = (typeof WAYS)[number];

/** Sites of a run that are sent to concurrently: all their mails go to one server. */
const CONCURRENCY: Record<Way, number> = { webhook: WEBHOOK_CONCURRENCY, mail: 1 };

interface Subscribers extends Record<Way, Subscriber[]> {
  id: SiteId;
}

interface How {
  rules: FetchRules;
  now(): number;
}

function webhookOf(site: Site, { rules, now }: How): Subscriber[] {
  if (!sendsToWebhook(site)) return [];
  const { webhook, alarms } = site;
  return [
    {
      ...WEBHOOK,
      // Other receivers drop a message whose id they have.
      repeats: alarms.format !== 'slack',
      when: (message) => whenForWebhook(site, message, now()),
      until: (message) => untilFor(site, message, alarms.morning),
      send: ({ id, ...message }) =>
        postTo(webhook, { id, body: bodyOf(message, alarms.format) }, { rules, now: now() }),
    },
  ];
}

const recipientOf = (
  site: Site,
  to: MailRecipient,
  { mailer, publicUrl, unsubscribing, domain }: Mailing,
  { now }: How,
): Subscriber => ({
  key: `mail ${to.id}`,
  about: `the mail server, for ${to.address}`,
  repeats: false,
  when: (message) => whenForRecipient(site, to, message, now()),
  until: (message) => untilFor(site, message, to.morning),
  prepare: () => unsubscribing.linkFor(site.id, to.id),
  async send(message) {
    const unsubscribe = `${publicUrl}${await unsubscribing.linkFor(site.id, to.id)}`;
    const envelope = { to: to.address, recipient: to.id, zone: site.timezone, domain };
    return await mailer.send(toMail(message, { ...envelope, publicUrl, unsubscribe }));
  },
});

const always = (message: StoredMessage, now: number): When => (message.until < now ? 'never' : 'now');

const operatorMail = (to: string, { mailer, publicUrl, domain }: Mailing, { now }: How): Subscriber => {
  const recipient = messageId(to).slice(4, 20);
  const envelope = { to, recipient, domain, publicUrl, unsubscribe: undefined, zone: 'UTC' };
  return {
    key: `mail ${recipient}`,
    about: 'the mail server, for the operator',
    repeats: false,
    when: (message) => always(message, now()),
    send: (message) => mailer.send(toMail(message, envelope)),
  };
};

const operatorWebhook = (url: string, { rules, now }: How): Subscriber => ({
  key: 'webhook',
  about: 'the webhook of the operator',
  // Slack has a form of its own, without ids.
  repeats: false,
  when: (message) => always(message, now()),
  send: ({ text }) => postJson(url, { text: JSON.stringify({ text: forSlack(text) }) }, rules),
});

export function createDelivery({ sites, rules, mailing, operator, ...options }: DeliveryOptions): Announcer {
  const { store, now } = options;
  const outboxes = { webhook: createOutbox(options), mail: createOutbox(options) };
  const how: How = { rules: { ...rules, stop: outboxes.webhook.stopping }, now };
  let waiting = 0;

  const everyone = (): Subscribers[] => [
    {
      id: OF_SERVER,
      webhook: operator.webhook === undefined ? [] : [operatorWebhook(operator.webhook, how)],
      mail: mailing ? operator.mail.map((to) => operatorMail(to, mailing, how)) : [],
    },
    ...sites.list().map((site) => ({
      id: site.id,
      webhook: webhookOf(site, how),
      mail: mailing ? subscribed(site.mail).map((to) => recipientOf(site, to, mailing, how)) : [],
    })),
  ];

  /** @returns How many wait. */
  async function sendBy(way: Way, { id, ...by }: Subscribers): Promise<number> {
    if (by[way].length === 0) return 0;
    const stored = await store.messages.list(id, now() - LOOK_BACK_MS);
    let read: Promise<Attempt[]> | undefined;
    const attempts = () => (read ??= outboxes[way].attempts(id));
    let left = 0;
    for (const to of by[way]) {
      const due = outgoingOf(to, stored);
      const rests = way === 'mail' && mailing?.mailer.isResting() === true;
      left += rests ? due.length : await outboxes[way].send(id, to, due, attempts);
    }
    return left;
  }

  function outgoingOf(to: Subscriber, stored: readonly StoredMessage[]): Outgoing[] {
    const due = stored.filter((message) => to.when(message) === 'now');
    return due.map((message) => ({
      id: message.id,
      about: 'a message',
      fields: { kind: message.kind },
      until: to.until?.(message) ?? message.until,
      prepare: to.prepare,
      attempt: () => to.send(message),
    }));
  }

  return {
    async tick() {
      const news = new Set(await store.messages.sitesWithNews({ since: now() - LOOK_BACK_MS, now: now() }));
      const due = everyone().filter((one) => news.has(one.id));
      let left = 0;
      const sendAll = (way: Way) =>
        serveEach(
          due,
          async (one) => {
            const some = await sendBy(way, one);
            left += some;
          },
          { concurrency: CONCURRENCY[way], stop: outboxes[way].stopping },
        );
      const failures = (await Promise.all(WAYS.map(sendAll))).flat();
      waiting = left;
      if (failures.length > 0)
        throw new AggregateError(failures, `Messages were not sent: ${failures.length} failures.`);
    },
    counts: () => WAYS.flatMap((by) => outboxes[by].counts().map((one) => ({ ...one, by }))),
    waiting: () => waiting,
    stop() {
      for (const outbox of Object.values(outboxes)) outbox.stop();
    },
  };
}

/** Slack reads `<…>` as a link or a call to everyone in the channel. */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const bodyOf = ({ kind, at, text, data }: Omit<StoredMessage, 'id'>, format: AlarmSettings['format']): object =>
  format === 'slack' ? { text: forSlack(text) } : { type: kind, timestamp: new Date(at).toISOString(), text, data };
