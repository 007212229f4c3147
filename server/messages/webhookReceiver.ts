// The webhook of a site as a receiver of messages: signed, by POST.
import type { FetchRules } from '../crawl/fetchPage.ts';
import { sendTo } from '../crawl/sendTo.ts';
import { messageOf } from '../errors.ts';
import { type SiteWebhook, signatureHeaders } from '../sites/webhook.ts';
import type { Receiver, Refusal } from './outbox.ts';

export const WEBHOOK: Receiver = { key: 'webhook', about: 'the webhook of the site', repeats: true };

/** Sites whose webhooks are sent to concurrently: one that does not answer takes seconds, and others would wait. */
export const WEBHOOK_CONCURRENCY = 8;

interface HowToPost {
  rules: FetchRules;
  /** Epoch milliseconds. */
  now: number;
}

/** @returns undefined where it was taken. */
export async function postTo(
  { url, secret }: SiteWebhook,
  { id, body }: { id: string; body: object },
  { rules, now }: HowToPost,
): Promise<Refusal | undefined> {
  const text = JSON.stringify(body);
  const headers = signatureHeaders({ id, timestamp: Math.floor(now / 1000), body: text }, secret);
  return await postJson(url, { text, headers }, rules);
}

/** Posts a body, with what else it takes as headers. */
export async function postJson(
  url: string,
  { text, headers = {} }: { text: string; headers?: Record<string, string> },
  rules: FetchRules,
): Promise<Refusal | undefined> {
  try {
    const status = await sendTo(url, { type: 'application/json', bytes: Buffer.from(text), headers }, rules);
    return status >= 200 && status < 300 ? undefined : { why: `status ${status}` };
  } catch (error) {
    return { why: messageOf(error) };
  }
}
