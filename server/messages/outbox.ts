// Sends messages to their receivers: once each, tried again after pauses that grow, until each is taken or given up.
//
// Every attempt is stored before it is made. Two copies of the server that come to the same one at the same moment
// store the same row, which the engine takes once, so one of them makes it; and pauses outlast a restart.
import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { CLOCKS_DIFFER_MS, DAY, HOUR, MINUTE } from '../durations.ts';
import type { SiteId } from '../sites/site.ts';
import type { Attempt, AttemptOutcome, MessageStore } from '../storage/messages.ts';

/** Why a message was not taken. */
export interface Refusal {
  why: string;
  /** A further attempt would fail as well. Default: it may not. */
  isFinal?: boolean;
  /** It may have been taken all the same. Default: it was not. */
  isUnknown?: boolean;
}

export interface Outgoing {
  /** The same at each attempt, and for the same event. */
  id: string;
  /** What it is, for the log: "the winner of a headline test". */
  about: string;
  /** Further fields of its lines in the log. */
  fields?: Readonly<Record<string, string>>;
  /** Epoch milliseconds; an attempt after this is not made. */
  until: number;
  /** Asks the database for what the sending takes, before an attempt is stored: what fails is no attempt. */
  prepare?: (() => Promise<unknown>) | undefined;
  /** Sends it. @returns undefined where it was taken. */
  attempt(): Promise<Refusal | undefined>;
  /** Records elsewhere that it was taken. Default: the attempts alone say it. */
  record?(): Promise<void>;
}

export interface Receiver {
  /** Names it among those of the site. */
  key: string;
  /** For the log: "the webhook of the site". */
  about: string;
  /**
   * Whether a message is sent again where it is not known whether it was taken: the process ended while it was sent, or
   * it was handed over whole and not answered.
   * A receiver of webhooks leaves out an id that it has; a reader of mail would see it twice.
   */
  repeats: boolean;
}

export interface Outbox {
  /**
   * Sends what is due, one after another; after a failure that may pass the others wait: they have the same receiver.
   * @param attempts Those of the site, where they are known. Default: they are read.
   * @returns How many were not taken and will be tried again.
   */
  send(
    site: SiteId,
    receiver: Receiver,
    messages: readonly Outgoing[],
    attempts?: () => Promise<readonly Attempt[]>,
  ): Promise<number>;
  /** The last attempts for the messages of a site. */
  attempts(site: SiteId): Promise<Attempt[]>;
  counts(): { outcome: CountedOutcome; count: number }[];
  /** No further attempt begins. */
  stop(): void;
  /** Aborted by `stop`. */
  stopping: AbortSignal;
}

const COUNTED = ['taken', 'failed', 'given_up'] as const;
type CountedOutcome = (typeof COUNTED)[number];

export interface OutboxOptions {
  store: { messages: Pick<MessageStore, 'lastAttempts' | 'claim' | 'end'> };
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
}

const LONGEST_PAUSE_MS = 6 * HOUR;
/** Longer than an attempt takes: its process has ended. */
const ABANDONED_MS = 5 * MINUTE;
/** The longest time that a message is tried again, and a pause. */
const LOOK_BACK_MS = 5 * DAY;

/** Id of a message about what these words name. */
export const messageId = (...words: readonly (string | number)[]): string =>
  `msg_${createHash('sha256').update(words.join(' ')).digest('hex').slice(0, 32)}`;

const pauseAfter = (attempts: number): number => Math.min(MINUTE * 2 ** (attempts - 1), LONGEST_PAUSE_MS);

const isAbandoned = ({ outcome, at }: Attempt, now: number): boolean =>
  outcome === 'claimed' && at + ABANDONED_MS <= now;

/** When a message may be tried after its last attempt; undefined: never again. */
function nextTime(last: Attempt | undefined, { repeats }: Receiver, now: number): number | undefined {
  if (last === undefined) return 0;
  // An attempt that is yet to come was made before the clock was set back: its pause would last until then.
  const isOfOtherClock = last.endedAt > now + CLOCKS_DIFFER_MS;
  if (last.outcome === 'failed') return isOfOtherClock ? 0 : last.endedAt + pauseAfter(last.attempt);
  return last.outcome === 'claimed' && repeats ? last.at + ABANDONED_MS : undefined;
}

export function createOutbox({ store: { messages }, log, now }: OutboxOptions): Outbox {
  const stopping = new AbortController();
  const claimant = randomUUID();
  const counts = new Map<CountedOutcome, number>(COUNTED.map((outcome) => [outcome, 0]));
  const count = (outcome: CountedOutcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);

  const end = (attempt: Attempt, outcome: AttemptOutcome, why = '') =>
    messages.end({ ...attempt, endedAt: Math.max(now(), 1), outcome, why });

  async function taken(attempt: Attempt, message: Outgoing, receiver: Receiver): Promise<void> {
    await end(attempt, 'taken');
    await message.record?.();
    count('taken');
    log.info(logFields(attempt, message), `${receiver.about} took ${message.about}`);
  }

  async function refused(attempt: Attempt, message: Outgoing, receiver: Receiver, refusal: Refusal): Promise<Came> {
    const { why, isFinal = false, isUnknown = false } = refusal;
    if (isUnknown && !receiver.repeats) return await abandon(attempt, receiver, why);
    const isLast = isFinal || now() + pauseAfter(attempt.attempt) > message.until;
    await end(attempt, isLast ? 'given_up' : 'failed', why);
    count(isLast ? 'given_up' : 'failed');
    const sentence = `${message.about} could not be sent to ${receiver.about}`;
    if (isLast) log.error({ ...logFields(attempt, message), why }, `${sentence}: given up`);
    else log.warn({ ...logFields(attempt, message), why }, sentence);
    if (isFinal) return 'over';
    return isLast ? 'given up' : 'failed';
  }

  /** Whether it was taken is not known. */
  async function abandon(last: Attempt, receiver: Receiver, why: string): Promise<Came> {
    await end(last, 'unknown', why);
    log.warn(
      { site: last.site, message: last.message, attempts: last.attempt, why },
      `whether ${receiver.about} took a message is not known: it is not sent again`,
    );
    return 'given up';
  }

  /** Sends one, where it is due. */
  async function serve(site: SiteId, receiver: Receiver, message: Outgoing, last: Attempt | undefined): Promise<Came> {
    if (last?.outcome === 'taken') await message.record?.();
    if (last && !receiver.repeats && isAbandoned(last, now()))
      await abandon(last, receiver, 'the server ended while it was sent');
    const next = nextTime(last, receiver, now());
    if (next === undefined) return last?.outcome === 'claimed' && !isAbandoned(last, now()) ? 'waits' : 'over';
    if (next > now() || stopping.signal.aborted) return 'waits';
    await message.prepare?.();
    const attempt: Attempt = {
      ...{ site, message: message.id, receiver: receiver.key, claimant },
      ...{ attempt: (last?.attempt ?? 0) + 1, at: now(), endedAt: 0, outcome: 'claimed', why: '' },
    };
    // Otherwise another copy makes this attempt.
    if (!(await messages.claim(attempt))) return 'waits';
    const refusal = await message.attempt();
    if (refusal !== undefined) return await refused(attempt, message, receiver, refusal);
    await taken(attempt, message, receiver);
    return 'over';
  }

  const attemptsOf = (site: SiteId) => messages.lastAttempts(site, now() - LOOK_BACK_MS);

  return {
    attempts: attemptsOf,
    async send(site, receiver, due, attempts = () => attemptsOf(site)) {
      if (due.length === 0) return 0;
      const lastOf = new Map<string, Attempt>();
      for (const one of await attempts()) if (one.receiver === receiver.key) lastOf.set(one.message, one);
      let left = 0;
      let hasFailed = false;
      for (const message of due) {
        const came = hasFailed ? 'waits' : await serve(site, receiver, message, lastOf.get(message.id));
        if (came === 'waits' || came === 'failed') left += 1;
        if (came === 'failed' || came === 'given up') hasFailed = true;
      }
      return left;
    },
    counts: () => [...counts].map(([outcome, number]) => ({ outcome, count: number })),
    stop: () => stopping.abort(),
    stopping: stopping.signal,
  };
}

/** The outcome of an attempt: the message is done, it is tried later, or the receiver does not answer now. */
type Came = 'over' | 'waits' | 'failed' | 'given up';

/** Fields of a line of the log about an attempt. */
const logFields = ({ site, attempt }: Attempt, { id, fields }: Outgoing) => ({
  site,
  ...fields,
  message: id,
  attempts: attempt,
});
