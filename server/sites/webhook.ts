// Where a site is notified of its headline tests that have a winner, and how its messages are signed, as Standard
// Webhooks does. @see https://www.standardwebhooks.com
import { createHmac, randomBytes } from 'node:crypto';
import { MAX_URL_LENGTH } from '../contract/limits.ts';
import { parseUrl } from '../posts/parseUrl.ts';

export interface SiteWebhook {
  /** http or https. */
  url: string;
  /** Signs what is sent, so it is stored as it is. */
  secret: string;
}

/** Marks secrets of webhooks; the rest is the key in Base64. */
const PREFIX = 'whsec_';

export const createWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** @returns undefined for what is no http or https address, or has a user and password, which logs would show. */
export function parseWebhookUrl(text: string): string | undefined {
  const url = parseUrl(text.trim());
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href.length > MAX_URL_LENGTH) return undefined;
  return url.username === '' && url.password === '' ? url.href : undefined;
}

/** A message that a receiver can take for ours. */
export interface Signed {
  /** The same each time one thing is sent, so that a receiver can leave out what came before. */
  id: string;
  /** Of this attempt; seconds since 1970. */
  timestamp: number;
  body: string;
}

/** Headers that say which message it is, when it was sent, and by whom. */
export function signatureHeaders({ id, timestamp, body }: Signed, secret: string): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}
