// Sends signed messages to the webhooks of sites: tried again after pauses that grow, until each is taken or given up.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { FetchRules } from '../crawl/fetchPage.ts';
import { sendTo } from '../crawl/sendTo.ts';
import type { SiteId } from '../sites/site.ts';
import { type SiteWebhook, signatureHeaders } from '../sites/webhook.ts';

export interface Outgoing {
  /** The same at each attempt, and for the same event. */
  id: string;
  /** What it is, for the log: "the winner of a headline test". */
  about: string;
  /** Further fields of its lines in the log. */
  fields?: Readonly<Record<string, string>>;
  body: object;
  /** Epoch milliseconds; an attempt after this is not made. */
  until: number;
  /** Records that it was taken. */
  record(): Promise<void>;
}

export interface Outbox {
  /**
   * Sends what is due, one after another; after a failure the others wait, as they have the same receiver.
   * @returns How many were not taken.
   */
  send(site: SiteId, webhook: SiteWebhook, messages: readonly Outgoing[]): Promise<number>;
  counts(): { outcome: Outcome; count: number }[];
  /** Breaks off what is being sent. */
  stop(): void;
}

const OUTCOMES = ['taken', 'failed', 'given_up'] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface OutboxOptions {
  rules: FetchRules;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
}

const MINUTE = 60_000;
const LONGEST_PAUSE_MS = 360 * MINUTE;
/** Failures are forgotten so long after the last pause. */
const FORGET_MS = 3 * 24 * 60 * MINUTE;

/** Id of a message about what these words name. */
export const messageId = (...words: readonly (string | number)[]): string =>
  `msg_${createHash('sha256').update(words.join(' ')).digest('hex').slice(0, 32)}`;

export function createOutbox({ rules, log, now }: OutboxOptions): Outbox {
  const stopping = new AbortController();
  const counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  /** Attempts that failed, by message. A restart begins anew, which is one attempt more. */
  const failures = new Map<string, { attempts: number; next: number }>();

  const count = (outcome: Outcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);

  async function record(site: SiteId, message: Outgoing): Promise<void> {
    failures.delete(message.id);
    count('taken');
    await message.record();
    log.info({ site, ...message.fields, webhook: message.id }, `the webhook of the site took ${message.about}`);
  }

  function failed(site: SiteId, { id, about, fields, until }: Outgoing, why: string): void {
    const attempts = (failures.get(id)?.attempts ?? 0) + 1;
    const next = now() + Math.min(MINUTE * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
    const isLast = next > until;
    failures.set(id, { attempts, next });
    count(isLast ? 'given_up' : 'failed');
    const said = { site, ...fields, webhook: id, attempts, why };
    const sentence = `${about} could not be sent to the webhook of the site`;
    if (isLast) log.error(said, `${sentence}: given up`);
    else log.warn(said, sentence);
  }

  return {
    async send(site, webhook, messages) {
      for (const [id, { next }] of failures) if (next < now() - FORGET_MS) failures.delete(id);
      let left = messages.length;
      for (const message of messages) {
        if ((failures.get(message.id)?.next ?? 0) > now()) continue;
        const problem = await post(webhook, message, { rules: { ...rules, stop: stopping.signal }, now: now() });
        if (stopping.signal.aborted) break;
        if (problem !== undefined) {
          failed(site, message, problem);
          break;
        }
        await record(site, message);
        left -= 1;
      }
      return left;
    },
    counts: () => [...counts].map(([outcome, number]) => ({ outcome, count: number })),
    stop: () => stopping.abort(),
  };
}

/** @returns Why it was not taken. */
async function post(
  { url, secret }: SiteWebhook,
  { id, body }: Pick<Outgoing, 'id' | 'body'>,
  { rules, now }: { rules: FetchRules; now: number },
): Promise<string | undefined> {
  const text = JSON.stringify(body);
  const headers = signatureHeaders({ id, timestamp: Math.floor(now / 1000), body: text }, secret);
  try {
    const status = await sendTo(url, { type: 'application/json', bytes: Buffer.from(text), headers }, rules);
    return status >= 200 && status < 300 ? undefined : `status ${status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
