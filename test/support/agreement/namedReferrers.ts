// What referrers are called, and which of them a question's domain means: written out by hand from the document of the interface.
import type { EventRow } from '../../../server/ingest/eventRow.ts';

/** Networks and aggregators of the worlds by brand: they are shown by their main domains. */
const MAIN_DOMAINS: Record<string, string> = {
  facebook: 'facebook.com',
  twitter: 'x.com',
  linkedin: 'linkedin.com',
  pinterest: 'pinterest.com',
  reddit: 'reddit.com',
  flipboard: 'flipboard.com',
};

/** What a referrer is called in an answer. */
export const calledAs = (stored: string): string => MAIN_DOMAINS[stored] ?? stored;

/** Names, and hosts; of rows that have no host, a name that the host had then. */
const MEANT: Record<string, { name?: string; host?: string; formerly?: string }> = {
  google: { name: 'google' },
  'google.com': { host: 'google.com', formerly: 'google' },
  'www.google.de': { host: 'google.de', formerly: 'google' },
  facebook: { name: 'facebook' },
  'www.facebook.com': { name: 'facebook' },
  'l.facebook.com': { host: 'l.facebook.com' },
  'x.com': { name: 'twitter' },
  chatgpt: { name: 'chatgpt' },
  'com.openai.chatgpt': { host: 'com.openai.chatgpt' },
  'blog.example': { name: 'blog.example' },
  'world.example': { name: 'world.example' },
};

export const DOMAINS = Object.keys(MEANT);

export function isMeant({ referrer, referrerHost }: EventRow, domain: string): boolean {
  const { name, host, formerly } = MEANT[domain]!;
  return referrer === name || referrerHost === (host ?? '-') || (referrerHost === '' && referrer === formerly);
}
