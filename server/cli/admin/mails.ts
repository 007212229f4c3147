// Recipients of mails as commands add, list and remove them, and a mail that shows whether the way to one works.
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { toMail } from '../../mail/compose.ts';
import type { Mailing } from '../../messages/deliver.ts';
import { toMorningMessage } from '../../messages/morningPages.ts';
import { messageId } from '../../messages/outbox.ts';
import { formatTime, parseQuietHours, parseTime } from '../../sites/alarmSettings.ts';
import {
  DEFAULT_MORNING,
  isSameAddress,
  MAX_RECIPIENTS,
  type MailRecipient,
  parseAddress,
  TOPICS,
  type Topic,
} from '../../sites/mail.ts';
import type { Site } from '../../sites/site.ts';
import { CommandError } from '../commandError.ts';
import { orNone, QUIET_FORM } from './alarms.ts';
import { requireSite } from './sites.ts';

export interface RecipientInfo {
  address: string;
  gets: readonly Topic[];
  /** null: gets no morning page. */
  morning: string | null;
  quiet: string | null;
  /** null: it was not. */
  unsubscribed: string | null;
}

export interface MailInfo {
  apikey: string;
  recipients: RecipientInfo[];
  /** Whether this server has a mail server; null: no server runs, so it is not known. */
  sends: boolean | null;
}

/** What is absent stays, or has its default. */
const body = z.object({
  address: z.string(),
  gets: z.array(z.enum(TOPICS)).min(1).optional(),
  morning: z.string().optional(),
  quiet: z.string().optional(),
  again: z.boolean().optional(),
});

type MailDeps = Pick<Deps, 'sites' | 'store' | 'exclusions' | 'now'> & {
  /** Absent: no mails are sent. */
  mailing?: Mailing | undefined;
  /** It is a server, not a command. */
  isServer: boolean;
};

export function mailAdmin({ sites, store, exclusions, now, mailing, isServer }: MailDeps): Hono {
  const admin = new Hono();
  const toInfo = ({ id, mail = [] }: Pick<Site, 'id' | 'mail'>): MailInfo => ({
    apikey: id,
    recipients: mail.map(toRecipientInfo),
    sends: isServer ? mailing !== undefined : null,
  });

  admin.get('/sites/:id/mail', (c) => c.json(toInfo(requireSite(sites, c.req.param('id')))));

  admin.post('/sites/:id/mail', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const asked = body.parse(await c.req.json());
    const changed = await sites.change(site.id, (current) => ({
      ...current,
      mail: withRecipient(current.mail ?? [], asked, now()),
    }));
    return c.json(toInfo(changed));
  });

  admin.post('/sites/:id/mail/removed', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const address = requireAddress(z.object({ address: z.string() }).parse(await c.req.json()).address);
    const changed = await sites.change(site.id, ({ mail = [], ...others }) => {
      const rest = mail.filter((one) => !isSameAddress(one.address, address));
      if (rest.length === mail.length) throw new CommandError(`${address} is no recipient of ${site.id}.`);
      return rest.length > 0 ? { ...others, mail: rest } : others;
    });
    return c.json(toInfo(changed));
  });

  admin.post('/sites/:id/mail/test', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const to = requireAddress(z.object({ address: z.string() }).parse(await c.req.json()).address);
    if (!isServer) throw new CommandError('No server runs on this data folder: it is the server that sends mails.');
    if (mailing === undefined)
      throw new CommandError('This server has no mail server. Start it with --smtp-url and --mail-from.');
    const { mailer, unsubscribing, publicUrl, domain } = mailing;
    const recipient = site.mail?.find((one) => isSameAddress(one.address, to));
    const id = messageId(site.id, 'test', to, now());
    const message = await toMorningMessage({ store, exclusions }, site, { id, now: now() });
    const link = recipient && `${publicUrl}${await unsubscribing.linkFor(site.id, recipient.id)}`;
    const envelope = { to, recipient: recipient?.id ?? 'test', domain, publicUrl, zone: site.timezone };
    const mail = toMail(message, { ...envelope, unsubscribe: link });
    const refusal = await mailer.send({ ...mail, subject: `Test: ${mail.subject}` });
    if (refusal?.isUnknown)
      throw new CommandError(`The mail server was given it and did not say whether it took it: ${refusal.why}`);
    if (refusal !== undefined) throw new CommandError(`The mail server did not take it: ${refusal.why}`);
    return c.json({ address: to, subject: mail.subject });
  });

  return admin;
}

function withRecipient(mail: readonly MailRecipient[], asked: z.output<typeof body>, now: number): MailRecipient[] {
  const address = requireAddress(asked.address);
  const known = mail.find((one) => isSameAddress(one.address, address));
  if (known?.unsubscribedAt !== undefined && asked.again !== true)
    throw new CommandError(
      `${known.address} was unsubscribed on ${dayOf(known.unsubscribedAt)}. Add it with --again where its reader wants mails again.`,
    );
  if (known === undefined && mail.length >= MAX_RECIPIENTS)
    throw new CommandError(`A site has ${MAX_RECIPIENTS} recipients at most. Add the address of a list.`);
  const { id, gets, morning, quiet, since } = known ?? {
    ...{ id: randomBytes(16).toString('hex'), gets: TOPICS, morning: DEFAULT_MORNING, quiet: undefined, since: now },
  };
  const recipient: MailRecipient = {
    ...{ id, address },
    gets: asked.gets ?? gets,
    morning: asked.morning === undefined ? morning : requireTime(asked.morning),
    quiet: asked.quiet === undefined ? quiet : orNone(asked.quiet, parseQuietHours, QUIET_FORM),
    since: known?.unsubscribedAt === undefined ? since : now,
  };
  return known === undefined ? [...mail, recipient] : mail.map((one) => (one === known ? recipient : one));
}

function requireAddress(text: string): string {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw new CommandError(`A recipient is an address such as anna@example.com, not "${text.slice(0, 100)}".`, 2);
}

function requireTime(text: string): number {
  const time = parseTime(text);
  if (time !== undefined) return time;
  throw new CommandError(
    `The morning page is sent at a time of the site’s zone, such as 07:30, not "${text.slice(0, 100)}". Without it: --gets alarms,experiments.`,
    2,
  );
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const toRecipientInfo = ({ address, gets, morning, quiet, unsubscribedAt }: MailRecipient): RecipientInfo => ({
  ...{ address, gets },
  morning: gets.includes('morning') ? formatTime(morning) : null,
  quiet: quiet ? `${formatTime(quiet.from)}-${formatTime(quiet.to)}` : null,
  unsubscribed: unsubscribedAt === undefined ? null : new Date(unsubscribedAt).toISOString(),
});
