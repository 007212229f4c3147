// Who gets mails about a site, which ones, and when. Pure.
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { QuietHours } from './alarmSettings.ts';

/** What a recipient may get. */
export const TOPICS = ['alarms', 'experiments', 'morning'] as const;
export type Topic = (typeof TOPICS)[number];

export interface MailRecipient {
  /** Names it in addresses that unsubscribe; 128 random bits. */
  id: string;
  address: string;
  gets: readonly Topic[];
  /** When the morning page is sent, in minutes from midnight of the zone of the site. */
  morning: number;
  /** Mails are held back then. Default: no time. */
  quiet?: QuietHours | undefined;
  /** Epoch milliseconds; what happened before is no news. */
  since: number;
  /** When it was unsubscribed; epoch milliseconds. Default: it was not. */
  unsubscribedAt?: number | undefined;
}

export const DEFAULT_MORNING = 7 * 60;
/** Recipients of a site: newsrooms have lists of their own for more. */
export const MAX_RECIPIENTS = 50;

/** No address has more characters. Source: RFC 5321, 4.5.3.1.3. */
const MAX_LENGTH = 254;
/** Without quoted names, which no one has: what stays cannot end a header or begin another address. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads an address: surrounding blanks do not matter, the domain becomes lower-case ASCII.
 * @returns undefined for what is no plain address, such as `Anna <anna@example.com>`.
 */
export function parseAddress(text: string): string | undefined {
  const [local = '', host = '', more] = text
    .slice(0, 4 * MAX_LENGTH)
    .trim()
    .split('@');
  if (more !== undefined || host.length > MAX_LENGTH || local.length > 64 || !LOCAL.test(local)) return undefined;
  const domain = domainToASCII(host).toLowerCase();
  const address = `${local}@${domain}`;
  const isDomain = domain !== '' && isIP(domain) === 0 && domain.split('.').every((label) => LABEL.test(label));
  return isDomain && address.length <= MAX_LENGTH ? address : undefined;
}

/** Whether two addresses are the same mailbox, as nearly every server takes them. */
export const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Recipients that were not unsubscribed. */
export const subscribed = (recipients: readonly MailRecipient[] = []): MailRecipient[] =>
  recipients.filter(({ unsubscribedAt }) => unsubscribedAt === undefined);

/** Such as `a…@example.com`, for pages that others may see. */
export function shortened(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}…${address.slice(at)}`;
}
